"""A voice as two choices and a share, where it is that simple."""

from __future__ import annotations

import re
from dataclasses import dataclass

SHARES = 10
"""The share of the second voice goes in tenths."""

_ONE = re.compile(r"\s*(\w+)\s*(?:\(\s*(\d+(?:\.\d+)?)\s*\))?\s*")


@dataclass(frozen=True, slots=True)
class Blend:
    """One voice, or two.

    Attributes:
        first: Name of the voice; the whole text where it is a blend that two choices cannot show.
        second: "" for none.
        share: Of the second voice, in tenths, 1..9.
    """

    first: str
    second: str = ""
    share: int = SHARES // 2

    @property
    def plain(self) -> bool:
        """Whether `first` is a single voice."""
        return "+" not in self.first and "(" not in self.first

    def __str__(self) -> str:
        """Return what the settings store."""
        if not self.second or self.second == self.first:
            return self.first
        return f"{self.first}({SHARES - self.share})+{self.second}({self.share})"


def parse_blend(voice: str) -> Blend:
    """Return the voice of the settings as two choices."""
    found = [_ONE.fullmatch(part) for part in voice.split("+")]
    names = [match.group(1) for match in found if match]
    if len(names) != len(found) or len(names) > 2:
        return Blend(voice)
    if len(names) == 1:
        return Blend(names[0])
    first, second = (float(match.group(2) or 1) for match in found if match)
    total = first + second
    share = round(SHARES * second / total) if total > 0 else SHARES // 2
    return Blend(names[0], names[1], min(max(share, 1), SHARES - 1))
