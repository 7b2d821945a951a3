"""Ranks and decades: 21st, 2e, 1.º, 3., 1990s."""

from __future__ import annotations

import re

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import LEFT, RIGHT, Rule, Say, compiled
from s2s_desktop.tts.verbalize.wording import Wording

_NOMINATIVE = frozenset({"der", "die", "das", "ein", "eine", "mein", "meine", "sein", "seine", "ihr", "ihre"})
"""German words behind which a number with a dot is a rank; without one it ends a sentence."""

_DATIVE = frozenset(
    {"am", "im", "vom", "zum", "beim", "zur", "dem", "den", "des", "einem", "einen", "eines"}
    | {"meinem", "meinen", "seinem", "seinen"}
)
"""German words behind which a rank ends in n."""


class Ordinals:
    """Rules for ranks."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._code = wording.code
        self._reader = reader

    def rules(self) -> list[Rule]:
        """Return them."""
        number = r"(?P<number>\d{1,9})"
        patterns: dict[str, list[tuple[str, Say]]] = {
            "en": [
                (rf"{LEFT}(?P<number>\d{{1,3}}(?:,\d{{3}})*|\d{{1,9}})(?:st|nd|rd|th){RIGHT}", self._say),
                (rf"{LEFT}(?P<decade>\d{{2,3}}0|[2-9]0)['’]?s{RIGHT}", self._say_english_decade),
            ],
            "de": [
                (rf"{LEFT}(?<![.,]){number}\.(?=\s[A-ZÄÖÜ])", self._say_german),
                (rf"{LEFT}(?P<decade>\d{{2,4}})er{RIGHT}", self._say_german_decade),
            ],
            "fr": [
                (
                    rf"{LEFT}{number}(?P<ending>er|ers|re|res|nd|nde|e|es|ème|èmes|eme){RIGHT}",
                    self._say_french,
                )
            ],
            "es": [(rf"{LEFT}{number}(?:\.\s?)?(?P<ending>º|ª|er|ᵉʳ){RIGHT}", self._say_romance)],
            "it": [(rf"{LEFT}{number}(?P<ending>º|ª|°(?!\s?[CF]\b)){RIGHT}", self._say_romance)],
            "pt": [(rf"{LEFT}{number}(?:\.\s?)?(?P<ending>º|ª){RIGHT}", self._say_romance)],
        }
        return compiled(patterns.get(self._code, []))

    def _ordinal(self, found: re.Match[str]) -> str:
        return self._reader.ordinal(int(found["number"].replace(",", "")))

    def _say(self, found: re.Match[str]) -> str:
        return self._ordinal(found)

    def _say_english_decade(self, found: re.Match[str]) -> str:
        said = self._reader.year(int(found["decade"]))
        return f"{said[:-1]}ies" if said.endswith("y") else f"{said}s"

    def _say_german_decade(self, found: re.Match[str]) -> str:
        return f"{self._reader.year(int(found['decade']))}er"

    def _say_german(self, found: re.Match[str]) -> str | None:
        """Say a rank in the form that the word before asks for; elsewhere the dot ends a sentence."""
        before = found.string[: found.start()].lower().split()[-1:]
        if len(found["number"]) > 2 or not _DATIVE.union(_NOMINATIVE).intersection(before):
            return None
        return self._ordinal(found) + ("n" if _DATIVE.intersection(before) else "")

    def _say_french(self, found: re.Match[str]) -> str:
        number, ending = int(found["number"]), found["ending"]
        if number == 1:
            return "première" if ending in ("re", "res") else "premier"
        if number == 2 and ending.startswith("nd"):
            return "seconde" if ending == "nde" else "second"
        return self._ordinal(found)

    def _say_romance(self, found: re.Match[str]) -> str:
        said = self._ordinal(found)
        if found["ending"] == "ª":
            return re.sub(r"o\b", "a", said)
        return said.removesuffix("o") if found["ending"] in ("er", "ᵉʳ") else said
