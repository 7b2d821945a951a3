"""Japanese counters whose sound changes with the number: 四月, 九時, 三十分, 一本.

misaki reads them sound by sound ("yon-gatsu"), so the last figure and the counter are given in katakana.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from s2s_desktop.tts.verbalize.numbers import NumberReader
from s2s_desktop.tts.verbalize.rule import Rule, alternatives, compiled
from s2s_desktop.tts.verbalize.wording import Wording

_H_TO_P = {1: "イッ{}", 3: "サン{}", 6: "ロッ{}", 8: "ハッ{}", 10: "ジュッ{}"}
_K_OR_S = {1: "イッ{}", 6: "ロッ{}", 8: "ハッ{}", 10: "ジュッ{}"}


def _forms(ends: Mapping[int, str], counter: str) -> dict[int, str]:
    return {last: form.format(counter) for last, form in ends.items()}


_COUNTERS: Mapping[str, Mapping[int, str]] = {
    "分": _forms(_H_TO_P | {4: "ヨン{}"}, "プン"),
    "本": _forms(_H_TO_P, "ポン") | {3: "サンボン"},
    "匹": _forms(_H_TO_P, "ピキ") | {3: "サンビキ"},
    "杯": _forms(_H_TO_P, "パイ") | {3: "サンバイ"},
    "階": _forms(_K_OR_S, "カイ") | {3: "サンガイ"},
    "回": _forms(_K_OR_S, "カイ"),
    "個": _forms(_K_OR_S, "コ"),
    "か月": _forms(_K_OR_S, "カゲツ"),
    "ヶ月": _forms(_K_OR_S, "カゲツ"),
    "歳": _forms({last: _K_OR_S[last] for last in (1, 8, 10)}, "サイ"),
    "週間": _forms({last: _K_OR_S[last] for last in (1, 8, 10)}, "シュウカン"),
    "時": {4: "ヨジ", 7: "シチジ", 9: "クジ"},
    "時間": {4: "ヨジカン", 7: "シチジカン", 9: "クジカン"},
    "月": {4: "シガツ", 7: "シチガツ", 9: "クガツ"},
    "年": {4: "ヨネン"},
}
"""By counter: the number that it ends with, 10 for a round one, and how both are said."""


FIRST_OF_MONTH = "ツイタチ"


class JapaneseCounters:
    """Rules for the counters of Japanese."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._reader = reader
        self._is_japanese = wording.code == "ja"

    def rules(self) -> list[Rule]:
        """Return them."""
        number = r"(?<![\d.,:/-])(?P<number>\d{1,3}(?:,\d{3})+|\d{1,9})"
        pattern = rf"{number}\s?(?P<counter>{alternatives(_COUNTERS)})(?!の\d)"
        if not self._is_japanese:
            return []
        return compiled([(pattern, self._say), (r"(?<=月)1日", lambda _: FIRST_OF_MONTH)])

    def _say(self, found: re.Match[str]) -> str:
        return counted(self._reader, int(found["number"].replace(",", "")), found["counter"])


def counted(reader: NumberReader, number: int, counter: str) -> str:
    """Say a number of things."""
    ones = number % 10
    form = _COUNTERS.get(counter, {}).get(ones or (10 if number % 100 else 0))
    if form is None:
        return reader.cardinal(number) + counter
    if ones:
        return (reader.cardinal(number - ones) if number > ones else "") + form
    # The 十 that a round number ends with is said in the form: 三十分 is 三ジュップン.
    return reader.cardinal(number).removesuffix("十") + form
