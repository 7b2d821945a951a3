"""Names for exported files that every system takes."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

_MAX_BYTES = 120
_FORBIDDEN = frozenset('<>:"/\\|?*')
_PORTS = (f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³")
_DEVICES = frozenset(("con", "prn", "aux", "nul", "conin$", "conout$", *_PORTS))
"""Names that Windows keeps for itself, with any ending."""


def safe_name(title: str, fallback: str) -> str:
    """Return a file name without ending, made from a title: no folder, no command, no device.

    Args:
        title: Any text.
        fallback: Used when nothing of the title is left.
    """
    kept = "".join(
        " " if char.isspace() or char in _FORBIDDEN or unicodedata.category(char)[0] in "CZ" else char
        for char in unicodedata.normalize("NFC", title)
    )
    # Leading dots hide files, leading dashes are options, trailing dots are dropped by Windows.
    name = _shortened(" ".join(kept.split()).lstrip(".- ~")).rstrip(". ")
    if not name:
        return fallback
    return f"{name}_" if name.split(".")[0].strip().lower() in _DEVICES else name


def unique_name(name: str, taken: Collection[str]) -> str:
    """Return `name`, with a number where it is taken already, also in other letter case.

    Args:
        name: Without ending.
        taken: Names in lower case.
    """
    candidate, number = name, 1
    while candidate.casefold() in taken:
        number += 1
        candidate = f"{name} ({number})"
    return candidate


def _shortened(name: str) -> str:
    return name.encode()[:_MAX_BYTES].decode("utf-8", "ignore")
