"""Fractions, years and all other numbers."""

from __future__ import annotations

import re
import unicodedata

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import CALCULATES, LEFT, RIGHT, Rule, compiled
from s2s_desktop.tts.verbalize.wording import Wording

_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"

_USUAL_PARTS = (16, 20, 32, 64, 100)
"""Denominators above ten that make a fraction of what could be a date or a pair."""

_MILLIONS = frozenset({"millón", "billón", "milione", "miliardo"})
"""Nouns behind which a one is masculine."""

_SINGULAR_WITH_S = frozenset(["was", "is", "has", "this", "its", "as", "his", "us", "yes"])


class Counting:
    """Rules for numbers; the last of them finds every digit."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._wording = wording
        self._reader = reader

    def rules(self) -> list[Rule]:
        """Return them."""
        patterns = [
            (
                rf"{LEFT}(?<![/.,])(?:(?P<whole>\d{{1,9}})\s)?"
                rf"(?P<over>\d{{1,4}})\s?/\s?(?P<under>\d{{1,4}}){RIGHT}(?!/)",
                self._say_fraction,
            ),
            (rf"(?P<whole>\d{{1,9}})?\s?(?P<vulgar>[{_VULGAR}])", self._say_vulgar),
            (rf"{LEFT}(?<![.,:/])(?P<year>10[1-9]\d|1[1-9]\d\d|20\d\d){RIGHT}(?![.,:/]\d)", self._say_year),
            (r"(?<=[\w)])(?:\^|\*\*)\{?(?P<power>-?\d{1,9}|[A-Za-z]{1,2})\}?", self._say_power),
            (r"(?P<power>[⁻⁰¹²³⁴-⁹]{2,}|(?<=[\w)])[⁰¹⁴-⁹])", self._say_power),
            (self._reader.pattern, self._say_number),
            (r"\d|[^\x00-\xb1\s]", self._say_digit),
        ]
        return compiled(patterns)

    def _say_fraction(self, found: re.Match[str]) -> str | None:
        over, under = int(found["over"]), int(found["under"])
        is_usual = under in _USUAL_PARTS or under <= 10 or found["whole"] is not None
        is_fraction = 0 < over < under and is_usual
        if is_fraction or (CALCULATES.search(found.string) and under):
            return self._fraction(found["whole"], over, under)
        if found["whole"]:
            return None
        return self._reader.join(self._reader.number(found["over"]), self._reader.number(found["under"]))

    def _say_vulgar(self, found: re.Match[str]) -> str:
        over, under = unicodedata.normalize("NFKC", found["vulgar"]).split("⁄")
        return self._fraction(found["whole"], int(over), int(under))

    def _fraction(self, whole: str | None, over: int, under: int) -> str:
        said = self._simple_fraction(over, under)
        if whole is None:
            return said
        return self._reader.join(self._reader.number(whole), self._wording.words.and_, said)

    def _simple_fraction(self, over: int, under: int) -> str:
        code, reader = self._wording.code, self._reader
        if code == "zh":
            return f"{reader.cardinal(under)}分之{reader.cardinal(over)}"
        if code == "ja":
            return f"{reader.cardinal(under)}分の{reader.cardinal(over)}"
        if under not in self._wording.parts:
            return f"{reader.cardinal(over)} {self._wording.words.over} {reader.cardinal(under)}"
        one, many = self._wording.parts[under]
        return one if over == 1 else f"{reader.cardinal(over)} {many}"

    def _say_year(self, found: re.Match[str]) -> str | None:
        """Say a year as one; a number of things, or one to calculate with, is none."""
        if self._wording.code not in ("en", "de") or CALCULATES.search(found.string):
            return None
        counted = re.match(r"\s+([a-z]{3,}s|people|men|women|children)\b", found.string[found.end() :])
        if self._wording.code == "en" and counted and counted[1] not in _SINGULAR_WITH_S:
            return None
        return self._reader.year(int(found["year"]))

    def _say_number(self, found: re.Match[str]) -> str:
        before, following = found.string[: found.start()], found.string[found.end() :]
        return self._reader.number(found[0], noun=self._counted_noun(before, found[0], following))

    def _counted_noun(self, before: str, written: str, following: str) -> str:
        """Return the word behind a number, when the number takes its form from it; else ""."""
        code = self._wording.code
        if code == "zh":
            return "" if before.endswith("第") else following.lstrip()[:1]
        word = re.match(r"\s+(\w+)", following)
        if not word:
            return ""
        is_plural = code in ("es", "pt") and word[1].endswith("s") and written != "1"
        is_noun = code == "de" and written == "1" and word[1].istitle()
        is_known = word[1] in _MILLIONS or word[1] in self._wording.feminine
        return word[1] if is_plural or is_noun or is_known else ""

    def _say_power(self, found: re.Match[str]) -> str:
        power = found["power"].replace("⁻", "-")
        symbol = {"2": "²", "3": "³"}.get(power)
        if symbol:
            return f" {self._wording.symbols[symbol]} "
        minus = f"{self._wording.words.minus} " if power.startswith("-") else ""
        digits = power.lstrip("-")
        said = self._reader.number(unicodedata.normalize("NFKC", digits)) if digits.isdigit() else digits
        if self._wording.code in ("ja", "zh"):
            return f"{self._wording.words.power}{minus}{said}{'乗' if self._wording.code == 'ja' else '次方'}"
        return f" {self._wording.words.power} {minus}{said} "

    def _say_digit(self, found: re.Match[str]) -> str | None:
        """Say a digit in a circle, below the line and the like, or one that other rules cut off."""
        sign = found[0]
        known = not sign.isdigit() or sign in self._wording.symbols
        return None if known else self._reader.cardinal(unicodedata.digit(sign))
