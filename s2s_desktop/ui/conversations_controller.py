"""Brings the sidebar and the saved conversations together."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, ParamSpec

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from s2s_desktop.conversation.commands import Conversations
from s2s_desktop.conversation.events import (
    AssistantError,
    ConversationOpened,
    ConversationsChanged,
    SummaryChanged,
)
from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.conversation.store.records import Conversation
from s2s_desktop.runtime.tasks import TaskGroup
from s2s_desktop.ui.banner import BannerStack
from s2s_desktop.ui.conversation_view import ConversationView
from s2s_desktop.ui.file_choices import choose_export, choose_import
from s2s_desktop.ui.form.question import ask
from s2s_desktop.ui.sidebar import Sidebar
from s2s_desktop.ui.summary_bar import SummaryBar
from s2s_desktop.ui.top_bar import TopBar

P = ParamSpec("P")

PAGE = 200
"""Conversations that are fetched at once."""

_EARLIER_TURNS = 50
_UNDO_MS = 55_000
"""Less than the minute in which a deleted conversation can be had back for sure."""

_END_OFFERED_MS = 60_000
_MAX_QUOTED = 60
_ALL = ""
"""Any conversation may have changed (`ConversationsChanged.conversation_id`)."""


class ConversationsController(QObject):
    """Does what the user asks of the sidebar; what goes wrong becomes a sentence above the conversation.

    Attributes:
        dialog: The file dialog or question that is open, or was last.

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
        self._window = window
        self._conversations: Conversations | None = None
        self._tasks = TaskGroup()
        self._closed = False
        self._refreshing = False
        self._stale = False
        self._changed = {_ALL}
        self._fetching = False
        self._query = ""
        self.dialog: QFileDialog | QMessageBox | None = None
        self._connect()

    def _connect(self) -> None:
        sidebar = self._sidebar
        sidebar.query_changed.connect(lambda query: self._start(self._search, query))
        sidebar.open_requested.connect(lambda found, turn: self._start(self._open, found, turn))
        sidebar.new_requested.connect(self.new)
        sidebar.rename_requested.connect(lambda found, title: self._start(self._rename, found, title))
        sidebar.pin_requested.connect(lambda found, pinned: self._start(self._pin, found, pinned))
        sidebar.delete_requested.connect(lambda found: self._start(self._delete, found))
        sidebar.export_requested.connect(self._choose_export)
        sidebar.import_requested.connect(self._choose_import)
        sidebar.keep_requested.connect(lambda on: self._start(self._keep, on))
        sidebar.wipe_requested.connect(self._confirm_wipe)
        sidebar.more_wanted.connect(lambda: self._start(self._fetch_more))
        self._view.earlier_requested.connect(lambda before: self._start(self._show_earlier, before))
        self._summary.undo_requested.connect(lambda: self._start(self._undo_summary))
        self._top_bar.new_requested.connect(self.new)

    def connect_to(self, conversations: Conversations) -> None:
        """Show these conversations from now on. Needs the running event loop."""
        self._conversations = conversations
        self._refresh()

    async def settled(self) -> None:
        """Return when everything asked for so far is done."""
        await self._tasks.wait()

    async def close(self) -> None:
        """End what is under way; nothing more is begun."""
        self._closed = True
        await self._tasks.cancel_all()

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
                self._changed.add(event.conversation_id)
        self._refresh()

    def new(self) -> None:
        """Begin a new conversation."""
        self._start(self._new)

    @property
    def _library(self) -> Conversations:
        if self._conversations is None:
            raise RuntimeError("there are no conversations yet")
        return self._conversations

    def _start(self, work: Callable[P, Coroutine[Any, Any, None]], *args: P.args, **kwargs: P.kwargs) -> None:
        if self._conversations is not None and not self._closed:
            self._tasks.start(self._told(lambda: work(*args, **kwargs)), "conversations")

    async def _told(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except AssistantError as error:
            self._banners.show_notice(error.message)

    # The list

    def _refresh(self) -> None:
        self._stale = True
        if not self._refreshing and self._conversations is not None and not self._closed:
            self._refreshing = True
            self._start(self._show_changes)

    async def _show_changes(self) -> None:
        try:
            library = self._library
            while self._stale:
                self._stale = False
                changed, self._changed = self._changed, set()
                if _ALL in changed:
                    await self._show_list(library)
                else:
                    for conversation_id in changed:
                        found = await library.conversation(conversation_id)
                        self._sidebar.show_conversation(conversation_id, found)
                await self._show_current(library)
        except AssistantError:
            self._changed = {_ALL}
            raise
        finally:
            self._refreshing = False

    async def _show_list(self, library: Conversations) -> None:
        """Fetch the list anew, page by page, so that the window answers in between."""
        wanted = self._sidebar.list.last_in_view() + PAGE // 2
        self._sidebar.show_keeping(library.keeps)
        offset, complete = 0, False
        while not complete and offset < wanted:
            found = await library.page(limit=PAGE, offset=offset)
            complete = len(found) < PAGE
            if offset == 0:
                self._sidebar.show_conversations(found, complete)
            else:
                self._sidebar.list.append(found, complete)
            offset += PAGE

    async def _show_current(self, library: Conversations) -> None:
        """Show what is known of the conversation in use, and of all together."""
        self._sidebar.list.set_in_use(library.conversation_id)
        current = await library.current()
        not_saved = "" if library.keeps else self.tr("Not saved")
        self._top_bar.show_title(current.title if current else not_saved)
        used = await library.usage(current.id) if current else None
        total = await library.usage()
        self._sidebar.show_usage(
            used.input_tokens + used.output_tokens if used else 0, total.input_tokens + total.output_tokens
        )

    async def _fetch_more(self) -> None:
        if self._fetching:
            return
        self._fetching = True
        try:
            offset = len(self._sidebar.list.rows.conversations)
            found = await self._library.page(limit=PAGE, offset=offset)
            self._sidebar.list.append(found, len(found) < PAGE)
        finally:
            self._fetching = False

    async def _search(self, query: str) -> None:
        self._query = query
        if query:
            hits = await self._library.search(query)
            if query == self._query:  # else the user has typed on
                self._sidebar.show_hits(hits)

    # One conversation

    async def _open(self, conversation_id: str, turn: int | None) -> None:
        await self._library.open(conversation_id, turn)

    def _offer_the_end(self, conversation_id: str) -> None:
        """Say that what is shown is not the end, and lead there."""
        self._banners.show_offer(
            self.tr("This is an earlier part of the conversation."),
            self.tr("Go to the end"),
            lambda: self._start(self._open, conversation_id, None),
            _END_OFFERED_MS,
        )

    async def _show_earlier(self, before: int) -> None:
        library = self._library
        conversation_id = library.conversation_id
        turns = await library.earlier(conversation_id, before, _EARLIER_TURNS)
        if conversation_id == library.conversation_id:
            self._view.show_earlier(turns, len(turns) == _EARLIER_TURNS)

    async def _new(self) -> None:
        await self._library.new()

    async def _rename(self, conversation_id: str, title: str) -> None:
        await self._library.rename(conversation_id, title)

    async def _pin(self, conversation_id: str, pinned: bool) -> None:
        await self._library.pin(conversation_id, pinned)

    async def _delete(self, conversation: Conversation) -> None:
        library = self._library
        in_use = conversation.id == library.conversation_id
        await library.delete(conversation.id)

        async def undo() -> None:
            await library.undo_delete(conversation.id)
            if in_use:
                await library.open(conversation.id)

        self._banners.show_offer(
            self.tr("“{title}” was deleted.").format(title=self._name(conversation)),
            self.tr("Undo"),
            lambda: self._start(undo),
            _UNDO_MS,
        )

    async def _undo_summary(self) -> None:
        await self._library.undo_summary()

    # Files

    def _choose_export(self, conversation: Conversation | None, export_format: ExportFormat) -> None:
        self.dialog = choose_export(
            self._window,
            conversation,
            export_format,
            lambda target: self._start(self._export, conversation, export_format, target),
        )

    async def _export(
        self, conversation: Conversation | None, export_format: ExportFormat, target: Path
    ) -> None:
        count = await self._library.export(conversation.id if conversation else None, export_format, target)
        if count == 1:
            sentence = self.tr("The conversation was written to “{target}”.")
        else:
            sentence = self.tr("{count} conversations were written to “{target}”.")
        self._banners.show_notice(sentence.format(count=count, target=target))

    def _choose_import(self) -> None:
        self.dialog = choose_import(self._window, lambda source: self._start(self._import, source))

    async def _import(self, source: Path) -> None:
        count = await self._library.import_file(source)
        if count == 0:
            sentence = self.tr("Everything in this file is here already.")
        elif count == 1:
            sentence = self.tr("One conversation was added.")
        else:
            sentence = self.tr("{count} conversations were added.").format(count=count)
        self._banners.show_notice(sentence)

    # What is kept

    async def _keep(self, on: bool) -> None:
        await self._library.keep(on)

    def _confirm_wipe(self) -> None:
        self.dialog = ask(
            self._window,
            self.tr("Delete all conversations and recordings for good?"),
            self.tr("This cannot be undone. Files that you exported stay."),
            self.tr("Delete everything"),
            lambda: self._start(self._wipe),
        )

    async def _wipe(self) -> None:
        await self._library.wipe()
        self._banners.show_notice(self.tr("All conversations and recordings were deleted."))

    def _name(self, conversation: Conversation) -> str:
        title = conversation.title or self.tr("New conversation")
        return title if len(title) <= _MAX_QUOTED else title[: _MAX_QUOTED - 1] + "…"
