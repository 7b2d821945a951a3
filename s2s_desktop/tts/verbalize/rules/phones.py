"""Telephone numbers and other codes in groups of digits: 555-1234, +1 555 123 4567, 06 12 34 56 78."""

from __future__ import annotations

import re

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import LEFT, RIGHT, Rule, compiled
from s2s_desktop.tts.verbalize.wording import Wording

_FEWEST = 7
_FEWEST_BARE = 9
"""Digits of the shortest telephone number, and of the shortest one that nothing else marks."""


class Phones:
    """Rules for groups of digits that are no numbers."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._reader = reader
        self._plus = wording.symbols["+"]
        self._pause = "、" if wording.code in ("ja", "zh") else ", "

    def rules(self) -> list[Rule]:
        """Return them."""
        start = rf"{LEFT}(?<!\d[.,:])(?<![/$€£¥-])"
        group = r"(?:\(\d{1,5}\)|\d{1,8})"
        groups = rf"{start}\+?{group}(?:[ .-]{{1,2}}{group})+{RIGHT}(?![-.,]\d)"
        isbn = rf"{start}\d+(?:-\d+){{3,}}{RIGHT}"
        local = rf"{start}\d{{3}}-\d{{4}}{RIGHT}(?!-\d)"
        return compiled([(groups, self._say_if_phone), (isbn, self._say), (local, self._say)])

    def _say_if_phone(self, found: re.Match[str]) -> str | None:
        """Say it when it cannot be a list of numbers, a large number or a range of years."""
        written = found[0]
        first, *others = re.findall(r"\d+", written)
        digits = len(first) + sum(map(len, others))
        starts_like_one = written[0] in "+(" or (first.startswith("0") and len(first) > 1)
        has_dashes = "-" in written and len(others) > 1
        lengths = {len(group) for group in others}
        has_short_groups = len(others) > 2 and digits >= _FEWEST_BARE and lengths <= {2, 3} and lengths != {3}
        is_phone = digits >= _FEWEST and (starts_like_one or has_dashes or has_short_groups)
        return self._say(found) if is_phone and ".." not in written else None

    def _say(self, found: re.Match[str]) -> str:
        said = self._pause.join(self._reader.digits(group) for group in re.findall(r"\d+", found[0]))
        return self._reader.join(self._plus, said) if found[0].startswith("+") else said
