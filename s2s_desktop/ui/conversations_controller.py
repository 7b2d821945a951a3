"""Brings the sidebar and the saved conversations together."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from s2s_desktop.conversation.commands import Conversations
from s2s_desktop.conversation.events import ConversationOpened, ConversationsChanged, SummaryChanged
from s2s_desktop.conversation.store.records import Conversation
from s2s_desktop.ui.banner import BannerStack
from s2s_desktop.ui.conversation_view import ConversationView
from s2s_desktop.ui.library_files import LibraryFiles
from s2s_desktop.ui.library_listing import LibraryListing
from s2s_desktop.ui.library_tasks import LibraryTasks
from s2s_desktop.ui.sidebar import Sidebar
from s2s_desktop.ui.summary_bar import SummaryBar
from s2s_desktop.ui.top_bar import TopBar

_EARLIER_TURNS = 50
_UNDO_MS = 55_000
"""Less than the minute in which a deleted conversation can be had back for sure."""

_END_OFFERED_MS = 60_000
_MAX_QUOTED = 60


class ConversationsController(QObject):
    """Does what the user asks of the sidebar; what goes wrong becomes a sentence above the conversation.

    Signals:
        opened: Another conversation is shown.
    """

    opened = Signal()

    def __init__(
        self,
        sidebar: Sidebar,
        view: ConversationView,
        top_bar: TopBar,
        summary: SummaryBar,
        banners: BannerStack,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._sidebar = sidebar
        self._view = view
        self._top_bar = top_bar
        self._summary = summary
        self._banners = banners
        self._tasks = LibraryTasks(banners.show_notice)
        self._listing = LibraryListing(self._tasks, sidebar, top_bar)
        self._files = LibraryFiles(self._tasks, sidebar, banners, window)
        self._connect()

    def _connect(self) -> None:
        sidebar, start = self._sidebar, self._tasks.start
        sidebar.open_requested.connect(lambda found, turn: start(self._open, found, turn))
        sidebar.new_requested.connect(self.new)
        sidebar.rename_requested.connect(lambda found, title: start(self._rename, found, title))
        sidebar.pin_requested.connect(lambda found, pinned: start(self._pin, found, pinned))
        sidebar.delete_requested.connect(lambda found: start(self._delete, found))
        sidebar.keep_requested.connect(lambda on: start(self._keep, on))
        self._view.earlier_requested.connect(lambda before: start(self._show_earlier, before))
        self._summary.undo_requested.connect(lambda: start(self._undo_summary))
        self._top_bar.new_requested.connect(self.new)

    @property
    def dialog(self) -> QFileDialog | QMessageBox | None:
        """The file dialog or question that is open, or was last."""
        return self._files.dialog

    def connect_to(self, conversations: Conversations) -> None:
        """Show these conversations from now on. Needs the running event loop."""
        self._tasks.connect_to(conversations)
        self._listing.refresh()

    async def settled(self) -> None:
        """Return when everything asked for so far is done."""
        await self._tasks.settled()

    async def close(self) -> None:
        """End what is under way; nothing more is begun."""
        await self._tasks.close()

    def observe(self, event: ConversationsChanged | ConversationOpened | SummaryChanged) -> None:
        """Take an event."""
        match event:
            case ConversationOpened():
                self._view.show_saved(event.turns, event.more, event.turn)
                self._top_bar.show_title(event.conversation.title if event.conversation else "")
                self._summary.show_summary(event.summary)
                if event.later and event.conversation is not None:
                    self._offer_the_end(event.conversation.id)
                self.opened.emit()
            case SummaryChanged():
                self._summary.show_summary(event.summary)
                return
            case ConversationsChanged():
                self._listing.note_change(event.conversation_id)
        self._listing.refresh()

    def new(self) -> None:
        """Begin a new conversation."""
        self._tasks.start(self._new)

    async def _open(self, conversation_id: str, turn: int | None) -> None:
        await self._tasks.library.open(conversation_id, turn)

    def _offer_the_end(self, conversation_id: str) -> None:
        """Say that what is shown is not the end, and lead there."""
        self._banners.show_offer(
            self.tr("This is an earlier part of the conversation."),
            self.tr("Go to the end"),
            lambda: self._tasks.start(self._open, conversation_id, None),
            _END_OFFERED_MS,
        )

    async def _show_earlier(self, before: int) -> None:
        library = self._tasks.library
        conversation_id = library.conversation_id
        turns = await library.earlier(conversation_id, before, _EARLIER_TURNS)
        if conversation_id == library.conversation_id:
            self._view.show_earlier(turns, len(turns) == _EARLIER_TURNS)

    async def _new(self) -> None:
        await self._tasks.library.new()

    async def _rename(self, conversation_id: str, title: str) -> None:
        await self._tasks.library.rename(conversation_id, title)

    async def _pin(self, conversation_id: str, pinned: bool) -> None:
        await self._tasks.library.pin(conversation_id, pinned)

    async def _delete(self, conversation: Conversation) -> None:
        library = self._tasks.library
        in_use = conversation.id == library.conversation_id
        await library.delete(conversation.id)

        async def undo() -> None:
            await library.undo_delete(conversation.id)
            if in_use:
                await library.open(conversation.id)

        self._banners.show_offer(
            self.tr("“{title}” was deleted.").format(title=self._name(conversation)),
            self.tr("Undo"),
            lambda: self._tasks.start(undo),
            _UNDO_MS,
            "Ctrl+Z",
        )

    async def _undo_summary(self) -> None:
        await self._tasks.library.undo_summary()

    async def _keep(self, on: bool) -> None:
        await self._tasks.library.keep(on)

    def _name(self, conversation: Conversation) -> str:
        title = conversation.title or self.tr("New conversation")
        return title if len(title) <= _MAX_QUOTED else title[: _MAX_QUOTED - 1] + "…"
