"""Roman numerals, where the word next to them says that they are some: World War II, siglo XX, Henry VIII."""

from __future__ import annotations

import re

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import Rule, Say, alternatives, compiled
from s2s_desktop.tts.verbalize.wording import Wording

_ROMAN = r"(?P<roman>(?=[IVXL])(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3}))"
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}
_LARGEST_SPANISH_RANK = 10
"""Kings and popes beyond the tenth are counted, not ranked: Alfonso trece."""


class RomanNumerals:
    """Rules for Roman numerals."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._wording = wording
        self._reader = reader

    def rules(self) -> list[Rule]:
        """Return them."""
        wording = self._wording
        patterns: list[tuple[str, Say]] = []
        if wording.numbered:
            words = alternatives(wording.numbered)
            patterns.append((rf"\b(?P<word>{words}) {_ROMAN}(?![\w’'])", self._say_number))
        if wording.monarchs:
            names = alternatives(wording.monarchs)
            dot = r"(?:\.(?=\s+[a-zäöü]))?" if wording.code == "de" else ""
            patterns.append((rf"\b(?P<word>{names}) {_ROMAN}{dot}(?![\w’'])", self._say_rank))
        if wording.code == "fr":
            patterns.append(
                (
                    rf"\b{_ROMAN}(?:e|er|ème)(?=\s+(?:siècle|République|Reich|arrondissement))",
                    self._say_ordinal,
                )
            )
            patterns.append(
                (rf"\b(?P<word>{alternatives(wording.numbered)}) (?P<roman>I)er\b", self._say_first)
            )
        if wording.code == "it":
            patterns.append((rf"\b{_ROMAN}(?=\s+secolo)", self._say_ordinal))
        return compiled(patterns)

    def _say_number(self, found: re.Match[str]) -> str:
        return f"{found['word']} {self._reader.cardinal(_value(found['roman']))}"

    def _say_ordinal(self, found: re.Match[str]) -> str:
        value = _value(found["roman"])
        return "premier" if value == 1 and self._wording.code == "fr" else self._reader.ordinal(value)

    def _say_first(self, found: re.Match[str]) -> str:
        return f"{found['word']} premier"

    def _say_rank(self, found: re.Match[str]) -> str | None:
        value, code = _value(found["roman"]), self._wording.code
        if code == "en" and value == 1 and re.match(r"\s+[a-z]", found.string[found.end() :]):
            return None  # "as Charles I think"
        if code in ("es", "pt") and value > _LARGEST_SPANISH_RANK:
            return self._say_number(found)
        rank = self._reader.ordinal(value)
        if code in ("es", "pt") and found["word"].endswith(("bel", "beth")):
            rank = re.sub(r"o\b", "a", rank)
        article = {"en": "the ", "de": "der "}.get(code, "")
        return f"{found['word']} {article}{rank.capitalize() if code == 'de' else rank}"


def _value(roman: str) -> int:
    values = [_VALUES[sign] for sign in roman]
    return sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))
