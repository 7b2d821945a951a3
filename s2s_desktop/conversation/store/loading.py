"""Reads conversations from the tables."""

from __future__ import annotations

import sqlite3

from s2s_desktop.conversation.store import rows
from s2s_desktop.conversation.store.records import Compaction, Message, SavedTurn, WholeConversation
from s2s_desktop.errors import AssistantError, ErrorKind

_NO_LIMIT = -1


def conversation_row(connection: sqlite3.Connection, conversation_id: str) -> sqlite3.Row:
    """Return the row of a conversation that is not deleted.

    Raises:
        AssistantError: NOT_FOUND.
    """
    row: sqlite3.Row | None = connection.execute(
        "SELECT * FROM conversation WHERE id = ? AND deleted_at IS NULL", (conversation_id,)
    ).fetchone()
    if row is None:
        raise AssistantError(ErrorKind.NOT_FOUND, "This conversation is no longer there.")
    return row


def turns(
    connection: sqlite3.Connection,
    conversation_key: int,
    *,
    before: int | None = None,
    after: int = 0,
    limit: int = _NO_LIMIT,
) -> tuple[SavedTurn, ...]:
    """Return the newest turns of a conversation between two numbers, oldest first."""
    found = connection.execute(
        "SELECT * FROM turn WHERE conversation_key = ? AND number > ? AND (? IS NULL OR number < ?)"
        " ORDER BY number DESC LIMIT ?",
        (conversation_key, after, before, before, limit),
    ).fetchall()
    found.reverse()
    return tuple(rows.turn_of(row, _messages(connection, row["id"])) for row in found)


def compactions(connection: sqlite3.Connection, conversation_key: int) -> tuple[Compaction, ...]:
    """Return the compactions of a conversation, oldest first."""
    found = connection.execute(
        "SELECT * FROM compaction WHERE conversation_key = ? ORDER BY number", (conversation_key,)
    )
    return tuple(rows.compaction_of(row) for row in found)


def whole(connection: sqlite3.Connection, row: sqlite3.Row) -> WholeConversation:
    """Return everything about the conversation of a row."""
    key = row["key"]
    return WholeConversation(rows.conversation_of(row), turns(connection, key), compactions(connection, key))


def _messages(connection: sqlite3.Connection, turn_id: int) -> list[Message]:
    found = connection.execute("SELECT * FROM message WHERE turn_id = ? ORDER BY part", (turn_id,))
    return [rows.message_of(row) for row in found]
