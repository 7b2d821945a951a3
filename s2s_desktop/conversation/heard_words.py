"""Which words of a reply have been heard, by the clock of the speaker."""

from __future__ import annotations

import re
from bisect import bisect_left

from s2s_desktop.tts.protocol import VoiceChunk

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef"
"""Letters and marks of scripts that put no space between words."""

_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_SPACED_END = re.compile(rf"[^\s{_UNSPACED}]$")
_SPACED_BEGIN = re.compile(rf"^[^\s{_UNSPACED}]")


class HeardWords:
    """The words of one reply, each with the moment at which the speaker begins it."""

    def __init__(self) -> None:
        self._text = ""
        self._starts: list[float] = []
        self._ends: list[int] = []
        """Where each word ends in the text."""

    def add(self, chunk: VoiceChunk, start: float) -> None:
        """Note the words of a chunk.

        Args:
            chunk: What follows the chunks before. Where it does not say when its words are heard, they share
                its time by their length.
            start: Played seconds of the speaker at which it begins.
        """
        if _SPACED_END.search(self._text) and _SPACED_BEGIN.search(chunk.text):
            self._text += " "
        offset = len(self._text)
        self._text += chunk.text
        if chunk.words:
            searched = 0
            for word in chunk.words:
                found = chunk.text.find(word.text, searched)
                searched = len(word.text) + (found if found >= 0 else searched)
                self._add(start + word.start, offset + searched)
            return
        seconds = chunk.samples.size / chunk.sample_rate
        for match in _WORD.finditer(chunk.text):
            self._add(start + seconds * match.start() / len(chunk.text), offset + match.end())

    def until(self, played: float) -> str:
        """Return the text up to the last word begun before the speaker had played so many seconds."""
        count = bisect_left(self._starts, played)
        return self._text[: self._ends[count - 1]].strip() if count else ""

    def everything(self) -> str:
        """Return the whole text, heard or not."""
        return self._text.strip()

    def _add(self, start: float, end: int) -> None:
        # Never earlier than the word before: the search relies on the order.
        self._starts.append(max(start, self._starts[-1] if self._starts else start))
        self._ends.append(min(end, len(self._text)))
