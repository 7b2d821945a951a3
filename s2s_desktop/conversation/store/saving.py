"""Writes conversations into the tables. Whatever is written twice is there once."""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Mapping

from s2s_desktop.conversation.store import rows, search_index
from s2s_desktop.conversation.store.records import (
    Compaction,
    Conversation,
    Message,
    SavedTurn,
    TitleSource,
    WholeConversation,
)


def new_turn_id() -> int:
    """Return an id that no other turn has: the time, so that neighbors lie together, and chance."""
    return int(time.time() * 1000) << 20 | secrets.randbits(20)


def add_conversation(connection: sqlite3.Connection, conversation: Conversation) -> int:
    """Add a conversation and return its key. One with this id that is there already stays as it is."""
    values = rows.conversation_values(conversation)
    added = _insert(connection, "conversation", values, "ON CONFLICT (id) DO NOTHING")
    key: int = connection.execute("SELECT key FROM conversation WHERE id = ?", (conversation.id,)).fetchone()[
        "key"
    ]
    if added:
        search_index.add(connection, -key, conversation.title)
    return key


def set_title(connection: sqlite3.Connection, row: sqlite3.Row, title: str, source: TitleSource) -> None:
    """Give the conversation of a row another title."""
    search_index.remove(connection, -row["key"], row["title"])
    connection.execute(
        "UPDATE conversation SET title = ?, title_source = ? WHERE key = ?", (title, source, row["key"])
    )
    search_index.add(connection, -row["key"], title)


def add_whole(connection: sqlite3.Connection, whole: WholeConversation) -> None:
    """Add a conversation with everything in it. Its id must be new."""
    key = add_conversation(connection, whole.conversation)
    for turn in whole.turns:
        save_turn(connection, key, new_turn_id(), turn, turn.number)
    for compaction in whole.compactions:
        add_compaction(connection, key, compaction)


def save_turn(
    connection: sqlite3.Connection,
    conversation_key: int,
    turn_id: int,
    turn: SavedTurn,
    number: int = 0,
    *,
    complete: bool = True,
) -> None:
    """Add a turn or bring it up to date.

    Args:
        connection: In a transaction that writes.
        conversation_key: Of the conversation.
        turn_id: See `new_turn_id`; always the same for the same turn.
        turn: What is known of it by now.
        number: Of a new turn; one that is taken or passed (another window talks here too) gives the next.
        complete: False while the last message is being written: it is not searched yet.
    """
    values = {"id": turn_id, "conversation_key": conversation_key, **rows.turn_values(turn)}
    changed = ", ".join(f"{name} = excluded.{name}" for name in rows.turn_values(turn))
    number = max(number, next_number(connection, conversation_key))
    _insert(connection, "turn", {**values, "number": number}, f"ON CONFLICT (id) DO UPDATE SET {changed}")
    _save_messages(connection, turn_id, turn.messages, complete)


def add_compaction(connection: sqlite3.Connection, conversation_key: int, compaction: Compaction) -> None:
    """Add a compaction behind those that are there."""
    number = connection.execute(
        "SELECT coalesce(max(number), 0) + 1 FROM compaction WHERE conversation_key = ?", (conversation_key,)
    ).fetchone()[0]
    values = {
        "conversation_key": conversation_key,
        "number": number,
        "through_turn": compaction.through_turn,
        "user_summary": compaction.user_summary,
        "assistant_summary": compaction.assistant_summary,
        "created_at": compaction.created_at,
        "undone": int(compaction.undone),
    }
    _insert(connection, "compaction", values)


def remove_conversation(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    """Remove the conversation of a row and take its words out of the index."""
    messages = connection.execute(
        f"SELECT message.id, {search_index.SEARCHED} AS searched FROM message"  # noqa: S608 - a constant
        " JOIN turn ON turn.id = turn_id WHERE conversation_key = ? AND indexed = 1",
        (row["key"],),
    )
    for message in messages.fetchall():
        search_index.remove(connection, message["id"], message["searched"])
    search_index.remove(connection, -row["key"], row["title"])
    connection.execute("DELETE FROM conversation WHERE key = ?", (row["key"],))


def remove_turn(connection: sqlite3.Connection, turn_id: int) -> None:
    """Remove a turn and take its words out of the index."""
    messages = connection.execute(
        f"SELECT id, indexed, {search_index.SEARCHED} AS searched FROM message WHERE turn_id = ?",  # noqa: S608
        (turn_id,),
    )
    for message in messages.fetchall():
        _forget(connection, message)
    connection.execute("DELETE FROM turn WHERE id = ?", (turn_id,))


def _save_messages(
    connection: sqlite3.Connection, turn_id: int, messages: tuple[Message, ...], complete: bool
) -> None:
    known = {
        row["part"]: row
        for row in connection.execute(
            f"SELECT *, {search_index.SEARCHED} AS searched FROM message WHERE turn_id = ?",  # noqa: S608
            (turn_id,),
        )
    }
    for part in range(len(messages), len(known)):
        _forget(connection, known[part])
        connection.execute("DELETE FROM message WHERE id = ?", (known[part]["id"],))
    for part, message in enumerate(messages):
        row = known.get(part)
        if row is None or rows.message_of(row) != message:
            values: rows.Values = {
                "turn_id": turn_id,
                "part": part,
                **rows.message_values(message),
                "indexed": 0,
            }
            changed = ", ".join(f"{name} = excluded.{name}" for name in values)
            if row is not None:
                _forget(connection, row)
            _insert(connection, "message", values, f"ON CONFLICT (turn_id, part) DO UPDATE SET {changed}")
    if complete or len(messages) > 1:
        _index(connection, turn_id, len(messages) if complete else len(messages) - 1)


def _forget(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    if row["indexed"]:
        search_index.remove(connection, row["id"], row["searched"])


def _index(connection: sqlite3.Connection, turn_id: int, parts: int) -> None:
    """Put the first messages of a turn into the index, those that are not there yet."""
    found = connection.execute(
        f"SELECT id, {search_index.SEARCHED} AS searched FROM message"  # noqa: S608 - a constant
        " WHERE turn_id = ? AND part < ? AND indexed = 0",
        (turn_id, parts),
    ).fetchall()
    for row in found:
        search_index.add(connection, row["id"], row["searched"])
        connection.execute("UPDATE message SET indexed = 1 WHERE id = ?", (row["id"],))


def number_of(connection: sqlite3.Connection, turn_id: int | None, default: int) -> int:
    """Return the number of a turn; the default where it is not there."""
    row = connection.execute("SELECT number FROM turn WHERE id = ?", (turn_id,)).fetchone()
    return row["number"] if row else default


def next_number(connection: sqlite3.Connection, conversation_key: int) -> int:
    """Return the number after the newest turn."""
    number: int = connection.execute(
        "SELECT coalesce(max(number), 0) + 1 FROM turn WHERE conversation_key = ?", (conversation_key,)
    ).fetchone()[0]
    return number


def _insert(
    connection: sqlite3.Connection, table: str, values: Mapping[str, object], conflict: str = ""
) -> bool:
    """Insert a row; names of tables and columns are constants of this program."""
    names, places = ", ".join(values), ", ".join("?" for _ in values)
    statement = f"INSERT INTO {table} ({names}) VALUES ({places}) {conflict}"  # noqa: S608
    return connection.execute(statement, tuple(values.values())).rowcount > 0
