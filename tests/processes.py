"""The processes that a program has started, seen from outside while some of them end."""

from __future__ import annotations

import psutil


def children_running(text: str, parent: psutil.Process | None = None) -> list[psutil.Process]:
    """Return the children, and theirs, in whose command line a text stands; of this process unless told.

    One that is starting or ending has no command line to read and is none of them.
    """
    found = []
    for child in (parent or psutil.Process()).children(recursive=True):
        try:
            if any(text in argument for argument in child.cmdline()):
                found.append(child)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found
