"""The saved conversations behind the window: what is recorded, opened, exported and removed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from s2s_desktop.conversation.events import (
    ConversationOpened,
    ConversationsChanged,
    Notice,
    SummaryChanged,
    Usage,
)
from s2s_desktop.conversation.export.archive import export_all
from s2s_desktop.conversation.export.formats import ExportFormat, export_conversation
from s2s_desktop.conversation.export.json_document import import_json
from s2s_desktop.conversation.session import Session
from s2s_desktop.conversation.store.conversation_store import ConversationStore
from s2s_desktop.conversation.store.library import Library
from s2s_desktop.conversation.store.records import Compaction, Conversation, SavedTurn
from s2s_desktop.conversation.store.searching import SearchHit
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings import file as settings_file
from s2s_desktop.settings.atomic import write_atomically
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings

SHOWN_TURNS = 50
"""Turns that a conversation opens with; earlier ones are fetched on request."""

_MOST_TURNS = 200
"""Turns that are fetched at once to show one that search found."""

_AROUND = 8


class SavedConversations:
    """Fulfils `conversation.commands.Conversations` over a store and the session.

    Args:
        settings: What is kept, and how much of a conversation the model is sent.
        paths: Where conversations and settings are.
        session: Is recorded, and goes on with what is opened.
    """

    def __init__(self, settings: Settings, paths: Paths, session: Session) -> None:
        self._settings = settings
        self._paths = paths
        self._session = session
        self.store = ConversationStore(
            paths.data,
            settings.history,
            on_notice=lambda sentence: session.publish(Notice(sentence)),
            on_changed=lambda: session.publish(ConversationsChanged()),
        )
        self._left = ("", "")
        self.use(settings)
        session.add_observer(self.store.recorder)

    def use(self, settings: Settings) -> None:
        """Go by these settings from now on."""
        self._settings = settings
        self.store.use(settings.history)
        self.store.recorder.use_profile(settings.active_profile().name)

    def use_profile(self, name: str) -> None:
        """Say which profile answers from the next turn on."""
        self.store.recorder.use_profile(name)

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
        opened = await self.store.run(lambda library: _read(library, conversation_id, turn))
        items = await self.store.resume(conversation_id, self._settings.assistant.chat_size)
        self._session.start_over(items)
        self._session.publish(opened)

    async def new(self) -> None:
        """Begin a new conversation; a reply that is under way ends first."""
        self._session.start_over(())
        self.store.new_conversation()
        self._session.publish(ConversationOpened(None))

    # Changing

    async def rename(self, conversation_id: str, title: str) -> None:
        """Give a conversation the title that the user wrote."""
        await self.store.run(lambda library: library.rename(conversation_id, title))
        self._changed()

    async def name_by_model(self, conversation_id: str, title: str) -> None:
        """Give a conversation the title that a language model wrote, unless the user has chosen one."""
        if await self.store.run(lambda library: library.name_by_model(conversation_id, title)):
            self._changed()

    async def pin(self, conversation_id: str, pinned: bool) -> None:
        """Keep a conversation at the top, or no longer."""
        await self.store.run(lambda library: library.pin(conversation_id, pinned))
        self._changed()

    async def delete(self, conversation_id: str) -> None:
        """Delete a conversation; the one in use makes way for a new one."""
        in_use = conversation_id == self.conversation_id
        if in_use:
            self._session.stop_reply()
        await self.store.delete(conversation_id)
        if in_use:
            self._session.start_over(())
            self._session.publish(ConversationOpened(None))

    async def undo_delete(self, conversation_id: str) -> None:
        """Bring a deleted conversation back."""
        await self.store.undo_delete(conversation_id)

    async def wipe(self) -> None:
        """Remove everything that was ever kept, and show nothing of it any more."""
        self._session.start_over(())
        await self.store.wipe()
        self._session.publish(ConversationOpened(None))

    async def keep(self, on: bool) -> None:
        """Save conversations from now on, or nothing any more, and remember that.

        Saving that is switched on again goes on in the conversation that is shown.
        """
        before = self.conversation_id
        self._settings = self._settings.model_copy(deep=True)
        self._settings.history.keep = on
        self.store.use(self._settings.history)
        left, unsaved = self._left
        if not on:
            self._left = (before, self.conversation_id)
        elif unsaved == before and await self._find(left) is not None and unsaved == self.conversation_id:
            self.store.recorder.resume(left)
        self._changed()

        def remember(library: Library) -> None:
            # What the command line changed for this run only stays out of the file.
            saved = settings_file.load(self._paths.settings_file).settings
            saved.history.keep = on
            settings_file.save(self._paths.settings_file, saved)

        await self.store.run(remember)

    # Files

    async def export(self, conversation_id: str | None, export_format: ExportFormat, target: Path) -> int:
        """Write one conversation, or all, and return how many were written."""
        if conversation_id is None:
            return await self.store.run(
                lambda library: export_all(library.all_whole(), export_format, target)
            )
        await self.store.run(lambda library: _export_one(library, conversation_id, export_format, target))
        return 1

    async def import_file(self, source: Path) -> int:
        """Add the conversations of a JSON export and return how many were new."""
        count = await self.store.run(lambda library: _import(library, source))
        self._changed()
        return count

    # Summaries

    async def summarised(self, user: str, assistant: str, keep: int) -> None:
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
        conversation_id, turns = self.conversation_id, self._settings.assistant.chat_size
        self._session.stop_reply()

        def undo(library: Library) -> Compaction | None:
            library.undo_compaction(conversation_id)
            return _summary(library, conversation_id)

        summary = await self.store.run(undo)
        self._session.start_over(
            await self.store.run(lambda library: library.items(conversation_id, turns=turns))
        )
        self._session.publish(SummaryChanged(summary))

    async def _find(self, conversation_id: str) -> Conversation | None:
        try:
            return await self.store.run(lambda library: library.conversation(conversation_id))
        except AssistantError as error:
            if error.kind is ErrorKind.NOT_FOUND:
                return None
            raise

    def _changed(self) -> None:
        self._session.publish(ConversationsChanged())


def _read(library: Library, conversation_id: str, turn: int | None) -> ConversationOpened:
    conversation = library.conversation(conversation_id)
    newest = library.turns(conversation_id, limit=1)
    wanted = newest[0].number - turn + _AROUND if newest and turn is not None else SHOWN_TURNS
    limit = min(max(wanted, SHOWN_TURNS), _MOST_TURNS)
    turns = library.turns(conversation_id, limit=limit + 1)
    return ConversationOpened(
        conversation,
        turns[-limit:],
        more=len(turns) > limit,
        summary=_summary(library, conversation_id),
        turn=turn,
    )


def _summary(library: Library, conversation_id: str) -> Compaction | None:
    kept = [made for made in library.compactions(conversation_id) if not made.undone]
    return kept[-1] if kept else None


def _export_one(library: Library, conversation_id: str, export_format: ExportFormat, target: Path) -> None:
    text = export_conversation(library.whole(conversation_id), export_format)
    try:
        write_atomically(target, text, 0o644)
    except OSError as error:
        raise AssistantError(
            ErrorKind.INTERNAL,
            f"The conversation could not be written to “{target}” ({error.strerror or error})."
            " Choose another place or make room there.",
            str(error),
        ) from error


def _import(library: Library, source: Path) -> int:
    try:
        data = source.read_bytes()
    except OSError as error:
        raise AssistantError(
            ErrorKind.BAD_REQUEST,
            f"“{source}” cannot be read ({error.strerror or error}). Nothing was imported.",
            str(error),
        ) from error
    return sum(library.add(whole) is not None for whole in import_json(data))
