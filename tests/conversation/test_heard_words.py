"""Which words were heard, by the clock of the speaker."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.conversation.heard_words import HeardWords
from s2s_desktop.tts.protocol import VoiceChunk, WordTime


def chunk(text: str, seconds: float, *words: tuple[str, float]) -> VoiceChunk:
    times = tuple(WordTime(word, start, start + 0.3) for word, start in words)
    return VoiceChunk(np.zeros(int(seconds * 1000), np.float32), 1000, text, times)


def test_a_word_counts_once_it_has_begun() -> None:
    heard = HeardWords()
    heard.add(
        chunk("It costs $5, right?", 2.0, ("It", 0.0), ("costs", 0.3), ("$5,", 0.8), ("right?", 1.5)), 10.0
    )
    assert [heard.until(played) for played in (10.0, 10.1, 10.9, 12.0)] == [
        "",
        "It",
        "It costs $5,",
        "It costs $5, right?",
    ]


def test_clauses_follow_each_other_with_one_space() -> None:
    heard = HeardWords()
    heard.add(chunk("Well,", 0.5, ("Well,", 0.0)), 0.0)
    heard.add(chunk("yes.", 0.5, ("yes.", 0.0)), 0.5)
    assert heard.until(5.0) == heard.everything() == "Well, yes."


def test_chinese_and_japanese_get_no_spaces() -> None:
    heard = HeardWords()
    heard.add(chunk("今日は", 1.0, ("今日", 0.0), ("は", 0.6)), 0.0)
    heard.add(chunk("晴れです。", 1.0), 1.0)
    assert heard.until(0.5) == "今日"
    assert heard.until(9.0) == "今日は晴れです。"


def test_without_word_times_the_words_share_the_time() -> None:
    heard = HeardWords()
    heard.add(chunk("one two three four", 4.0), 0.0)
    assert heard.until(1.7) == "one two"
    assert heard.until(4.0) == "one two three four"


@pytest.mark.parametrize("played", [0.0, 3.0, 99.0])
def test_nothing_said_is_nothing_heard(played: float) -> None:
    assert HeardWords().until(played) == ""
