"""Repairs characters that a server cut into the two halves of a UTF-16 pair.

JSON may escape an emoji as two surrogates, and servers that cut a reply by code units put each half into a
delta of its own. A lone half cannot be encoded, shown or stored.
"""

from __future__ import annotations


def join_surrogates(text: str) -> str:
    """Return `text` with pairs joined and lone halves replaced by U+FFFD."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


class SurrogateJoiner:
    """Joins pairs across deltas: a first half at the end of a delta waits for the next."""

    def __init__(self) -> None:
        self._first_half = ""

    def feed(self, text: str) -> str:
        """Return the text that is complete."""
        text = self._first_half + text
        self._first_half = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._first_half = text[:-1], text[-1]
        return join_surrogates(text)

    def close(self) -> str:
        """Return what waited."""
        rest, self._first_half = self._first_half, ""
        return join_surrogates(rest)
