"""What SQLite says went wrong, in one sentence."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from s2s_desktop.errors import AssistantError, ErrorKind

_NO_ROOM_BYTES = 1 << 20
"""With less than this free, an unexplained failure to write is a full disk (the file of the WAL index)."""


def is_busy(error: sqlite3.Error) -> bool:
    """Tell whether another connection holds the file."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether the file is not what it should be."""
    return _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_index_damage(error: sqlite3.Error) -> bool:
    """Tell whether only the search index is not what it should be."""
    return getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_CORRUPT_VTAB


def sentence_for(error: sqlite3.Error | OSError, path: Path) -> AssistantError:
    """Return the error to raise in place of one of SQLite or of the system."""
    if isinstance(error, sqlite3.Error) and is_busy(error):
        text = "Another window or program is busy with the saved conversations. Try again in a moment."
    elif _disk_is_full(error, path):
        text = f"The disk is full, so conversations cannot be saved in {path.parent}. Make room there."
    elif isinstance(error, OSError) or _code(error) in _NO_ACCESS:
        text = (
            f"The conversations in {path.parent} cannot be opened or written. Check that the folder is there"
            " and that you may write to it."
        )
    else:
        text = f"The saved conversations in {path.parent} cannot be used right now. The log says why."
    return AssistantError(ErrorKind.INTERNAL, text, str(error))


def newer_schema(path: Path, version: int) -> AssistantError:
    """Return the refusal to touch the file of a newer app."""
    return AssistantError(
        ErrorKind.INTERNAL,
        "The saved conversations belong to a newer version of S2S Desktop. Update this one to see them;"
        " until then nothing is saved and they stay as they are.",
        f"{path}: version {version}",
    )


_UNEXPLAINED = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)
_NO_ACCESS = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _disk_is_full(error: sqlite3.Error | OSError, path: Path) -> bool:
    if isinstance(error, sqlite3.Error) and _code(error) == sqlite3.SQLITE_FULL:
        return True
    if isinstance(error, sqlite3.Error) and _code(error) not in _UNEXPLAINED:
        return False
    try:
        return shutil.disk_usage(path.parent).free < _NO_ROOM_BYTES
    except OSError:
        return False
