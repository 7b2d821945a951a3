"""The tables, and how a file of an older version becomes one of this version."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

Migration = Callable[[sqlite3.Connection], None]


def _first_tables(connection: sqlite3.Connection) -> None:
    for statement in _FIRST_TABLES:
        connection.execute(statement)


_FIRST_TABLES = (
    """CREATE TABLE conversation (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        title TEXT NOT NULL,
        title_source TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        pinned INTEGER NOT NULL,
        profile TEXT NOT NULL,
        persona TEXT NOT NULL,
        language TEXT NOT NULL,
        deleted_at INTEGER
    )""",
    "CREATE INDEX conversation_by_date ON conversation (deleted_at, pinned, updated_at)",
    # The id is made up before the turn is written: writing it once more changes nothing.
    """CREATE TABLE turn (
        id INTEGER PRIMARY KEY,
        conversation_key INTEGER NOT NULL REFERENCES conversation (key) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        spoken INTEGER NOT NULL,
        voiced INTEGER NOT NULL,
        heard TEXT NOT NULL,
        interrupted INTEGER NOT NULL,
        finished INTEGER NOT NULL,
        failure_kind TEXT,
        failure TEXT,
        notice TEXT NOT NULL,
        profile TEXT NOT NULL,
        language TEXT NOT NULL,
        input_tokens INTEGER,
        output_tokens INTEGER,
        metrics TEXT,
        speech_start INTEGER,
        speech_end INTEGER,
        voice_start INTEGER,
        voice_end INTEGER,
        UNIQUE (conversation_key, number)
    )""",
    """CREATE TABLE message (
        id INTEGER PRIMARY KEY,
        turn_id INTEGER NOT NULL REFERENCES turn (id) ON DELETE CASCADE,
        part INTEGER NOT NULL,
        role TEXT NOT NULL,
        text TEXT NOT NULL,
        call_id TEXT,
        tool_name TEXT,
        arguments TEXT,
        output TEXT,
        indexed INTEGER NOT NULL DEFAULT 0,
        UNIQUE (turn_id, part)
    )""",
    "CREATE INDEX message_to_index ON message (id) WHERE indexed = 0",
    """CREATE TABLE compaction (
        conversation_key INTEGER NOT NULL REFERENCES conversation (key) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        through_turn INTEGER NOT NULL,
        user_summary TEXT NOT NULL,
        assistant_summary TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        undone INTEGER NOT NULL,
        PRIMARY KEY (conversation_key, number)
    ) WITHOUT ROWID""",
    # No copy of the text: the index is given the search form (search_text.py), which SQLite cannot make. Rows
    # of messages have the id of the message, rows of titles the negative key of the conversation.
    """CREATE VIRTUAL TABLE search USING fts5 (
        text, content='', columnsize=0, tokenize='ascii', prefix='1 2 3'
    )""",
)

MIGRATIONS: Sequence[Migration] = (_first_tables,)
"""What brings a file of version n to version n + 1, by n. `PRAGMA user_version` holds the version."""
