"""Signs that have a name: + − × = ≤ √ % & @ and others, and those that stand for a relation at times."""

from __future__ import annotations

import re

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import CALCULATES, Rule, Say, compiled
from s2s_desktop.tts.verbalize.wording import Wording

_COMPARISONS = {"<=": "≤", ">=": "≥", "!=": "≠", "==": "="}


class Symbols:
    """Rules for single signs."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._wording = wording
        self._words = wording.words

    def rules(self) -> list[Rule]:
        """Return them."""
        digit, number = r"[\d%°€]", r"[\d$€£¥₹]"
        latin = "[A-Za-z0-9]"
        # Without a mark of its own, "·" parts items and "*" is a star.
        only_between = {"·", "~", "<", ">"}
        symbols = "".join(sign for sign in self._wording.symbols if sign not in only_between)
        patterns = (
            (r"(?<=\d),(?=\d)", lambda _: ", "),
            (
                rf"(?<=\S)–(?={number})|(?<={digit})\s?[–—~]\s?(?={number})|(?<={digit})-(?={number})",
                self._say_range,
            ),
            (r"(?<=[\w)²³]) - (?=[\w($])", self._say_spaced_dash),
            (rf"(?<![\w)\]-])-(?={number}|π)", self._word(self._words.minus)),
            (r"(?<=[\d)])\s?[x×]\s?(?=\d)", self._say_by),
            (r"(?<=[\d)\w])\s?[*·]\s?(?=[\d(])", self._word(self._words.multiply)),
            (rf"(?<={latin})\.(?=[a-z])", self._word(self._words.dot)),
            (r"(?<=[\d$€£¥₹])/(?=[^\W\d])", self._word(self._words.per)),
            (r"(?<!\w)/(?=[A-Za-z])", self._word(self._words.slash)),
            (r"(?<=[^\W\d])/(?=[^\W\d])|(?<=\w)_(?=\w)", lambda _: " "),
            (
                r"(?<!\S)[<>](?!\S)|(?<=[\w)])[<>](?=[\w(])|~(?=[\d$€£¥₹])|(?<=[\w)]) [·] (?=[\w(])",
                self._say_symbol,
            ),
            (r"[<>!=]=", self._say_compared),
            (rf"[{re.escape(symbols)}]", self._say_symbol),
        )
        return compiled(patterns)

    def _word(self, word: str) -> Say:
        said = self._apart(word)
        return lambda _: said

    def _apart(self, word: str) -> str:
        """Put white space around a word, in languages that have some."""
        return word if self._wording.code in ("ja", "zh") else f" {word} "

    def _say_range(self, found: re.Match[str]) -> str:
        """Say a range; the same dash subtracts in a calculation."""
        calculates = found[0] == "-" and CALCULATES.search(found.string)
        return self._minus() if calculates else self._apart(self._words.to)

    def _say_spaced_dash(self, found: re.Match[str]) -> str | None:
        if CALCULATES.search(found.string):
            return self._minus()
        between_numbers = found.string[found.start() - 1].isdigit() and found.string[found.end()].isdigit()
        return self._apart(self._words.to) if between_numbers else None

    def _minus(self) -> str:
        return self._apart(self._words.subtract or self._words.minus)

    def _say_by(self, found: re.Match[str]) -> str:
        calculates = "×" in found[0] or CALCULATES.search(found.string)
        return self._apart(self._words.multiply if calculates else self._words.by)

    def _say_compared(self, found: re.Match[str]) -> str:
        """Say a comparison as programs write it."""
        return self._apart(self._wording.symbols[_COMPARISONS[found[0]]])

    def _say_symbol(self, found: re.Match[str]) -> str:
        return self._apart(self._wording.symbols.get(found[0].strip(), ""))
