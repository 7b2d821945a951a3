"""The full-text index. It holds no text, so that whoever changes a text says what it was before."""

from __future__ import annotations

import sqlite3

from s2s_desktop.conversation.store.search_text import search_form

_BATCH = 500


def add(connection: sqlite3.Connection, row: int, text: str) -> None:
    """Put a text into the index; `row` is the id of a message or the negative key of a conversation."""
    if text:
        connection.execute("INSERT INTO search (rowid, text) VALUES (?, ?)", (row, search_form(text)))


def remove(connection: sqlite3.Connection, row: int, text: str) -> None:
    """Take a text out of the index. It must be the one that was put in."""
    if text:
        connection.execute(
            "INSERT INTO search (search, rowid, text) VALUES ('delete', ?, ?)", (row, search_form(text))
        )


def merge(connection: sqlite3.Connection) -> None:
    """Write the index anew without the words that were taken out: until then it only skips them."""
    connection.execute("INSERT INTO search (search) VALUES ('optimize')")


def clear(connection: sqlite3.Connection) -> None:
    """Take everything out."""
    connection.execute("INSERT INTO search (search) VALUES ('delete-all')")


def add_missing(connection: sqlite3.Connection) -> None:
    """Put in the messages that were still being written when the app ended."""
    query = f"SELECT id, {SEARCHED} AS searched FROM message WHERE indexed = 0 LIMIT ?"  # noqa: S608
    while rows := connection.execute(query, (_BATCH,)).fetchall():
        for row in rows:
            add(connection, row["id"], row["searched"])
        connection.executemany("UPDATE message SET indexed = 1 WHERE id = ?", [(row["id"],) for row in rows])


def rebuild(connection: sqlite3.Connection) -> None:
    """Make the index anew from the texts."""
    declaration = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'search'").fetchone()["sql"]
    connection.execute("DROP TABLE search")
    connection.execute(declaration)
    connection.execute("UPDATE message SET indexed = 0")
    add_missing(connection)
    for row in connection.execute("SELECT key, title FROM conversation").fetchall():
        add(connection, -row["key"], row["title"])


SEARCHED = (
    "CASE WHEN role = 'tool' THEN tool_name || ' ' || arguments || char(10) || coalesce(output, '')"
    " ELSE text END"
)
"""What of a message is searched, as SQL."""
