"""Which words begin in which samples, when nobody says."""

from __future__ import annotations

import re

START_PACE = 15.0
"""Characters a second at a calm pace. Every clause corrects it."""

_SYLLABLE_WEIGHT = 2.5
"""Characters of an alphabet that take as long to say as a Chinese character, kana or hangul syllable."""

_LEARNING = 0.5
_SYLLABLES = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_SYLLABLE = re.compile(rf"[{_SYLLABLES}]")
_WORD = re.compile(rf"\s*(?:[{_SYLLABLES}]|[^\s{_SYLLABLES}]+)\s*")


class SpokenPace:
    """How fast a voice speaks, learned from what it has said."""

    def __init__(self) -> None:
        self._pace = START_PACE

    def learn(self, text: str, seconds: float) -> None:
        """Take a clause that was spoken to its end."""
        if seconds > 0.3:
            self._pace += _LEARNING * (_length(text) / seconds - self._pace)

    def begin(self, text: str) -> ClauseClock:
        """Return the clock of the next clause."""
        return ClauseClock(text, self._pace)


class ClauseClock:
    """Hands the words of a clause out as its sound goes by.

    Args:
        text: The clause.
        pace: Characters a second.
    """

    def __init__(self, text: str, pace: float) -> None:
        self._words = _WORD.findall(text)
        self._pace = pace
        self._given = 0.0
        self._next = 0

    def until(self, seconds: float) -> str:
        """Return the words that begin before this time and were not returned yet."""
        first = self._next
        while self._next < len(self._words) and self._given < seconds * self._pace:
            self._given += _length(self._words[self._next])
            self._next += 1
        return "".join(self._words[first : self._next])

    def rest(self) -> str:
        """Return all words that were not returned yet."""
        left, self._next = self._words[self._next :], len(self._words)
        return "".join(left)


def _length(text: str) -> float:
    return len(text) + (_SYLLABLE_WEIGHT - 1.0) * len(_SYLLABLE.findall(text))
