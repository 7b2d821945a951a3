"""Puts transcribed stretches together."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CJK = "\u3000-\u30ff\u3400-\u9fff\uff00-\uffef"
_SPACE_IN_CJK = re.compile(rf"(?<=[{_CJK}]) (?=[{_CJK}])")


def join_texts(texts: Sequence[str]) -> str:
    """Join the texts of consecutive stretches, each in whatever language it was spoken.

    One space between words; none between Chinese or Japanese characters, where Whisper also writes one for a
    pause within a stretch.
    """
    return _SPACE_IN_CJK.sub("", " ".join(" ".join(texts).split()))
