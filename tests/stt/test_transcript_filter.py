"""What Whisper makes up is dropped, what people say is kept."""

from __future__ import annotations

import pytest

from s2s_desktop.stt.decoding import Decoding
from s2s_desktop.stt.transcript_filter import is_loop, needs_second_look, spoken_text

MADE_UP_OVER_SILENCE = [
    Decoding(" Thank you for watching!", no_speech_prob=0.8, avg_logprob=-0.3),
    Decoding(" Thanks for watching, see you in the next video.", no_speech_prob=0.9, avg_logprob=-0.9),
    Decoding("You", no_speech_prob=0.7, avg_logprob=-0.79),
    Decoding(" Bye bye.", no_speech_prob=0.7, avg_logprob=-0.2),
    Decoding(" Subtitles by the Amara.org community", no_speech_prob=0.65, avg_logprob=-0.2),
    Decoding(" I'm going to the store.", no_speech_prob=0.9, avg_logprob=-1.4),
]

LOOPS = [
    "you " * 40,
    "Hmm" + "m" * 217,
    "I'm sorry. " * 6,
    "go to the the the the the the the the the the the",
    "谢谢" * 10,
    "La la la la la la la la la la la la",
]

NO_WORDS = [
    "",
    "   ",
    "... ... ..." * 12,
    "[SPEAKING CHINESE]",
    "(music)",
    "*coughs*",
    "♪♪♪",
    "♪ la la ♪",
    "!",
]

SPEECH = [
    "no no no, stop",
    "Thank you.",
    "Bye.",
    "ha ha ha, very funny",
    "very very very good",
    "Call 0800 000 000 000 0000.",
    "The code is 1000000000000.",
    "Turn it on, turn it on!",
    "The first [inaudible] of many.",
    "你好，谢谢。",
    "नमस्ते",
]


@pytest.mark.parametrize("decoding", MADE_UP_OVER_SILENCE, ids=lambda decoding: decoding.text)
def test_words_over_silence_are_dropped(decoding: Decoding) -> None:
    assert spoken_text(decoding) == ""


@pytest.mark.parametrize("text", LOOPS)
def test_a_loop_is_dropped_and_worth_a_second_look(text: str) -> None:
    assert is_loop(text)
    assert spoken_text(Decoding(text)) == ""
    assert needs_second_look(Decoding(text))


def test_a_text_that_compresses_too_well_is_a_loop_however_it_reads() -> None:
    assert spoken_text(Decoding("words that repeat in some other way", compression_ratio=16.0)) == ""


@pytest.mark.parametrize("text", NO_WORDS)
def test_a_text_without_words_is_dropped(text: str) -> None:
    assert spoken_text(Decoding(text)) == ""


@pytest.mark.parametrize("text", SPEECH)
def test_speech_is_kept_as_it_is(text: str) -> None:
    assert spoken_text(Decoding(f" {text}", no_speech_prob=0.1, avg_logprob=-0.4)) == text


def test_a_clear_voice_is_kept_although_the_window_may_hold_no_speech() -> None:
    clear = Decoding(" Turn off the lights.", no_speech_prob=0.7, avg_logprob=-0.2)
    assert spoken_text(clear) == "Turn off the lights."


@pytest.mark.parametrize(
    ("decoding", "doubt"),
    [
        (Decoding("Turn on the lamp.", avg_logprob=-0.3, compression_ratio=0.8), False),
        (Decoding("turn on the living room lamp turn on the living room lamp"), True),
        (Decoding("Turn on the lamp.", avg_logprob=-1.2), True),
        (Decoding("Turn on the lamp.", truncated=True), True),
        (Decoding("No, no."), False),
    ],
)
def test_only_a_doubtful_decoding_is_paid_for_twice(decoding: Decoding, doubt: bool) -> None:
    assert needs_second_look(decoding) is doubt


@pytest.mark.parametrize(
    ("tokens", "voiced_s", "language", "doubt"),
    [
        (25, 10.8, "en", True),
        (28, 7.6, "en", False),
        (34, 9.8, "ja", True),
        (34, 9.8, "de", False),
        (25, 0.0, "en", False),
        (2, 1.85, "en", True),
        (4, 1.9, "en", False),
        (1, 1.0, "en", False),
        (None, 10.8, "en", False),
        (0, 5.0, "", True),
    ],
)
def test_a_text_too_short_for_the_speech_is_looked_at_again(
    tokens: int | None, voiced_s: float, language: str, doubt: bool
) -> None:
    assert needs_second_look(Decoding("Turn on the lamp.", tokens=tokens), voiced_s, language) is doubt
