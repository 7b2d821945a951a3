"""How sizes are written for people."""

from __future__ import annotations

_STEP = 1000


def size_in_words(size: int) -> str:
    """Return a number of bytes with a unit of powers of 1000, as file managers show it."""
    value = float(size)
    for unit in ("B", "kB", "MB"):
        if round(value) < _STEP:
            return f"{value:.0f} {unit}"
        value /= _STEP
    return f"{value:.1f} GB"
