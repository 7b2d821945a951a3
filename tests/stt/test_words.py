"""Words in any script."""

from __future__ import annotations

import pytest

from s2s_desktop.stt.words import needs_space, words_of


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("", []),
        ("...!", []),
        ("Turn on, the LAMP.", ["turn", "on", "the", "lamp"]),
        ("what's long-range?", ["what's", "long-range"]),
        ("¿Qué? «Straße»", ["qué", "strasse"]),
        ("他说：OK吗", ["他", "说", "ok", "吗"]),
        ("単に。", ["単", "に"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
        ("नमस्ते दुनिया।", ["नमस्ते", "दुनिया"]),
    ],
)
def test_words(text: str, keys: list[str]) -> None:
    assert [word.key for word in words_of(text)] == keys


def test_where_words_and_their_punctuation_end() -> None:
    assert [(word.end, word.tail) for word in words_of("Turn on, 吗？ go.")] == [
        (4, 4),
        (7, 8),
        (10, 11),
        (14, 15),
    ]


@pytest.mark.parametrize(
    ("before", "behind", "space"),
    [
        ("Turn", "on", True),
        ("Turn", " on", False),
        ("Turn ", "on", False),
        ("Turn", ", on", False),
        ("", "on", False),
        ("今天", "天气", False),
        ("你好。", "今天", False),
        ("你好", "OK", True),
        ("สวัสดี", "ครับ", False),
    ],
)
def test_what_has_to_be_joined_with_a_space(before: str, behind: str, space: bool) -> None:
    assert needs_space(before, behind) is space
