"""What to do with a damaged file: keep it under another name, and take over what can still be read."""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from s2s_desktop.conversation.store import loading, saving

_log = logging.getLogger(__name__)

_MARK = "-damaged-"


def set_aside(path: Path) -> Path:
    """Rename a database, with what it has not taken over from its write-ahead log.

    Returns:
        Where it is now.

    Raises:
        OSError: It cannot be renamed, for example because another process holds it (on Windows).
    """
    stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S-%f")
    aside = path.with_name(f"{path.stem}{_MARK}{stamp}{path.suffix}")
    # The log first: SQLite would play a log that stays behind into the new file.
    with suppress(FileNotFoundError):
        os.replace(_beside(path, "-wal"), _beside(aside, "-wal"))
    os.replace(path, aside)
    _beside(path, "-shm").unlink(missing_ok=True)
    return aside


def set_aside_files(path: Path) -> list[Path]:
    """Return the files that `set_aside` has left of a database."""
    return list(path.parent.glob(f"{path.stem}{_MARK}*"))


def salvage(aside: Path, connection: sqlite3.Connection) -> int:
    """Copy every conversation that can be read without an error.

    Args:
        aside: The damaged file; it is not changed.
        connection: To the new file, in a transaction that writes.

    Returns:
        How many conversations were copied.
    """
    copied = 0
    damaged = sqlite3.connect(f"{aside.absolute().as_uri()}?mode=ro", uri=True)
    damaged.row_factory = sqlite3.Row
    try:
        # One by one: what lies behind a damaged page is reached by its key.
        for key in _keys(damaged):
            connection.execute("SAVEPOINT copy")
            try:
                row = damaged.execute("SELECT * FROM conversation WHERE key = ?", (key,)).fetchone()
                if row is not None and row["deleted_at"] is None:
                    saving.add_whole(connection, loading.whole(damaged, row))
                    copied += 1
            except (sqlite3.DatabaseError, ValueError, TypeError, IndexError):
                _log.warning("a conversation of %s cannot be read", aside, exc_info=True)
                connection.execute("ROLLBACK TO copy")
            connection.execute("RELEASE copy")
    finally:
        damaged.close()
    _beside(aside, "-shm").unlink(missing_ok=True)
    log = _beside(aside, "-wal")
    if log.exists() and not log.stat().st_size:
        log.unlink()
    return copied


def _keys(damaged: sqlite3.Connection) -> list[int]:
    """Return the keys of all conversations that are found by one way or another."""
    keys: set[int] = set()
    for query in ("SELECT key FROM conversation", "SELECT conversation_key FROM turn"):
        with suppress(sqlite3.DatabaseError):
            for row in damaged.execute(query):
                keys.add(row[0])
    return sorted(keys)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
