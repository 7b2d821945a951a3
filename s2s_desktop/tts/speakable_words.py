"""Cleans one word of a reply: a pipeline of small steps, each a function from text to text.

A word is a run of signs without white space, so marks that belong together may be in different words
(`**bold`, `text**`). That is why every step removes marks by what stands next to them, not in pairs.
"""

from __future__ import annotations

import html
import re
import unicodedata
from urllib.parse import urlsplit

LONGEST_WORD = 1_000
"""Signs of a word, with what its marks hide. More is an encoded file, a key, or an address whose ends tell
what it is; and the time that some patterns take grows with the square of a word."""

_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")
_STRAY_JOINER = re.compile("(?<![\u0600-\u0fff])[\u200c\u200d]+|[\u200c\u200d]+(?![\u0600-\u0fff])")
"""Joiners shape letters of Arabic and Indic scripts; elsewhere they glue emoji together."""

_LINK_TARGET = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)|\]\[[^\]\s]*\]")
_CITATION = re.compile(
    r"\[\^?\d{1,3}\](?::$)?|\[\^[\w-]+\]:?|[\u3010\u2020][^\s\u3010\u3011]*\u3011"
    r"|(?<=[^\W\d]{2})[¹⁴-⁹⁰]+|(?<=[.,;:!?])[¹²³⁴-⁹⁰]+"
)
"""Numbers of sources and footnotes. "km²" is a unit."""

_CALLOUT = re.compile(r"^\[!\w+\]$")
_AUTOLINK = re.compile(r"<(?:mailto:)?(?P<address>[^\s<>@]+@[^\s<>@]+)>|\bmailto:(?=\S+@)", re.IGNORECASE)
_URL = re.compile(
    r"<?(?P<url>(?:(?:https?|ftp|file)://|www\.)(?:[^\s<>\"'”’«»()\]}]|\([^\s()]*\))*"
    r"(?:[^\s<>\"'”’«»()\]}.,;:!?*_~`]|\([^\s()]*\)))>?",
    re.IGNORECASE,
)
_HTML_TAG = re.compile(r"</?[a-zA-Z][^<>\s]*/?>|<!--.*?-->|<!--|-->|<\|[^|<>\s]*\|>")
_ESCAPE = re.compile(r"\\(?=[\\`*_{}\[\]()#+\-.!|~>$])")
_STARS = re.compile(r"(?P<power>(?<=\d)\*\*(?=\d))|\*{2,}|(?<![^\W_])\*|\*(?![^\W_])")
_UNDERLINES = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
_OTHER_MARKS = re.compile(
    r"`+|~~+|\[|\]|!(?=\[)|^#{1,6}$|^\|+$|[-=_~#.]{4,}|^[-=_~]{3,}$|[-=]{1,2}>"
    r"|(?<![^\W_])={2,}(?=\w)|(?<=\w)={2,}(?![^\W_])"
)

_SAID_SYMBOLS = frozenset("°©®™№℃℉")
"""Other symbols have no name that people say; most of them are emoji."""


def shorten_word(word: str) -> str:
    """Return a word without its middle where it is longer than `LONGEST_WORD`."""
    half = LONGEST_WORD // 2
    return word if len(word) <= LONGEST_WORD else word[:half] + word[-half:]


def clean_word(word: str) -> str:
    """Return what can be said of a word; "" when nothing can."""
    for step in STEPS:
        word = step(word)
    return " ".join(word.split())


def _resolve_entities(word: str) -> str:
    return html.unescape(word) if "&" in word else word


def _drop_links(word: str) -> str:
    """Keep the text of a link, drop where it leads; drop numbers of sources."""
    bare = _CALLOUT.sub("", _CITATION.sub("", _LINK_TARGET.sub("", word)))
    return _AUTOLINK.sub(lambda found: found["address"] or "", bare)


def _shorten_urls(word: str) -> str:
    return _URL.sub(lambda found: _host(found["url"]), word)


def _host(url: str) -> str:
    try:
        host = urlsplit(url if "://" in url else f"https://{url}").hostname or ""
    except ValueError:  # brackets that are no IPv6 address
        return ""
    return host.removeprefix("www.")


def _drop_html_tags(word: str) -> str:
    return _HTML_TAG.sub(" ", word)


def _drop_marks(word: str) -> str:
    """Drop the marks of Markdown. `snake_case` and `2*3` keep theirs."""
    bare = _OTHER_MARKS.sub("", _ESCAPE.sub("", word))
    return _UNDERLINES.sub("", _STARS.sub(lambda found: found["power"] or "", bare))


def _drop_pictures(word: str) -> str:
    """Put a space for emoji and other signs without a spoken name, so that words do not fuse."""
    return "".join(" " if _is_picture(sign) else sign for sign in word)


def _is_picture(sign: str) -> bool:
    if sign.isascii():
        return False
    category = unicodedata.category(sign)
    if category in ("So", "Co", "Cn", "Cs"):
        return sign not in _SAID_SYMBOLS
    # Skin tones, key caps, tags of flags and arrows have categories of their own.
    return (
        "\U0001f3fb" <= sign <= "\U0001f3ff"
        or sign == "\u20e3"
        or "\U000e0020" <= sign <= "\U000e007f"
        or "\u2190" <= sign <= "\u21ff"
    )


def _drop_invisible(word: str) -> str:
    return _STRAY_JOINER.sub("", _INVISIBLE.sub("", word))


STEPS = (
    shorten_word,
    _resolve_entities,
    _drop_links,
    _shorten_urls,
    _drop_html_tags,
    _drop_marks,
    _drop_pictures,
    _drop_invisible,
)
"""In this order: URLs hold signs that are marks elsewhere, and pictures are joined by invisible signs."""
