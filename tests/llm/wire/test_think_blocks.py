"""Thoughts between tags never become part of the answer, however the tags are cut."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_desktop.llm.stream.think_blocks import Piece, ThinkBlockSplitter


def split(*chunks: str, starts_inside: bool = False, complete: bool = True) -> tuple[str, str]:
    """Return the answer and the thoughts."""
    splitter = ThinkBlockSplitter(starts_inside)
    pieces: list[Piece] = []
    for chunk in chunks:
        pieces += splitter.feed(chunk)
    pieces += splitter.close(complete)
    return tuple("".join(p.text for p in pieces if p.kind == kind) for kind in ("answer", "thought"))  # type: ignore[return-value]


CASES = [
    ("<think>\nBe short.\n</think>\n\nGood morning!", "Good morning!", "\nBe short.\n"),
    ("<THINK>a</Think>b", "b", "a"),
    ("<thinking>a</thinking>b", "b", "a"),
    ("<thought>a < b and </think></thought>c", "c", "a < b and </think>"),
    ("<think></think>Hi", "Hi", ""),
    ("Hi <think>a</think>there", "Hi there", "a"),
    ("<think>a</think>Hi<think>b</think> there", "Hi there", "ab"),
    ("<think>never closed", "", "never closed"),
    ("a < b <thin ice> </thinker> <", "a < b <thin ice> </thinker> <", ""),
    ("Write `<think>` first.", "Write `<think>` first.", ""),
    ('The "</think>" tag', 'The "</think>" tag', ""),
    ("no tags\n\n at all ", "no tags\n\n at all ", ""),
]


@pytest.mark.parametrize(("text", "answer", "thought"), CASES)
def test_tags_are_found_at_any_cut(text: str, answer: str, thought: str) -> None:
    assert split(text) == (answer, thought)
    assert split(*text) == (answer, thought)
    for cut in range(len(text)):
        assert split(text[:cut], text[cut:]) == (answer, thought), cut


@settings(deadline=None)
@given(st.lists(st.text(alphabet="ab <>/`think\n", max_size=9), max_size=9))
def test_the_cuts_of_a_text_do_not_matter_once_no_tag_stands_alone(chunks: list[str]) -> None:
    text = "<think>" + "".join(chunks) + "</think>" + "".join(chunks).replace("</", "")

    assert split(*text) == split(text)


@settings(deadline=None)
@given(st.lists(st.text(max_size=9), max_size=9))
def test_text_without_tags_passes_through_unchanged(chunks: list[str]) -> None:
    chunks = [chunk.replace("<", "(") for chunk in chunks]

    assert split(*chunks) == ("".join(chunks), "")


def test_text_is_not_held_back_when_no_tag_can_follow() -> None:
    splitter = ThinkBlockSplitter()

    assert splitter.feed("1 < 2 is true") == [Piece("answer", "1 < 2 is true")]
    assert splitter.feed("<thi") == []
    assert splitter.feed("s>") == [Piece("answer", "<this>")]


def test_a_closing_tag_alone_ends_the_thoughts_before_it() -> None:
    splitter = ThinkBlockSplitter()

    assert splitter.feed("The user greets me.</think>\n\nHello") == [
        Piece("thought", "The user greets me."),
        Piece("answer", "Hello"),
    ]
    assert splitter.closed_unopened


@pytest.mark.parametrize("cut", range(1, 30))
def test_a_model_known_to_start_inside_is_held_back_until_the_closing_tag(cut: int) -> None:
    text = "He greets me.</think>\n\nHello there"

    assert split(text[:cut], text[cut:], starts_inside=True) == ("Hello there", "He greets me.")


def test_a_model_known_to_start_inside_that_answers_at_once_loses_nothing() -> None:
    assert split("Hel", "lo", starts_inside=True) == ("Hello", "")
    assert split("<think>a</think>Hello", starts_inside=True) == ("Hello", "a")


def test_what_was_held_back_of_a_broken_reply_counts_as_thought() -> None:
    assert split("He gre", starts_inside=True, complete=False) == ("", "He gre")
