"""Writing small files so that a crash, a full disk or a power cut leaves the old content or the new one."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

PRIVATE = 0o600
"""Readable and writable by the user alone."""


def write_atomically(path: Path, content: str | bytes, mode: int | None = None) -> None:
    """Replace the content of a file.

    A symbolic link stays one: the file it points to is replaced.

    Args:
        path: The file; folders above it are made.
        content: Text is written as UTF-8.
        mode: Permissions; None keeps those of the old file, `PRIVATE` for a new one. Windows ignores them.

    Raises:
        OSError: It could not be written; the old content is untouched.
    """
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    if mode is None:
        mode = target.stat().st_mode & 0o777 if target.exists() else PRIVATE
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the rename last through a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
