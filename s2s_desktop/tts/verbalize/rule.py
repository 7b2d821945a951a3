"""What a rule is, and the edges of words that rules share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

_LATIN = "0-9A-Za-zÀ-ɏ"
LEFT = rf"(?<![\d{_LATIN}])"
RIGHT = rf"(?![\d{_LATIN}])"
"""No Latin letter or digit here: scripts without spaces may touch a number."""


CALCULATES = re.compile(r"[=×÷√≤≥≈^]|[\dxy)]\s?[+*]\s?[\dxy(]")
"""In a text with one of these a dash subtracts, "7/4" is a fraction and "1984" is no year."""

Say: TypeAlias = Callable[[re.Match[str]], str | None]


class Rule(NamedTuple):
    """Rewrites what its pattern finds; `say` returns None to leave it to later rules."""

    pattern: re.Pattern[str]
    say: Say


def compiled(patterns: Iterable[tuple[str, Say]]) -> list[Rule]:
    """Return the rules of patterns."""
    return [Rule(re.compile(pattern), say) for pattern, say in patterns]


def alternatives(words: Iterable[str]) -> str:
    """Return a pattern that finds the longest of the words."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
