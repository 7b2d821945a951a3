"""Copies the program for a package without copying its bytes."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def linked_copy(source: Path, target: Path) -> None:
    """Make a copy of a folder whose files are hard links to those of the source.

    Whoever changes a file in the copy must replace it: writing into it would change the source.
    """
    shutil.copytree(source, target, symlinks=True, copy_function=_link)


def set_times(folder: Path, when: int) -> None:
    """Give everything below a folder the same time, in seconds since 1970, so that two builds are alike."""
    for path in [folder, *folder.rglob("*")]:
        os.utime(path, (when, when), follow_symlinks=False)


def _link(source: str, target: str) -> None:
    os.link(source, target, follow_symlinks=False)
