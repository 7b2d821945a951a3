"""Keeps the sidebar up to date: the list, the hits of a search, and the conversation in use."""

from __future__ import annotations

from PySide6.QtCore import QObject

from s2s_desktop.conversation.commands import Conversations
from s2s_desktop.conversation.events import AssistantError
from s2s_desktop.ui.library_tasks import LibraryTasks
from s2s_desktop.ui.sidebar import Sidebar
from s2s_desktop.ui.top_bar import TopBar

PAGE = 200
"""Conversations that are fetched at once."""

ALL = ""
"""Any conversation may have changed (`ConversationsChanged.conversation_id`)."""


class LibraryListing(QObject):
    """Fetches what the sidebar and the title show, page by page, so that the window answers in between."""

    def __init__(self, tasks: LibraryTasks, sidebar: Sidebar, top_bar: TopBar) -> None:
        super().__init__(sidebar)
        self._tasks = tasks
        self._sidebar = sidebar
        self._top_bar = top_bar
        self._refreshing = False
        self._stale = False
        self._changed = {ALL}
        self._fetching = False
        self._query = ""
        sidebar.query_changed.connect(lambda query: tasks.start(self._search, query))
        sidebar.more_wanted.connect(lambda: tasks.start(self._fetch_more))

    def note_change(self, conversation_id: str) -> None:
        """Remember that a conversation, or `ALL`, changed: the next refresh fetches it."""
        self._changed.add(conversation_id)

    def refresh(self) -> None:
        """Show what changed."""
        self._stale = True
        if not self._refreshing and self._tasks.ready:
            self._refreshing = True
            self._tasks.start(self._show_changes)

    async def _show_changes(self) -> None:
        try:
            library = self._tasks.library
            while self._stale:
                self._stale = False
                changed, self._changed = self._changed, set()
                if ALL in changed:
                    await self._show_list(library)
                else:
                    for conversation_id in changed:
                        found = await library.conversation(conversation_id)
                        self._sidebar.show_conversation(conversation_id, found)
                await self._show_current(library)
        except AssistantError:
            self._changed = {ALL}
            raise
        finally:
            self._refreshing = False

    async def _show_list(self, library: Conversations) -> None:
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
            found = await self._tasks.library.page(limit=PAGE, offset=offset)
            self._sidebar.list.append(found, len(found) < PAGE)
        finally:
            self._fetching = False

    async def _search(self, query: str) -> None:
        self._query = query
        if query:
            hits = await self._tasks.library.search(query)
            if query == self._query:  # else the user has typed on
                self._sidebar.show_hits(hits)
