"""Times of day and ratios: 14:30, 3:05 pm, 7h30, 14 Uhr, 16:9."""

from __future__ import annotations

import re

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import LEFT, RIGHT, Rule, compiled
from s2s_desktop.tts.verbalize.rules.japanese_counters import counted
from s2s_desktop.tts.verbalize.wording import Wording

_HALF_OF_DAY = r"(?P<half>[ap](?:m\b|\.\s?m\.)|[AP]M\b)"
_HOUR_SIGNS = {"fr": r"\s?[hH]\s?", "pt": r"\s?h\s?", "es": r"\s?h\s?", "it": r"\s?h\s?"}
"""Languages that write 14h30."""

_SUFFIXES = {"de": r"(?:\s?Uhr\b)?", "en": "", "hi": r"(?:\s?बजे)?"}
"""What may stand behind 14:30; "h" in other languages."""

_HOURS = {"es": ("hora", "horas"), "fr": ("heure", "heures"), "it": ("ora", "ore"), "pt": ("hora", "horas")}


class Times:
    """Rules for times of day."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._code = wording.code
        self._words = wording.words
        self._reader = reader
        own = {
            "en": self._in_english,
            "de": self._in_german,
            "fr": self._in_french,
            "hi": self._in_hindi,
            "ja": self._in_japanese,
            "zh": self._in_chinese,
        }
        self._in_language = own.get(wording.code, self._in_romance)

    def rules(self) -> list[Rule]:
        """Return them."""
        half = rf"(?:\s?{_HALF_OF_DAY})?" if self._code == "en" else ""
        suffix = _SUFFIXES.get(self._code, r"(?:\s?h(?!\w))?")
        hour, minute = r"(?P<hour>\d{1,2})", r"(?P<minute>[0-5]\d)"
        second = r"(?::(?P<second>[0-5]\d)(?![\d:]))?"
        patterns = [(rf"{LEFT}(?<![:.,]){hour}:{minute}{second}{half}{suffix}{RIGHT}(?!:\d)", self._say_time)]
        if self._code == "en":
            patterns.append((rf"{LEFT}(?<![:.,/]){hour}\s?{_HALF_OF_DAY}", self._say_time))
        if self._code == "de":
            patterns.append((rf"{LEFT}{hour}(?:[.:]{minute})?\s?Uhr\b", self._say_time))
        if sign := _HOUR_SIGNS.get(self._code):
            minutes = rf"(?:{sign}{minute}|\s?h)"
            patterns.append((rf"{LEFT}(?<![.,]){hour}{minutes}{RIGHT}", self._say_hours))
        ratio = rf"{LEFT}(?<![:.,])(?P<a>\d{{1,4}}):(?P<b>\d{{1,4}}){RIGHT}(?!:\d)"
        patterns.append((ratio, self._say_ratio))
        return compiled(patterns)

    def _say_time(self, found: re.Match[str]) -> str | None:
        parts = found.groupdict()
        hour, minute, half = int(found["hour"]), int(parts.get("minute") or 0), parts.get("half")
        if hour > 24:
            return None
        said = self._in_language(hour, minute, bool(half))
        if second := int(parts.get("second") or 0):
            link = self._words.and_ if self._code not in ("ja", "zh") else ""
            said = self._reader.join(said, *filter(None, [link]), self._reader.cardinal(second))
        if half:
            said += f" {half[0].upper()}M"
        ends = found[0].endswith(".") and not found.string[found.end() :].strip()
        return f"{said}." if ends else said

    def _in_english(self, hour: int, minute: int, has_half: bool) -> str:
        if hour == minute == 0:
            return "midnight"
        said = self._reader.cardinal(hour)
        if minute >= 10:
            return f"{said} {self._reader.cardinal(minute)}"
        if minute:
            return f"{said} oh {self._reader.cardinal(minute)}"
        if has_half:
            return said
        return f"{said} o'clock" if 1 <= hour <= 12 else f"{said} hundred"

    def _in_german(self, hour: int, minute: int, has_half: bool) -> str:
        said = f"{self._reader.cardinal(hour, 'Uhr')} Uhr"
        return f"{said} {self._reader.cardinal(minute)}" if minute else said

    def _in_french(self, hour: int, minute: int, has_half: bool) -> str:
        noun = _HOURS["fr"][hour > 1]
        said = f"{self._reader.cardinal(hour, noun)} {noun}"
        return f"{said} {self._reader.cardinal(minute, 'minutes')}" if minute else said

    def _in_hindi(self, hour: int, minute: int, has_half: bool) -> str:
        if not minute:
            return f"{hour} बजे"
        return f"{hour} बजकर {minute} मिनट"

    def _in_japanese(self, hour: int, minute: int, has_half: bool) -> str:
        said = counted(self._reader, hour, "時")
        return said + counted(self._reader, minute, "分") if minute else said

    def _in_chinese(self, hour: int, minute: int, has_half: bool) -> str:
        said = self._reader.cardinal(hour, "点") + "点"
        return f"{said}{self._reader.cardinal(minute)}分" if minute else said

    def _in_romance(self, hour: int, minute: int, has_half: bool) -> str:
        said = self._reader.cardinal(hour, _HOURS[self._code][0])
        return f"{said} {self._words.and_} {self._reader.cardinal(minute)}" if minute else said

    def _say_hours(self, found: re.Match[str]) -> str | None:
        """Say 7h30 with the name of the hour."""
        hour = int(found["hour"])
        if hour > 24:
            return None
        one, many = _HOURS[self._code]
        noun = one if hour == 1 or (self._code == "fr" and hour == 0) else many
        said = f"{self._reader.cardinal(hour, noun)} {noun}"
        if not found["minute"] or not int(found["minute"]):
            return said
        link = "" if self._code == "fr" else f"{self._words.and_} "
        return f"{said} {link}{self._reader.cardinal(int(found['minute']))}"

    def _say_ratio(self, found: re.Match[str]) -> str:
        return self._reader.join(
            self._reader.number(found["a"]), self._words.ratio, self._reader.number(found["b"])
        )
