"""Dates: 2024-05-01, 05/01/2024, 1.5.2024, Jan 1, 1980, 1 de mayo, 3. Mai."""

from __future__ import annotations

import re

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import LEFT, RIGHT, Rule, Say, alternatives, compiled
from s2s_desktop.tts.verbalize.rules.japanese_counters import FIRST_OF_MONTH, counted
from s2s_desktop.tts.verbalize.wording import Wording

_FIRST = {"es": "primero", "fr": "premier", "it": "primo", "pt": "primeiro"}
"""These languages give a rank to the first day of a month only."""

_GERMAN_ENDINGS = {
    **dict.fromkeys(("am", "vom", "zum", "dem", "den", "des", "ab", "seit", "bis", "im"), "n"),
    **dict.fromkeys(("der", "die", "das"), ""),
}
"""How the rank of a day ends behind a word; "r" behind others."""

_CENTURY_EDGE = 50
"""Two digits of a year below this are of our century."""


class Dates:
    """Rules for dates."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._reader = reader
        self._wording = wording
        self._months, self._numbers = _month_names(wording.locale)
        self._month = alternatives(self._numbers)

    def rules(self) -> list[Rule]:
        """Return them."""
        patterns: list[tuple[str, Say]]
        if self._wording.code in ("ja", "zh"):
            patterns = [(rf"{LEFT}(?P<year>\d{{4}})(?=\s?年)", self._say_year)]
        else:
            month = rf"(?P<month>{self._month})(?:\.(?=\s*\S))?"
            year = r"(?P<year>[12]\d{3})"
            no_more = r"(?!\d|[.,:/]\d|%)"
            patterns = [
                (
                    rf"{LEFT}(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|\.?º|°|\.)?\s+(?:(?:of|de)\s+)?{month}"
                    rf"(?:(?:,?\s+(?:del?\s+)?){year})?{RIGHT}{no_more}",
                    self._say_day_first,
                ),
                (rf"{LEFT}{month}\s+{year}{RIGHT}{no_more}", self._say_month_and_year),
            ]
            if self._wording.month_first:
                named = rf"{LEFT}{month}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+{year})?{RIGHT}{no_more}"
                patterns.insert(0, (named, self._say_month_first))
        iso = rf"{LEFT}(?P<year>\d{{4}})(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}}){RIGHT}"
        numeric = (
            rf"{LEFT}(?P<a>\d{{1,2}})(?P<mark>[-/.])(?P<b>\d{{1,2}})(?P=mark)"
            rf"(?P<year>\d{{4}}|(?<=[/.])\d{{2}}){RIGHT}(?![-/.]\d)"
        )
        patterns += [(iso, self._say_iso), (numeric, self._say_numeric)]
        return compiled(patterns)

    def _say_year(self, found: re.Match[str]) -> str:
        return self._reader.year(int(found["year"]))

    def _say_iso(self, found: re.Match[str]) -> str | None:
        return self._date(found, int(found["day"]), int(found["month"]), int(found["year"]))

    def _say_numeric(self, found: re.Match[str]) -> str | None:
        day, month, year = int(found["a"]), int(found["b"]), int(found["year"])
        if (self._wording.month_first and found["mark"] == "/" and day <= 12) or month > 12:
            day, month = month, day
        if len(found["year"]) == 2:
            year += 2000 if year < _CENTURY_EDGE else 1900
        return self._date(found, day, month, year)

    def _say_month_first(self, found: re.Match[str]) -> str | None:
        year = int(found["year"]) if found["year"] else None
        return self._date(found, int(found["day"]), self._numbers[found["month"]], year)

    def _say_day_first(self, found: re.Match[str]) -> str | None:
        year = int(found["year"]) if found["year"] else None
        day, month = int(found["day"]), self._numbers[found["month"]]
        if self._wording.code != "en" or not 1 <= day <= 31:
            return self._date(found, day, month, year)
        said = f"{self._reader.ordinal(day)} of {self._months[month]}"
        return f"{said} {self._reader.year(year)}" if year else said

    def _say_month_and_year(self, found: re.Match[str]) -> str:
        return f"{self._months[self._numbers[found['month']]]} {self._reader.year(int(found['year']))}"

    def _date(self, found: re.Match[str], day: int, month: int, year: int | None) -> str | None:
        """Say a date the way the language says them all; None when there is no such day."""
        if not (1 <= day <= 31 and 1 <= month <= 12):
            return None
        code, reader = self._wording.code, self._reader
        said_year = reader.year(year) if year is not None else ""
        if code == "ja":
            said_day = counted(reader, month, "月")
            said_day += FIRST_OF_MONTH if day == 1 else counted(reader, day, "日")
            return counted(reader, year, "年") + said_day if year else said_day
        if code == "zh":
            said_day = f"{reader.cardinal(month)}月{reader.cardinal(day)}日"
            return f"{said_year}年{said_day}" if said_year else said_day
        name = self._months[month]
        if code == "en":
            return f"{name} {reader.ordinal(day)}" + (f", {said_year}" if said_year else "")
        if code == "de":
            before = found.string[: found.start()].split()
            ending = _GERMAN_ENDINGS.get(before[-1].lower(), "r") if before else "r"
            said_day = reader.ordinal(day) + ending
        else:
            said_day = _FIRST[code] if day == 1 and code in _FIRST else reader.cardinal(day)
        link = " de " if code in ("es", "pt") else " "
        return said_day + link + name + (link + said_year if said_year else "")


def _month_names(locale: str) -> tuple[dict[int, str], dict[str, int]]:
    """Return the names of the months by number, and the number by every way to write one, without dots."""
    from babel import Locale

    kinds = Locale.parse(locale).months["format"]
    names = dict(kinds["wide"])
    numbers = {name: number for kind in ("wide", "abbreviated") for number, name in kinds[kind].items()}
    if locale == "en":
        numbers["Sept"] = 9
    numbers = {name.rstrip("."): number for name, number in numbers.items()}
    if locale not in ("en", "de"):
        numbers |= {name.capitalize(): number for name, number in numbers.items()}
    return names, numbers
