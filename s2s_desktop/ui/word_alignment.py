"""Finds the word that is being heard in the text that is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

LOOK_AHEAD = 400
"""Shown words that are searched for the next heard one: a table or a list of links that is not spoken."""

_NEAR = 2
"""So few words may be left out of the voice without asking the next word whether that is true."""

_NO_SPACES = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Kana and Han, which are written without spaces: each character counts as a word."""

_WORD = re.compile(rf"[{_NO_SPACES}]|(?:(?![{_NO_SPACES}_])\w)+(?:['’](?:(?![{_NO_SPACES}_])\w)+)*")
_BEYOND_BMP = re.compile("[\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class ShownWord:
    """A word and where it stands.

    Attributes:
        key: How it is compared: without case and with one kind of apostrophe.
        start: Position of its first character, in UTF-16 units as Qt counts.
        length: In UTF-16 units.
    """

    key: str
    start: int
    length: int


def words_of(text: str) -> list[ShownWord]:
    """Return the words of a text in their order; signs between them are none."""
    # Qt counts a character beyond the basic plane as two; none of them is part of a word that is spoken.
    units = _BEYOND_BMP.sub("\ufffd\ufffd", text)
    return [ShownWord(_key(found.group()), *_place(found)) for found in _WORD.finditer(units)]


class WordAligner:
    """Follows a voice through a text that grows.

    What is spoken leaves things out (code, links, signs of Markdown) and may say some differently. A heard
    word that is not found is passed over; a jump over more than two shown words needs two words in a row.
    """

    def __init__(self) -> None:
        self._shown: list[str] = []
        self._heard = ""
        self._queue: list[str] = []  # the words of what was heard
        self._taken = 0
        self._placed = 0  # how many of them there were when the last one was found
        self._at = -1

    @property
    def position(self) -> int:
        """Index of the shown word heard last; -1 before the first."""
        return self._at

    def show(self, keys: Sequence[str]) -> None:
        """Take the words that are shown now (`ShownWord.key`)."""
        passed = self._at + 1
        if keys[:passed] != self._shown[:passed]:
            self._begin_again()
        self._taken = self._placed  # a word that was passed over may only not have been shown yet
        self._shown = list(keys)

    def hear(self, text: str) -> int:
        """Take everything that was heard so far and return the position."""
        if not text.startswith(self._heard):
            self._begin_again()
        if text != self._heard:
            self._read(text)
        while self._taken < len(self._queue):
            before = self._at
            if not self._step():
                break
            self._taken += 1
            if self._at != before:
                self._placed = self._taken
        return self._at

    def _begin_again(self) -> None:
        self._at, self._taken, self._placed = -1, 0, 0

    def _read(self, text: str) -> None:
        """Take the new words of `text`; what lies before the last space of the old text stays as it is."""
        kept = self._heard.rfind(" ") + 1 if text.startswith(self._heard) else 0
        if kept:
            del self._queue[len(self._queue) - len(words_of(self._heard[kept:])) :]
        else:
            self._queue = []
        self._queue += [word.key for word in words_of(text[kept:])]
        self._heard = text

    def _step(self) -> bool:
        """Place the next heard word. False when the word behind it must be waited for."""
        key, begin = self._queue[self._taken], self._at + 1
        end = min(begin + LOOK_AHEAD, len(self._shown))
        last = self._taken + 1 == len(self._queue)
        for place in range(begin, end):
            if self._shown[place] != key:
                continue
            if place - begin <= _NEAR:
                self._at = place
                return True
            if last:
                return False
            if place + 1 < len(self._shown) and self._shown[place + 1] == self._queue[self._taken + 1]:
                self._at = place
                return True
        return True  # spoken otherwise than written: the next word will be found


def _key(word: str) -> str:
    return word.casefold().replace("’", "'")


def _place(found: re.Match[str]) -> tuple[int, int]:
    return found.start(), found.end() - found.start()
