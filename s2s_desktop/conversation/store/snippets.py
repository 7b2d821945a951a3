"""A short piece of a text around what was searched for, with the places to highlight."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from s2s_desktop.conversation.store.query import Phrase
from s2s_desktop.conversation.store.search_text import folded, folded_with_origins

_BEFORE = 40
_LENGTH = 160
_ELLIPSIS = "…"


class Snippet(NamedTuple):
    """A piece of text on one line.

    Attributes:
        text: Plain text: nothing in it is markup.
        highlights: Half-open ranges of `text`, in order, not touching each other. They count characters
            (code points) as Python does; Qt counts UTF-16 units.
    """

    text: str
    highlights: tuple[tuple[int, int], ...]


def make_snippet(text: str, phrases: Sequence[Phrase]) -> Snippet:
    """Return the surroundings of the first match, or the beginning where nothing matches."""
    found = find_all(text, phrases)
    start = max(0, found[0][0] - _BEFORE) if found else 0
    end = min(len(text), start + _LENGTH)
    start, end = _at_words(text, start, end, keep=found[0] if found else (0, 0))
    before = _ELLIPSIS if start else ""
    after = _ELLIPSIS if end < len(text) else ""
    shift = len(before) - start
    inside = ((max(a, start) + shift, min(b, end) + shift) for a, b in found if a < end and b > start)
    return Snippet(before + _one_line(text[start:end]) + after, tuple(inside))


def find_all(text: str, phrases: Sequence[Phrase]) -> list[tuple[int, int]]:
    """Return where phrases stand in a text: half-open ranges, in order, overlaps joined."""
    plain, origins = folded_with_origins(text)
    ranges = sorted(
        (origins[match.start()], _with_marks(text, origins[match.end() - 1] + 1))
        for phrase in phrases
        for match in phrase.pattern.finditer(plain)
    )
    joined: list[tuple[int, int]] = []
    for start, end in ranges:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _with_marks(text: str, end: int) -> int:
    """Move an end behind the accents of its last letter."""
    while end < len(text) and not folded(text[end]):
        end += 1
    return end


def _at_words(text: str, start: int, end: int, keep: tuple[int, int]) -> tuple[int, int]:
    """Move both ends of a piece to a gap between words, where one is near."""
    if start:
        gap = text.find(" ", start, min(start + 20, keep[0]))
        start = gap + 1 if gap >= 0 else start
    if end < len(text):
        gap = text.rfind(" ", max(end - 20, keep[1]), end)
        end = gap if gap >= 0 else end
    return start, end


def _one_line(text: str) -> str:
    """Replace line ends and control characters, each by one space: the highlights must stay in place."""
    return "".join(" " if unicodedata.category(char) in _BREAKS else char for char in text)


_BREAKS = ("Cc", "Zl", "Zp")
