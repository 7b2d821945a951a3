"""The saved conversations: lists, pages, search, and everything the user does with them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple
from uuid import uuid4

from s2s_desktop.conversation.events import Usage
from s2s_desktop.conversation.store import (
    compacting,
    faults,
    loading,
    removing,
    rows,
    saving,
    search_index,
    searching,
)
from s2s_desktop.conversation.store.database import Database
from s2s_desktop.conversation.store.history_items import Remembered, remembered
from s2s_desktop.conversation.store.records import (
    Compaction,
    Conversation,
    SavedTurn,
    TitleSource,
    WholeConversation,
)
from s2s_desktop.conversation.store.searching import SearchHit
from s2s_desktop.conversation.store.sound_files import Sound, SoundFiles
from s2s_desktop.conversation.store.titles import clean_title
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.items import Item

UNDO_S = 60.0
"""A deleted conversation can be had back for at least this long."""


class FirstExchange(NamedTuple):
    """What a conversation can be named after."""

    conversation_id: str
    user: str
    assistant: str


class Library:
    """Everything but the recording of running turns. All calls block: run them on a worker.

    Every method raises AssistantError: INTERNAL when the file cannot be used, NOT_FOUND when the conversation
    is not there (any more).

    Args:
        database: The file.
        sounds: The recordings.
        now: Seconds since 1970.
    """

    def __init__(
        self, database: Database, sounds: SoundFiles, *, now: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._sounds = sounds
        self._now = now

    # Reading

    def conversations(self, *, limit: int = 1000, offset: int = 0) -> list[Conversation]:
        """Return conversations: the pinned ones, then the others, each the newest first."""
        with self._database.reading() as connection:
            found = connection.execute(
                "SELECT * FROM conversation WHERE deleted_at IS NULL"
                " ORDER BY pinned DESC, updated_at DESC LIMIT ? OFFSET ?",
                (limit, offset),
            )
            return [rows.conversation_of(row) for row in found]

    def conversation(self, conversation_id: str) -> Conversation:
        """Return a conversation without what is said in it."""
        with self._database.reading() as connection:
            return rows.conversation_of(loading.conversation_row(connection, conversation_id))

    def turns(
        self, conversation_id: str, *, before: int | None = None, limit: int = 100
    ) -> tuple[SavedTurn, ...]:
        """Return a page of turns, oldest first: the newest ones, or the newest before a number."""
        with self._found(conversation_id) as (connection, row):
            return loading.turns(connection, row["key"], before=before, limit=limit)

    def whole(self, conversation_id: str) -> WholeConversation:
        """Return a conversation with everything in it."""
        with self._found(conversation_id) as (connection, row):
            return loading.whole(connection, row)

    def all_whole(self) -> Iterator[WholeConversation]:
        """Return every conversation with everything in it, the oldest first, one in memory at a time."""
        with self._database.reading() as connection:
            found = connection.execute(
                "SELECT id FROM conversation WHERE deleted_at IS NULL ORDER BY created_at, key"
            ).fetchall()
        for row in found:
            yield self.whole(row["id"])

    def search(self, query: str, *, limit: int = 50, per_conversation: int = 3) -> list[SearchHit]:
        """Find messages and titles; see `query.parse_query` for what a query means.

        Args:
            query: As typed; any text is a right one.
            limit: Hits at most.
            per_conversation: Messages of one conversation at most.
        """
        with self._database.reading() as connection:
            return searching.search(connection, query, limit, per_conversation)

    def usage(self, conversation_id: str | None = None) -> Usage:
        """Return the tokens of a conversation, or of all that are there."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0)"
                " FROM turn JOIN conversation ON key = conversation_key"
                " WHERE ? IS NULL OR conversation.id = ?",
                (conversation_id, conversation_id),
            ).fetchone()
            return Usage(*row)

    def items(self, conversation_id: str, *, turns: int = 1000) -> list[Item]:
        """Return the items of `remembered`."""
        return self.remembered(conversation_id, turns=turns).items

    def remembered(self, conversation_id: str, *, turns: int = 1000) -> Remembered:
        """Return what the language model is reminded of when a conversation goes on, for `History.load`.

        Args:
            conversation_id: Of the conversation.
            turns: The newest turns of these are enough; a summary in force stands ahead of them.
        """
        with self._found(conversation_id) as (connection, row):
            summary = compacting.in_force(connection, row["key"])
            after = summary.through_turn if summary else 0
            return remembered(loading.turns(connection, row["key"], after=after, limit=turns), summary)

    def recordings(self, conversation_id: str) -> list[Sound]:
        """Return the sound files of a conversation, by turn."""
        return self._sounds.of(conversation_id)

    def unnamed(self) -> FirstExchange | None:
        """Return the newest conversation whose title by its words could be replaced by a better one."""
        with self._database.reading() as connection:
            found = connection.execute(
                "SELECT key, id FROM conversation WHERE deleted_at IS NULL AND title_source = ?"
                " ORDER BY updated_at DESC LIMIT 20",
                (TitleSource.WORDS,),
            )
            for row in found.fetchall():
                for turn in loading.turns(connection, row["key"], before=4):
                    if turn.finished and turn.user_text and turn.reply_text:
                        return FirstExchange(row["id"], turn.user_text, turn.reply_text)
        return None

    # Changing

    def rename(self, conversation_id: str, title: str) -> None:
        """Give a conversation the title that the user wrote.

        Raises:
            AssistantError: BAD_REQUEST; nothing of the title can be seen.
        """
        title = clean_title(title)
        if not title:
            raise AssistantError(ErrorKind.BAD_REQUEST, "A title needs at least one letter, digit or sign.")
        with self._found(conversation_id, to_write=True) as (connection, row):
            saving.set_title(connection, row, title, TitleSource.USER)

    def name_by_model(self, conversation_id: str, title: str) -> bool:
        """Give a conversation the title that a language model wrote, unless the user has chosen one.

        Returns:
            Whether the title is used.
        """
        title = clean_title(title)
        with self._found(conversation_id, to_write=True) as (connection, row):
            if not title or row["title_source"] == TitleSource.USER:
                return False
            saving.set_title(connection, row, title, TitleSource.MODEL)
            return True

    def pin(self, conversation_id: str, pinned: bool) -> None:
        """Keep a conversation at the top, or no longer."""
        with self._found(conversation_id, to_write=True) as (connection, row):
            connection.execute("UPDATE conversation SET pinned = ? WHERE key = ?", (int(pinned), row["key"]))

    def belong(self, conversation_id: str, profile: str, persona: str) -> bool:
        """Remember profile and persona of a conversation.

        Returns:
            Whether they were others before.
        """
        with self._found(conversation_id, to_write=True) as (connection, row):
            changed = connection.execute(
                "UPDATE conversation SET profile = ?, persona = ?"
                " WHERE key = ? AND (profile, persona) != (?, ?)",
                (profile, persona, row["key"], profile, persona),
            )
            return changed.rowcount > 0

    def remove_turns(
        self, conversation_id: str, first: int, last: int | None = None, *, first_id: int | None = None
    ) -> tuple[int, ...]:
        """Remove turns, with their recordings and the summaries that may say what they said.

        A title that was taken from their words becomes that of the first turn that is left. Traces of words
        stay in the file until `forget_removed`.

        Args:
            conversation_id: Of the conversation.
            first: Number of the first of them.
            last: Number of the last of them; None removes all that follow too.
            first_id: Id of the first one, where it is known (`Recorder.turn_id`). It counts more than the
                number: where two windows talk in one conversation, a turn is saved under another number.

        Returns:
            Their numbers, as they were saved.
        """
        with self._found(conversation_id, to_write=True) as (connection, row):
            offset = saving.number_of(connection, first_id, first) - first
            numbers = removing.remove_turns(
                connection, row, first + offset, None if last is None else last + offset
            )
        try:
            self._sounds.remove_turns(conversation_id, numbers)
        except OSError as error:
            raise faults.sentence_for(error, self._sounds.folder) from error
        return numbers

    def forget_removed(self) -> None:
        """Let nothing of removed turns stay in the file; takes seconds in a file of 100,000 messages."""
        removing.forget(self._database)

    def last_number(self, conversation_id: str) -> int:
        """Return the number of the newest turn; 0 without any."""
        with self._found(conversation_id) as (connection, row):
            return saving.next_number(connection, row["key"]) - 1

    def delete(self, conversation_id: str) -> None:
        """Take a conversation out of lists and search. `purge_deleted` removes it for good."""
        with self._found(conversation_id, to_write=True) as (connection, row):
            connection.execute(
                "UPDATE conversation SET deleted_at = ? WHERE key = ?", (self._at(), row["key"])
            )

    def undo_delete(self, conversation_id: str) -> None:
        """Bring a deleted conversation back as it was."""
        with self._database.writing() as connection:
            found = connection.execute(
                "UPDATE conversation SET deleted_at = NULL WHERE id = ?", (conversation_id,)
            )
            if not found.rowcount:
                raise AssistantError(ErrorKind.NOT_FOUND, "This conversation has been removed for good.")

    def purge_deleted(self, older_than_s: float = UNDO_S) -> int:
        """Remove conversations for good that were deleted before that many seconds; nothing of them stays.

        Returns:
            How many were removed.
        """
        return removing.purge(self._database, self._sounds, self._at() - round(older_than_s * 1000))

    def wipe(self) -> None:
        """Remove all conversations and recordings for good, and damaged files that were set aside."""
        removing.wipe(self._database, self._sounds)

    def add(self, whole: WholeConversation) -> Conversation | None:
        """Add a conversation from elsewhere. Where another one has its id, it gets a new one.

        Returns:
            The conversation as it is here; None when exactly this one is here already.
        """
        with self._database.writing() as connection:
            same = connection.execute(
                "SELECT * FROM conversation WHERE id = ?", (whole.conversation.id,)
            ).fetchone()
            if same is not None:
                if same["deleted_at"] is None and loading.whole(connection, same) == whole:
                    return None
                whole = replace(whole, conversation=replace(whole.conversation, id=uuid4().hex))
            saving.add_whole(connection, whole)
            return whole.conversation

    # Compaction

    def compactions(self, conversation_id: str) -> tuple[Compaction, ...]:
        """Return the compactions of a conversation, oldest first, also those that were undone."""
        with self._found(conversation_id) as (connection, row):
            return loading.compactions(connection, row["key"])

    def compact(self, conversation_id: str, user: str, assistant: str, *, keep: int) -> Compaction | None:
        """Let a summary stand for the older turns from now on. The turns stay; see `undo_compaction`.

        Args:
            conversation_id: Of the conversation.
            user: What the user said and wants.
            assistant: What the assistant answered.
            keep: How many of the newest turns stay as they are, counted as `History` counts them.

        Returns:
            None when there are no older turns.
        """
        with self._found(conversation_id, to_write=True) as (connection, row):
            return compacting.compact(connection, row["key"], user, assistant, keep, self._at())

    def undo_compaction(self, conversation_id: str) -> bool:
        """Take the newest summary back: `items` gives the turns again (or an older summary).

        Returns:
            False when there is none.
        """
        with self._found(conversation_id, to_write=True) as (connection, row):
            return compacting.undo(connection, row["key"])

    # Care

    def tidy(self) -> None:
        """Do what the end of the app may have left undone, and look for damage. Call it once at the start."""
        self.purge_deleted()
        with self._database.writing() as connection:
            search_index.add_missing(connection)
        self._database.check()

    @contextmanager
    def _found(
        self, conversation_id: str, *, to_write: bool = False
    ) -> Iterator[tuple[sqlite3.Connection, sqlite3.Row]]:
        transaction = self._database.writing() if to_write else self._database.reading()
        with transaction as connection:
            yield connection, loading.conversation_row(connection, conversation_id)

    def _at(self) -> int:
        return round(self._now() * 1000)
