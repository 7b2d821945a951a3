"""What counts as words for the assistant while it speaks."""

from __future__ import annotations

import pytest

from s2s_desktop.conversation.overheard import is_backchannel, is_own_voice, repeats_last_words, words_of


@pytest.mark.parametrize(
    "text",
    ["", "...", "Mm-hmm.", "Uh-huh!", "Yeah, yeah.", "OK", "Okay, right.", "Hmm…"],
)
@pytest.mark.parametrize(
    "more", ["", "Ja, genau.", "Oui, d’accord.", "Sí, claro.", "はい、うん。", "嗯，对。", "हाँ, अच्छा"]
)
def test_signs_of_listening_are_no_words(text: str, more: str) -> None:
    assert is_backchannel(f"{text} {more}")


@pytest.mark.parametrize(
    "text",
    [
        "Stop",
        "No.",
        "Wait!",
        "Yes but why",
        "okay stop",
        "Warte",
        "Non",
        "だめ",
        "停",
        "नहीं",
        "What?",
        "Paris",
    ],
)
def test_everything_else_is_meant(text: str) -> None:
    assert not is_backchannel(text)


def test_words_keep_their_signs_in_every_script() -> None:
    assert words_of("“Don’t!” — हाँ, naïve uh-huh 東京。") == ["don't", "हाँ", "naïve", "uh-huh", "東京"]


SPOKEN = "The capital of France is Paris, and it lies on the river Seine."


@pytest.mark.parametrize(
    "text", ["The capital of France is Paris", "it lies on the river", "France is Paris and"]
)
def test_what_was_just_said_is_our_own_voice(text: str) -> None:
    assert is_own_voice(text, SPOKEN)


@pytest.mark.parametrize(
    "text", ["Paris", "Is Paris", "What is the capital of Spain and of Italy", "Tell me about London", ""]
)
def test_a_question_that_shares_words_is_not(text: str) -> None:
    assert not is_own_voice(text, SPOKEN)


@pytest.mark.parametrize("text", ["Seine", "the river...", "Paris, and"])
def test_one_or_two_of_the_last_words_are_our_own_voice_while_it_speaks(text: str) -> None:
    assert repeats_last_words(text, SPOKEN)


@pytest.mark.parametrize("text", ["", "The capital", "Stop", "river the", "lies on the river"])
def test_other_words_are_not(text: str) -> None:
    """Long ago, never, in another order, or enough words for `is_own_voice`."""
    assert not repeats_last_words(text, SPOKEN)


def test_without_a_reply_nothing_is_our_own_voice() -> None:
    assert not is_own_voice("three words here", "")
