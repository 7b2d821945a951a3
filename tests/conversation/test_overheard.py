"""What counts as words for the assistant while it speaks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from conversation.unrelated_sentences import REMARKS, REPLIES
from s2s_desktop.conversation.overheard import is_backchannel, is_own_voice, repeats_last_words, words_of
from s2s_desktop.tts.verbalize import read_out, verbalize


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
    ("text", "spoken"),
    [
        ("What is the capital of France?", "The capital of France is Paris."),
        ("And what is the capital of Italy?", "The capital of France is Paris."),
        ("How long does it take to boil an egg?", "It takes about seven minutes to boil an egg."),
        ("So where does the river Seine begin?", "Paris lies on the river Seine."),
    ],
)
def test_a_question_about_what_was_said_is_for_the_assistant(text: str, spoken: str) -> None:
    assert not is_own_voice(text, spoken)


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


@pytest.fixture
def in_words() -> Callable[[str], str]:
    verbalize("1", "en")  # as the voice has done that says the reply
    return partial(read_out, language="en")


@pytest.mark.parametrize(
    ("written", "in_letters"),
    [
        ("1, 2, 3, 4, 5.", "One, two, three, four, five."),
        ("It's 12.50 dollars", "It's twelve point five zero dollars"),
        ("$12.50, 20% off", "twelve dollars and fifty cents, twenty percent off"),
        ("3 + 4 = 7", "Three plus four equals seven"),
        ("In 1984, on May 3", "in nineteen eighty-four, on May third"),
        ("at 7:45", "at seven forty-five"),
    ],
)
def test_figures_are_our_own_voice_however_they_are_written(
    in_words: Callable[[str], str], written: str, in_letters: str
) -> None:
    reply = "Here is what I know about that: {}"
    for heard, said in ((written, in_letters), (in_letters, written)):
        assert not is_own_voice(heard, reply.format(said)), "it takes more than the letters"
        assert is_own_voice(heard, reply.format(said), in_words)
    assert not is_own_voice("6, 8, 9, 10.", reply.format("One, two, three, four, five."), in_words)


@pytest.mark.parametrize(("heard", "said"), [("20.", "twenty"), ("Twenty", "20"), ("20%", "twenty percent")])
def test_a_figure_of_the_last_words_is_our_own_voice_while_it_speaks(
    in_words: Callable[[str], str], heard: str, said: str
) -> None:
    assert repeats_last_words(heard, f"It opens in {said} or so", in_words)
    assert not repeats_last_words("30", f"It opens in {said} or so", in_words)


def test_only_the_end_of_a_long_reply_is_read_out(in_words: Callable[[str], str]) -> None:
    read: list[str] = []
    is_own_voice(
        "What is 7 times 8?", "One, 2, three. " * 1_000, lambda text: read.append(text) or in_words(text)
    )
    assert sum(map(len, read)) < 600


@pytest.mark.parametrize("reply", REPLIES)
def test_remarks_on_something_else_are_meant(reply: str) -> None:
    assert not [remark for remark in REMARKS if is_own_voice(remark, reply)]
    assert all(is_own_voice(" ".join(reply.split()[start : start + 5]), reply) for start in range(0, 20, 5))
