"""Makes any text safe to hand to Qt's text engine, without changing what can be seen."""

from __future__ import annotations

import re

# Control characters; the non-characters and U+FFFC, with which QTextDocument marks frames and pictures
# inside its text; and surrogates, which Qt cannot take as they come.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufdd0-\ufdef\ufffc\ufffe\uffff\ud800-\udfff]")


def displayable_text(text: str) -> str:
    """Return `text` without characters that would be taken for structure.

    Line ends become a line feed each. A pair of surrogates becomes the character it means; what is left of
    the unsafe characters becomes U+FFFD, the sign for an unreadable character.
    """
    if _UNSAFE.search(text) is None:
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _UNSAFE.sub("\ufffd", joined)


def ends_in_half_a_character(text: str) -> bool:
    """Tell whether the next piece of a stream may complete the last character or line end."""
    return text[-1:] == "\r" or "\ud800" <= text[-1:] <= "\udbff"
