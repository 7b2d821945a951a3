"""Words are handed out as their sound goes by, and none is lost."""

from __future__ import annotations

import pytest

from s2s_desktop.tts.remote_pacing import SpokenPace


@pytest.mark.parametrize(
    "text", ["Turn on the lamp.", " Two  spaces ", "今天天气很好。OK 吗？", "한국어 문장", ""]
)
def test_the_words_in_a_row_are_the_text(text: str) -> None:
    clock = SpokenPace().begin(text)
    given = [clock.until(tenth / 10) for tenth in range(5)]
    assert "".join(given) + clock.rest() == text
    assert clock.rest() == ""


def test_words_come_when_they_begin() -> None:
    clock = SpokenPace().begin("one two three four five six")
    assert clock.until(0.1) == "one "
    assert clock.until(0.1) == ""
    assert clock.until(0.6) == "two three "


def test_chinese_takes_its_time() -> None:
    clock = SpokenPace().begin("今天天气很好")
    assert clock.until(0.5) == "今天天"


def test_a_slow_voice_is_learned() -> None:
    pace = SpokenPace()
    text = "one two three four five six"
    for _ in range(6):
        pace.learn(text, 2 * len(text) / 15)
    assert pace.begin(text).until(0.6) == "one two "


def test_a_voice_that_was_cut_short_teaches_nothing() -> None:
    pace = SpokenPace()
    pace.learn("one two three", 0.0)
    assert pace.begin("one two three").until(0.1) == "one "
