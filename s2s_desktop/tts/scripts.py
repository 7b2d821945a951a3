"""The script that a letter is written in, by its Unicode name."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

LATIN, KANA, HAN = "LATIN", "KANA", "CJK"

_SAME_SCRIPT = {
    "COMBINING": LATIN,
    "MODIFIER": LATIN,
    "FULLWIDTH": LATIN,
    "HIRAGANA": KANA,
    "KATAKANA": KANA,
    "HALFWIDTH": KANA,
    "KATAKANA-HIRAGANA": KANA,
    "IDEOGRAPHIC": HAN,
}


@lru_cache(maxsize=4096)
def script_of(sign: str) -> str:
    """Return the script of a letter or mark: the first word of its name, as in `CYRILLIC SMALL LETTER A`.

    Hiragana and katakana are both `KANA`. Everything else, and what belongs to no script in particular,
    counts as `LATIN`.
    """
    if sign < "\u0250" or unicodedata.category(sign)[0] not in "LM":
        return LATIN
    first = unicodedata.name(sign, "").split(" ")[0]
    return _SAME_SCRIPT.get(first, first)
