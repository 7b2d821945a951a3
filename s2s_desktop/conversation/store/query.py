"""What the user typed into the search field, as phrases for the index and as patterns for highlights."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from s2s_desktop.conversation.store.search_text import SINGLE, is_single, search_form

_MAX_PHRASES = 16
_MAX_TOKENS = 32

_PART = re.compile(r'"([^"]*)"|([^\s"]+)')


@dataclass(frozen=True, slots=True)
class Phrase:
    """Tokens that stand one behind the other.

    Attributes:
        tokens: Folded; never empty.
        open_ended: The last token may go on: "plan" finds "planet".
    """

    tokens: tuple[str, ...]
    open_ended: bool

    @property
    def expression(self) -> str:
        """The phrase in the query language of FTS5. Tokens hold no quotation marks."""
        return f'"{" ".join(self.tokens)}"{"*" if self.open_ended else ""}'

    @property
    def pattern(self) -> re.Pattern[str]:
        """Finds the phrase in folded text."""
        pieces: list[str] = []
        for before, token in zip((None, *self.tokens), self.tokens, strict=False):
            if before is not None:
                pieces.append(" *" if is_single(before) or is_single(token) else " +")
            pieces.append(re.escape(token))
        start = "" if is_single(self.tokens[0]) else _WORD_START
        end = "" if self.open_ended or is_single(self.tokens[-1]) else _WORD_END
        return re.compile(start + "".join(pieces) + end)


_WORD_START = f"(?<![^ {SINGLE}])"
_WORD_END = f"(?![^ {SINGLE}])"


def parse_query(text: str) -> tuple[Phrase, ...]:
    """Return the phrases that a text must all hold.

    Words find everything that begins with them; words in quotation marks find exactly themselves, in their
    order. Nothing else in the query has a meaning, so that no query is wrong.

    Returns:
        () when the query holds no word, character or sign that is searched.
    """
    phrases: list[Phrase] = []
    for quoted, word in _PART.findall(text):
        tokens = tuple(search_form(quoted or word).split())[:_MAX_TOKENS]
        if tokens:
            # "C++" must not find every word that begins with a c.
            open_ended = bool(word) and word[-1].isalnum() and not is_single(tokens[-1])
            phrases.append(Phrase(tokens, open_ended))
    return tuple(phrases[:_MAX_PHRASES])


def match_expression(phrases: Sequence[Phrase]) -> str:
    """Return what FTS5 is asked."""
    return " AND ".join(phrase.expression for phrase in phrases)
