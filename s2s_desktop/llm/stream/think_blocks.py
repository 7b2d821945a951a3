"""Takes the thoughts of a model out of its answer while it streams.

Reasoning models that run without a reasoning parser write their thoughts into the answer, between tags that
may be cut anywhere by the chunks of the stream (https://github.com/semperai/amica/pull/174). Some chat
templates open the block themselves, so that only the closing tag is sent.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

_TAG = re.compile(r"<(/?)(think|thinking|thought)>", re.IGNORECASE)
_TAGS = tuple(f"<{slash}{name}>" for slash in ("", "/") for name in ("think", "thinking", "thought"))
_QUOTES = frozenset("`\"'“‘«")


class Piece(NamedTuple):
    """A run of text, either part of the answer or part of the thoughts."""

    kind: Literal["answer", "thought"]
    text: str


class ThinkBlockSplitter:
    """Splits streamed text into answer and thoughts.

    Everything between an opening and its closing tag is thought, also when the closing tag never comes. A tag
    right behind a quotation mark or backtick is talked about, not used, and stays text. White space between a
    thought and the first word of the answer belongs to neither and is dropped. Text without tags passes
    through unchanged.

    Args:
        starts_inside: The model's template opens the block: text is held back until the closing tag says
            that it was thought, or the end says that it was the answer.
    """

    def __init__(self, starts_inside: bool = False) -> None:
        self.closed_unopened = False
        """A closing tag came without an opening one: the next reply of this model starts inside."""
        self._held: list[str] | None = [] if starts_inside else None
        self._inside = ""
        self._pending = ""
        self._last = ""
        self._answered = False
        self._strip = False

    def feed(self, text: str) -> list[Piece]:
        """Return what can be told so far; a piece that may be the start of a tag waits."""
        buffer = self._pending + text
        pieces: list[Piece] = []
        position = 0
        for tag in _TAG.finditer(buffer):
            if not self._applies(tag, buffer, position):
                continue
            before = buffer[position : tag.start()]
            position = tag.end()
            self._read_tag(tag, before, pieces)
        keep = _possible_tag(buffer, position)
        self._pending = buffer[keep:]
        self._add(buffer[position:keep], pieces)
        return pieces

    def close(self, complete: bool = True) -> list[Piece]:
        """Return what waited for more text.

        Args:
            complete: The reply came to its end. Otherwise text that was held back counts as thought.
        """
        pieces: list[Piece] = []
        self._add(self._pending, pieces)
        self._pending = ""
        if self._held is not None:
            held, self._held = "".join(self._held), None
            if complete:
                self._add(held, pieces)
            elif held:
                pieces.append(Piece("thought", held))
        return pieces

    def _applies(self, tag: re.Match[str], buffer: str, position: int) -> bool:
        if self._inside:
            return bool(tag[1]) and tag[2].lower() == self._inside
        previous = buffer[tag.start() - 1] if tag.start() > position else self._last
        return previous not in _QUOTES

    def _read_tag(self, tag: re.Match[str], before: str, pieces: list[Piece]) -> None:
        if self._held is not None:
            before, self._held = "".join([*self._held, before]), None
        closes = bool(tag[1])
        if closes and not self._inside:
            self.closed_unopened = True
            if before:
                pieces.append(Piece("thought", before))
        else:
            self._add(before, pieces)
            self._inside = "" if closes else tag[2].lower()
        self._last = ""
        self._strip = not self._answered

    def _add(self, text: str, pieces: list[Piece]) -> None:
        if not text:
            return
        if self._inside:
            pieces.append(Piece("thought", text))
            return
        if self._held is not None:
            self._held.append(text)
            return
        if self._strip:
            text = text.lstrip()
            if not text:
                return
            self._strip = False
        self._last = text[-1]
        self._answered = self._answered or not text.isspace()
        pieces.append(Piece("answer", text))


def _possible_tag(buffer: str, start: int) -> int:
    """Return where a tag may begin that the next chunk completes; the length when there is none."""
    opened = buffer.rfind("<", start)
    if opened < 0:
        return len(buffer)
    tail = buffer[opened:].lower()
    return opened if any(tag.startswith(tail) for tag in _TAGS) else len(buffer)
