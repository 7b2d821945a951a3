"""The words of a transcript in any script: what two transcripts are compared by."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_UNSPACED = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46"  # Thai
    "\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6"  # Lao
    "\u1000-\u102a\u1780-\u17b3"  # Burmese, Khmer
    "\u3005-\u3007\u3041-\u3096\u309d-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f"  # Japanese and Chinese
    "\U00020000-\U0003ffff"
)
"""Letters of scripts that are written without spaces between words, for a character class."""

_UNSPACED_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd"
    "\u102b-\u103e\u17b4-\u17d3\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef"
)
"""Marks that belong to the letter before them, for a character class."""

_PUNCTUATION = "\u3001-\u303f\uff01-\uff20"
_PIECE = re.compile(rf"[{_UNSPACED}][{_UNSPACED_MARKS}]*|[^\s{_UNSPACED}]+")
_ENDS_UNSPACED = re.compile(rf"[{_UNSPACED}{_UNSPACED_MARKS}{_PUNCTUATION}]$")
_BEGINS_UNSPACED = re.compile(rf"[{_UNSPACED}]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or one letter of a script without spaces.

    Attributes:
        key: What is compared.
        end: Position in the text behind the word.
        tail: Position behind the punctuation that follows it.
    """

    key: str
    end: int
    tail: int


def words_of(text: str) -> list[Word]:
    """Cut a text into its words, or letters where the script has no spaces between words."""
    spans: list[tuple[int, int]] = []
    for piece in _PIECE.finditer(text):
        places = [place for place in range(*piece.span()) if _is_wordlike(text[place])]
        if places:
            spans.append((places[0], places[-1] + 1))
    following_starts = [start for start, _ in spans[1:]] + [len(text)]
    return [
        Word(text[start:end].casefold(), end, end + len(text[end:following].partition(" ")[0]))
        for (start, end), following in zip(spans, following_starts, strict=False)
    ]


def _is_wordlike(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LNM"


def needs_space(before: str, behind: str) -> bool:
    """Return whether words that were cut apart have to be joined with a space."""
    if not before or not behind or before[-1].isspace() or not behind[0].isalnum():
        return False
    return not (_ENDS_UNSPACED.search(before) and _BEGINS_UNSPACED.match(behind))
