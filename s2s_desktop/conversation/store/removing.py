"""Removes conversations so that nothing of them can be read from the files any more.

What file systems and disks keep of bytes that were overwritten or given back is beyond the reach of an app.
"""

from __future__ import annotations

import sqlite3

from s2s_desktop.conversation.store import faults, loading, salvage, saving, search_index
from s2s_desktop.conversation.store.database import Database
from s2s_desktop.conversation.store.records import TitleSource
from s2s_desktop.conversation.store.sound_files import SoundFiles
from s2s_desktop.conversation.store.titles import title_by_words
from s2s_desktop.errors import AssistantError, ErrorKind


def purge(database: Database, sounds: SoundFiles, deleted_before: int) -> int:
    """Remove the conversations that were deleted before a moment, with their recordings.

    Returns:
        How many.

    Raises:
        AssistantError: INTERNAL; something cannot be removed.
    """
    with database.writing() as connection:
        found = connection.execute(
            "SELECT * FROM conversation WHERE deleted_at <= ?", (deleted_before,)
        ).fetchall()
        for row in found:
            # The recordings first: nothing would lead to them later.
            try:
                sounds.remove(row["id"])
            except OSError as error:
                raise faults.sentence_for(error, sounds.folder / row["id"]) from error
            saving.remove_conversation(connection, row)
        if found:
            search_index.merge(connection)
    if found:
        database.checkpoint(shorten=True)
    return len(found)


def remove_turns(
    connection: sqlite3.Connection, conversation: sqlite3.Row, first: int, last: int | None
) -> tuple[int, ...]:
    """Remove turns of a conversation; see `Library.remove_turns`.

    Their recordings are the caller's, and so is `forget`, which takes seconds where there is much to search.
    """
    key = conversation["key"]
    found = connection.execute(
        "SELECT id, number FROM turn WHERE conversation_key = ? AND number >= ?"
        " AND (? IS NULL OR number <= ?) ORDER BY number",
        (key, first, last, last),
    ).fetchall()
    if not found:
        return ()
    had_first = not loading.turns(connection, key, before=found[0]["number"], limit=1)
    for turn in found:
        saving.remove_turn(connection, turn["id"])
    connection.execute(
        "DELETE FROM compaction WHERE conversation_key = ? AND through_turn >= ?", (key, found[0]["number"])
    )
    if had_first and conversation["title_source"] != TitleSource.USER:
        rest = loading.turns(connection, key)[:1]
        title = title_by_words(rest[0].user_text, rest[0].reply_text) if rest else ""
        saving.set_title(connection, conversation, title, TitleSource.WORDS)
    return tuple(turn["number"] for turn in found)


def forget(database: Database) -> None:
    """Write the index anew without words that were taken out, and empty the log of them.

    Raises:
        AssistantError: INTERNAL; the file cannot be written.
    """
    with database.writing() as connection:
        search_index.merge(connection)
    database.checkpoint(shorten=True)


def wipe(database: Database, sounds: SoundFiles) -> None:
    """Remove everything.

    Raises:
        AssistantError: INTERNAL; something cannot be removed, or another window still reads it.
    """
    try:
        # The files first: that makes room for the rest on a full disk.
        sounds.clear()
        for path in salvage.set_aside_files(database.path):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise faults.sentence_for(error, database.path) from error
    with database.writing() as connection:
        search_index.clear(connection)
        connection.execute("DELETE FROM conversation")
    if not database.rebuild_file():
        raise AssistantError(
            ErrorKind.INTERNAL,
            "All conversations are deleted, but another window still reads the file, which therefore holds"
            " traces of them. Close it and wipe again.",
        )
