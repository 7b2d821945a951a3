"""The saved conversations behind the window: what is recorded, opened, exported and removed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from s2s_desktop.conversation.events import (
    ConversationOpened,
    ConversationsChanged,
    Notice,
    SummaryChanged,
    Usage,
)
from s2s_desktop.conversation.export.archive import export_all
from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.conversation.session import Session
from s2s_desktop.conversation.store.conversation_store import ConversationStore
from s2s_desktop.conversation.store.history_items import Remembered
from s2s_desktop.conversation.store.library import Library
from s2s_desktop.conversation.store.records import Compaction, Conversation, SavedTurn
from s2s_desktop.conversation.store.searching import SearchHit
from s2s_desktop.engine.conversation_files import export_one, import_from
from s2s_desktop.engine.opening import read_opened, remembered_of, summary_of
from s2s_desktop.engine.settings_in_use import Choice, first_choice
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.history.history import History
from s2s_desktop.settings import file as settings_file
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings


class SavedConversations:
    """Fulfils `conversation.commands.Conversations` over a store and the session.

    Args:
        settings: What is kept, and how much of a conversation the model is sent.
        paths: Where conversations and settings are.
        session: Is recorded, and goes on with what is opened.
        history: Of the session; remembers what is opened.
        choose: Asked who answers in a conversation that is about to be opened (None for a new one); uses it
            from then on.
        on_kept: Told that saving was switched on or off.
    """

    def __init__(
        self,
        settings: Settings,
        paths: Paths,
        session: Session,
        history: History,
        *,
        choose: Callable[[Conversation | None], Choice] | None = None,
        on_kept: Callable[[bool], None] = lambda on: None,
    ) -> None:
        self._settings = settings
        self._paths = paths
        self._session = session
        self._history = history
        self._choose = choose or (lambda conversation: first_choice(self._settings))
        self._on_kept = on_kept
        self.store = ConversationStore(
            paths.data,
            settings.history,
            on_notice=lambda sentence: session.publish(Notice(sentence)),
            on_changed=self._changed,
        )
        self._left = ("", "")
        self.use_profile(settings.active_profile().name)
        self.store.recorder.belong(*first_choice(settings))
        session.add_observer(self.store.recorder)

    async def use(self, settings: Settings) -> None:
        """Go by these settings from now on."""
        self._settings, before = settings, self._settings
        if settings.history.keep != before.history.keep:
            await self._switch(settings.history.keep)
        else:
            self.store.use(settings.history)

    def use_profile(self, name: str) -> None:
        """Say which profile answers from the next turn on."""
        self.store.recorder.use_profile(name)

    async def belong(self, choice: Choice) -> None:
        """Remember who answers in the conversation in use from now on."""
        self.store.recorder.belong(*choice)
        conversation_id = self.conversation_id
        if self.keeps and await self._find(conversation_id) is not None:
            await self.store.run(lambda library: library.belong(conversation_id, *choice))
            self._changed(conversation_id)

    async def written(self) -> bool:
        """Wait until everything said so far is in the file; returns whether it is."""
        return await asyncio.to_thread(self.store.recorder.flush)

    # Reading

    @property
    def conversation_id(self) -> str:
        """The conversation that the next turn is saved into."""
        return self.store.conversation_id

    @property
    def keeps(self) -> bool:
        """Whether anything is saved."""
        return self._settings.history.keep

    async def page(self, *, limit: int, offset: int = 0) -> list[Conversation]:
        """Return conversations in the order of the list."""
        return await self.store.run(lambda library: library.conversations(limit=limit, offset=offset))

    async def current(self) -> Conversation | None:
        """Return the conversation in use; None while nothing of it is saved."""
        return await self._find(self.conversation_id)

    async def conversation(self, conversation_id: str) -> Conversation | None:
        """Return one conversation; None when it is not there (any more)."""
        return await self._find(conversation_id)

    async def search(self, query: str) -> list[SearchHit]:
        """Find titles and messages."""
        return await self.store.run(lambda library: library.search(query))

    async def earlier(self, conversation_id: str, before: int, limit: int) -> tuple[SavedTurn, ...]:
        """Return the turns before one, oldest first."""
        return await self.store.run(
            lambda library: library.turns(conversation_id, before=before, limit=limit)
        )

    async def usage(self, conversation_id: str | None = None) -> Usage:
        """Return the tokens of a conversation, or of all."""
        return await self.store.run(lambda library: library.usage(conversation_id))

    # Another conversation

    async def open(self, conversation_id: str, turn: int | None = None) -> None:
        """Go on with a conversation; a reply that is under way ends first."""
        self._session.stop_reply()
        size = self._settings.assistant.chat_size
        opened = await self.store.run(lambda library: read_opened(library, conversation_id, turn))
        remembered, last = await self.store.run(lambda library: remembered_of(library, conversation_id, size))
        await self._fall_silent()
        choice = self._choose(opened.conversation)
        self.store.recorder.resume(conversation_id, choice.persona, choice.profile)
        self._start_over(remembered, last)
        self._session.publish(opened)

    async def new(self) -> None:
        """Begin a new conversation; a reply that is under way ends first."""
        await self._fall_silent()
        self._begin()

    async def _fall_silent(self) -> None:
        """End a running turn, so that nothing of it arrives in the next conversation."""
        self._session.stop_reply()
        await self._session.settled()

    def _begin(self) -> None:
        """Show a new conversation. It has the id that the recorder made last."""
        choice = self._choose(None)
        self.store.recorder.new_conversation(choice.persona, choice.profile)
        self._start_over(Remembered([]), 0)
        self._session.publish(ConversationOpened(None))

    def _start_over(self, remembered: Remembered, last: int) -> None:
        """Let the session go on from a turn, and the history with what is remembered."""
        self._session.start_over((), last_turn=last)
        self._history.load(*remembered)

    # Changing

    async def rename(self, conversation_id: str, title: str) -> None:
        """Give a conversation the title that the user wrote."""
        await self.store.run(lambda library: library.rename(conversation_id, title))
        self._changed(conversation_id)

    async def name_by_model(self, conversation_id: str, title: str) -> None:
        """Give a conversation the title that a language model wrote, unless the user has chosen one."""
        if await self.store.run(lambda library: library.name_by_model(conversation_id, title)):
            self._changed(conversation_id)

    async def pin(self, conversation_id: str, pinned: bool) -> None:
        """Keep a conversation at the top, or no longer."""
        await self.store.run(lambda library: library.pin(conversation_id, pinned))
        self._changed(conversation_id)

    async def delete(self, conversation_id: str) -> None:
        """Delete a conversation; the one in use makes way for a new one."""
        in_use = conversation_id == self.conversation_id
        if in_use:
            await self._fall_silent()
        await self.store.delete(conversation_id)
        if in_use:
            self._begin()

    async def undo_delete(self, conversation_id: str) -> None:
        """Bring a deleted conversation back."""
        await self.store.undo_delete(conversation_id)

    async def wipe(self) -> None:
        """Remove everything that was ever kept, and show nothing of it any more."""
        await self._fall_silent()
        await self.store.wipe()
        self._begin()

    async def keep(self, on: bool) -> None:
        """Save conversations from now on, or nothing any more, and remember that.

        Saving that is switched on again goes on in the conversation that is shown.
        """
        self._settings = self._settings.model_copy(deep=True)
        self._settings.history.keep = on
        await self._switch(on)
        self._on_kept(on)

        def remember(library: Library) -> None:
            # What the command line changed for this run only stays out of the file.
            saved = settings_file.load(self._paths.settings_file).settings
            saved.history.keep = on
            settings_file.save(self._paths.settings_file, saved)

        await self.store.run(remember)

    async def _switch(self, on: bool) -> None:
        before = self.conversation_id
        self.store.use(self._settings.history)
        left, unsaved = self._left
        if not on:
            self._left = (before, self.conversation_id)
        elif unsaved == before and await self._find(left) is not None and unsaved == self.conversation_id:
            self.store.recorder.resume(left)
        self._changed()

    # Turns

    async def has_turn(self, number: int) -> bool:
        """Return whether a turn of this number is saved in the conversation in use."""
        conversation_id = self.conversation_id
        if await self._find(conversation_id) is None:
            return False
        turns = await self.earlier(conversation_id, number + 1, 1)
        return bool(turns) and turns[0].number == number

    async def remove_turns(self, first: int, last: int) -> tuple[int, ...]:
        """Remove turns of the conversation in use for good, as the session counts them.

        Returns:
            Their numbers as they were saved; none where nothing is saved.
        """
        conversation_id, recorder = self.conversation_id, self.store.recorder
        first_id = recorder.turn_id(first)
        recorder.forget_turns(range(first, last + 1))
        await self.written()
        if not self.keeps or await self._find(conversation_id) is None:
            return ()
        numbers = await self.store.remove_turns(conversation_id, first, last, first_id)
        self._changed(conversation_id)
        return numbers

    async def remember_again(self) -> None:
        """Remind the model of what is saved of the conversation in use, and show its summary, if any."""
        conversation_id, size = self.conversation_id, self._settings.assistant.chat_size
        if await self._find(conversation_id) is None:
            return

        def read(library: Library) -> tuple[Remembered, Compaction | None]:
            return library.remembered(conversation_id, turns=size), summary_of(library, conversation_id)

        remembered, summary = await self.store.run(read)
        self._history.load(*remembered)
        self._session.publish(SummaryChanged(summary))

    # Files

    async def export(self, conversation_id: str | None, export_format: ExportFormat, target: Path) -> int:
        """Write one conversation, or all, and return how many were written."""
        if conversation_id is None:
            return await self.store.run(
                lambda library: export_all(library.all_whole(), export_format, target)
            )
        await self.store.run(lambda library: export_one(library, conversation_id, export_format, target))
        return 1

    async def import_file(self, source: Path) -> int:
        """Add the conversations of a JSON export and return how many were new."""
        count = await self.store.run(lambda library: import_from(library, source))
        self._changed()
        return count

    # Summaries

    async def summarized(self, user: str, assistant: str, keep: int) -> None:
        """Remember that a summary stands for all but the newest `keep` turns of the history.

        Args:
            user: What the user said and wants.
            assistant: What the assistant answered.
            keep: How many turns of the history it does not stand for.
        """
        conversation_id = self.conversation_id
        made = await self.store.run(
            lambda library: library.compact(conversation_id, user, assistant, keep=keep)
        )
        if made is not None and conversation_id == self.conversation_id:
            self._session.publish(SummaryChanged(made))

    async def undo_summary(self) -> None:
        """Take the newest summary back: the model is sent the turns again."""
        conversation_id = self.conversation_id
        await self._fall_silent()
        await self.written()
        await self.store.run(lambda library: library.undo_compaction(conversation_id))
        await self.remember_again()

    async def _find(self, conversation_id: str) -> Conversation | None:
        try:
            return await self.store.run(lambda library: library.conversation(conversation_id))
        except AssistantError as error:
            if error.kind is ErrorKind.NOT_FOUND:
                return None
            raise

    def _changed(self, conversation_id: str = "") -> None:
        self._session.publish(ConversationsChanged(conversation_id))
