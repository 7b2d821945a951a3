"""Removes conversations so that nothing of them can be read from the files any more.

What file systems and disks keep of bytes that were overwritten or given back is beyond the reach of an app.
"""

from __future__ import annotations

from s2s_desktop.conversation.store import faults, salvage, saving, search_index
from s2s_desktop.conversation.store.database import Database
from s2s_desktop.conversation.store.sound_files import SoundFiles
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
