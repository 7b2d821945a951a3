"""Which C library a bundle needs: that of the oldest distribution it runs on."""

from __future__ import annotations

import mmap
import re
from pathlib import Path

from bundle.stripping import libraries

_SYMBOL = re.compile(rb"GLIBC_2\.(\d+)\x00")


def needed(folder: Path) -> str:
    """Return the newest version of glibc that a library below a folder names, such as `2.34`."""
    newest = 0
    for path in libraries(folder):
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            newest = max([newest, *(int(found) for found in _SYMBOL.findall(data))])
    return f"2.{newest}"
