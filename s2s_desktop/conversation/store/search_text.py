"""The form in which text is searched: folded words, and single characters where a script has no spaces.

Text and queries go through the same fold, so that "Café", "CAFE" and "café" find each other. Scripts that
are written without spaces, and symbols, are indexed character by character: a query becomes a phrase of them,
which finds every substring. SQLite's own tokenizers do not: `unicode61` takes a whole Chinese sentence for
one word, and `trigram` finds nothing shorter than three characters, as most Chinese words are.
"""

from __future__ import annotations

import re
import unicodedata

# Accents, Hebrew points, Arabic vowel signs and the small alef; variation selectors.
_DROPPED = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\ufe00-\ufe0f]")

SINGLE = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Tibetan, Burmese, Khmer
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul, whose words have particles attached
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u312f\u31a0-\u31ff"  # kana, and signs of Chinese
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese characters
    "\u20a0-\u20cf\u2190-\u2bff\U0001f000-\U0001faff"  # currencies, arrows and signs, emoji
)
"""Inside of a character class: what is indexed one by one."""

_SINGLE = re.compile(f"[{SINGLE}]")


class _Fold(dict[int, str]):
    """The fold of every character met so far, for `str.translate`."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _folded(chr(code))
        return folded


def folded(text: str) -> str:
    """Return text in lower case without accents and compatibility forms, with spaces for all that is no word.

    Nearly every character becomes one character; the rest is why `folded_with_origins` exists.
    """
    return text.translate(_FOLD)


def folded_with_origins(text: str) -> tuple[str, list[int] | range]:
    """Return the folded text and, for each of its characters and its end, the position it comes from."""
    result = folded(text)
    if len(result) == len(text) and (text.isascii() or all(len(_FOLD[ord(c)]) == 1 for c in set(text))):
        return result, range(len(text) + 1)
    origins = [position for position, char in enumerate(text) for _ in _FOLD[ord(char)]]
    return result, [*origins, len(text)]


def search_form(text: str) -> str:
    """Return what the index is given: tokens, apart from each other by spaces."""
    return _SINGLE.sub(r" \g<0> ", folded(text))


def is_single(token: str) -> bool:
    """Tell whether a token is a character of a script without spaces, or a symbol."""
    return _SINGLE.fullmatch(token) is not None


def _folded(char: str) -> str:
    if unicodedata.category(char) == "Cf":
        return ""
    plain = unicodedata.normalize("NFKC", char).casefold()
    plain = _DROPPED.sub("", unicodedata.normalize("NFD", plain))
    return "".join(c if _is_searched(c) else " " for c in unicodedata.normalize("NFC", plain))


def _is_searched(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] in "LNM" or (category[0] == "S" and _SINGLE.match(char) is not None)


_FOLD = _Fold()
