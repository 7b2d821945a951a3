"""Writes recognized Chinese in the characters that the user reads, whichever Whisper chose."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from s2s_desktop.stt.system_languages import locale_names

Script = Literal["t2s", "s2tw", "s2hk"]
"""Simplified, or traditional as in Taiwan or Hong Kong: a conversion of OpenCC."""

_SIMPLIFIED = frozenset({"hans", "simplified"})
_TAIWAN = frozenset({"tw", "taiwan", "hant", "traditional"})
_HONG_KONG = frozenset({"hk", "hong", "mo", "macao", "macau"})
_KANA = re.compile("[\u3041-\u30ff]")


def expected_script(environment: Mapping[str, str] | None = None) -> Script:
    """Return the script of the first Chinese among the languages of the system; without one, simplified.

    Args:
        environment: Environment variables; None reads those of this process.
    """
    for name in locale_names(environment):
        language, *rest = re.findall(r"[a-z]+", name.lower()) or [""]
        if language in ("zh", "chinese"):
            if _SIMPLIFIED.intersection(rest):
                return "t2s"
            if _HONG_KONG.intersection(rest):
                return "s2hk"
            return "s2tw" if _TAIWAN.intersection(rest) else "t2s"
    return "t2s"


class ChineseScript:
    """Converts with OpenCC, which is loaded with the first Chinese sentence (20 ms, traditional 250 ms).

    Args:
        script: What the user reads.
        hotwords: Names and terms that are written as the user wrote them.
    """

    def __init__(self, script: Script, hotwords: Sequence[str] = ()) -> None:
        self._script = script
        self._hotwords = hotwords
        self._converters: dict[Script, Any] = {}

    def write(self, text: str, language: str) -> str:
        """Return a transcript in the script of the user; one that is not Chinese stays as it is.

        Args:
            text: What was recognized.
            language: One of Whisper's codes. Japanese that was taken for Chinese shows by its kana.
        """
        if not text or language != "zh" or _KANA.search(text):
            return text
        written = self._converted(text)
        for term in self._hotwords:
            written = written.replace(self._converted(term), term)
        return written

    def _converted(self, text: str) -> str:
        converted = self._convert(text, self._script)
        if self._script == "t2s" or converted == text:
            return converted
        # Whisper mixes both scripts within a word, and a dictionary knows a word in one of them.
        simplified = self._convert(text, "t2s")
        return converted if simplified == text else self._convert(simplified, self._script)

    def _convert(self, text: str, conversion: Script) -> str:
        if conversion not in self._converters:
            import opencc

            self._converters[conversion] = opencc.OpenCC(conversion)
        converted: str = self._converters[conversion].convert(text)
        return converted
