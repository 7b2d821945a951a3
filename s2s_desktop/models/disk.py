"""The disk: room for a download, moving a file into place, and what goes wrong, in one sentence."""

from __future__ import annotations

import errno
import math
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.paths import HOME_VARIABLE

SPARE_BYTES = 64 << 20
"""Left free for the rest of the system: a full disk harms more than our download."""

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def in_words(size: int) -> str:
    """Return a size for people, in the decimal units that disks and download pages use."""
    if size < 1_000_000:
        return f"{math.ceil(size / 1e3)} kB"
    if size < 1_000_000_000:
        return f"{round(size / 1e6)} MB"
    return f"{size / 1e9:.1f} GB"


def require_space(needs: Mapping[Path, int]) -> None:
    """Check that there is room for a download before it begins.

    Args:
        needs: Bytes still to be written by folder. The folders need not exist yet.

    Raises:
        AssistantError: `model_missing`, naming the folder that is too full.
    """
    by_device: dict[int, tuple[Path, int]] = {}
    for folder, size in needs.items():
        existing = _nearest_existing(folder)
        device = existing.stat().st_dev
        first, known = by_device.get(device, (existing, 0))
        by_device[device] = (first, known + size)
    for existing, size in by_device.values():
        free = shutil.disk_usage(existing).free
        if size and free < size + SPARE_BYTES:
            raise AssistantError(
                ErrorKind.MODEL_MISSING,
                f"There is not enough room on the disk: {in_words(size + SPARE_BYTES)} are needed and"
                f" {in_words(free)} are free in {existing}. {_ROOM_ADVICE}",
            )


@contextmanager
def storage_errors(folder: Path) -> Iterator[None]:
    """Turn an `OSError` of the block into one clear sentence.

    Args:
        folder: The folder that is written, for the sentence.

    Raises:
        AssistantError: `model_missing` when the block raised `OSError`.
    """
    try:
        yield
    except OSError as error:
        raise _storage_error(error, folder) from error


def put_in_place(source: Path, target: Path) -> None:
    """Move a complete file to its final name, so that the name never holds a part of it.

    Raises:
        OSError: The file cannot be moved; `target` is as it was.
    """
    _flush(source)
    try:
        os.replace(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # Downloads and models are on different disks: copy beside the target, then rename there.
        beside = target.with_name(f".{target.name}.incoming")
        shutil.copyfile(source, beside)
        _flush(beside)
        os.replace(beside, target)
        source.unlink()


_ROOM_ADVICE = f"Free some room, or set {HOME_VARIABLE} to a folder on a larger disk, and try again."


def _flush(path: Path) -> None:
    # A rename can reach the disk before the data does; after a power cut the name would hold zeros.
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _nearest_existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.parents) if path.exists())


def _storage_error(error: OSError, folder: Path) -> AssistantError:
    if error.errno in _FULL:
        message = f"The disk that holds {folder} is full. {_ROOM_ADVICE}"
    elif getattr(error, "winerror", None) == 32:  # ERROR_SHARING_VIOLATION
        message = f"A file in {folder} is in use by another program. Close it and try again."
    else:
        reason = error.strerror or type(error).__name__
        message = (
            f"The folder {folder} cannot be written ({reason.lower()}). Make it writable, or set"
            f" {HOME_VARIABLE} to a folder of your own, and try again."
        )
    return AssistantError(ErrorKind.MODEL_MISSING, message, repr(error))
