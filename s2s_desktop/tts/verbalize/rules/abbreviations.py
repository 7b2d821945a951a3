"""Abbreviations: Dr., e.g., No. 5, z. B., Mme, U.S.A."""

from __future__ import annotations

import re
from collections.abc import Mapping

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import Rule, alternatives
from s2s_desktop.tts.verbalize.wording import Wording


class Abbreviations:
    """Rules for abbreviations. A dot that ends the clause too is kept, so that the voice falls."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._wording = wording
        self._said = _with_capitals(wording.abbreviations)
        self._numbered = _with_capitals(wording.before_number)

    def rules(self) -> list[Rule]:
        """Return them."""
        rules = []
        if self._numbered:
            before = rf"(?<!\w)(?P<short>{alternatives(self._numbered)})\s?(?=\d)"
            rules.append(Rule(re.compile(before), self._say_before_number))
        if self._wording.code == "en":
            rules.append(Rule(re.compile(r"(?<!\w)St\."), self._say_saint_or_street))
        if self._wording.code == "de":
            rules.append(Rule(re.compile(r"(?P<name>\w+)str\.(?=\s*\d)"), self._say_street))
        if self._said:
            pattern = rf"(?<![\w.])(?P<short>{alternatives(self._said)})(?!\w)"
            rules.append(Rule(re.compile(pattern), self._say))
        rules.append(Rule(re.compile(r"(?<![\w.])(?:[A-Z]\.){2,}(?!\w)"), self._say_initials))
        return rules

    def _say(self, found: re.Match[str]) -> str:
        return self._ended(found, self._said[found["short"]])

    def _say_before_number(self, found: re.Match[str]) -> str:
        return self._numbered[found["short"]]

    def _say_saint_or_street(self, found: re.Match[str]) -> str:
        """A saint stands ahead of a name, a street behind one."""
        before, after = found.string[: found.start()].split(), found.string[found.end() :].split()
        is_saint = bool(after) and after[0][0].isupper() and not (before and before[-1][0].isupper())
        return "Saint" if is_saint or (after and not before) else self._ended(found, "Street")

    def _say_street(self, found: re.Match[str]) -> str:
        return f"{found['name']}straße"

    def _say_initials(self, found: re.Match[str]) -> str:
        return self._ended(found, found[0].replace(".", ""))

    def _ended(self, found: re.Match[str], said: str) -> str:
        ends = found[0].endswith(".") and not any(map(str.isalnum, found.string[found.end() :]))
        following = found.string[found.end() : found.end() + 1]
        return f"{said}." if ends and following not in tuple(".!?…") else said


def _with_capitals(said: Mapping[str, str]) -> dict[str, str]:
    """Add each abbreviation as it opens a sentence, where that is not another one."""
    return {short[0].upper() + short[1:]: long for short, long in said.items()} | dict(said)
