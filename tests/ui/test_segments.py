"""However a reply is cut into deltas, the same pieces come out, and no character is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_desktop.ui.segments import CODE_LENGTH, HARD_LENGTH, Segment, SegmentSplitter


def split(*deltas: str) -> list[Segment]:
    splitter = SegmentSplitter()
    for delta in deltas:
        splitter.feed(delta)
    splitter.finish()
    return splitter.closed


def test_text_without_code_is_one_piece() -> None:
    assert split("One.\n\nTwo.") == [Segment("One.\n\nTwo.")]


def test_a_code_block_is_a_piece_of_its_own() -> None:
    assert split("Look:\n\n```python\nprint(1)\n```\nDone.") == [
        Segment("Look:\n"),
        Segment("print(1)", is_code=True, language="python"),
        Segment("Done."),
    ]


def test_a_tilde_fence_may_hold_backticks() -> None:
    assert split("~~~\n```\n~~~") == [Segment("```", is_code=True)]


def test_a_longer_fence_may_hold_a_shorter_one() -> None:
    assert split("````md\n```\ninside\n```\n````")[0] == Segment(
        "```\ninside\n```", is_code=True, language="md"
    )


def test_code_inside_a_list_loses_the_indent_of_the_list() -> None:
    assert split("1. Run\n   ```sh\n   ls\n     -l\n   ```")[1] == Segment("ls\n  -l", True, "sh")


def test_an_unclosed_block_is_still_code() -> None:
    assert split("```\na = 1") == [Segment("a = 1", is_code=True)]


def test_backticks_inside_a_line_are_no_fence() -> None:
    assert split("```inline``` code") == [Segment("```inline``` code")]


@pytest.mark.parametrize("start", ["-", "1.", "##", "```", "```py", ">", "|", "---", "**"])
def test_an_undecided_last_line_is_not_shown_while_it_streams(start: str) -> None:
    splitter = SegmentSplitter()
    splitter.feed(f"Text\n{start}")
    assert splitter.open_segment() == Segment("Text")
    splitter.finish()
    assert start.rstrip("`py") in "\n".join(segment.text for segment in splitter.closed)


def test_long_text_is_cut_between_paragraphs() -> None:
    paragraphs = [f"Paragraph {number}. " + "word " * 60 for number in range(20)]
    pieces = split("\n\n".join(paragraphs))
    assert len(pieces) > 2
    assert all(piece.text.startswith("Paragraph") for piece in pieces)
    assert all(len(piece.text) <= HARD_LENGTH for piece in pieces)


def test_a_list_item_is_not_torn_from_its_continuation() -> None:
    item = "- item\n\n" + "  continued " * 40 + "\n\n"
    assert all(piece.text.startswith("- item") for piece in split(item * 12))


def test_one_endless_line_is_cut_into_pieces_that_can_be_laid_out() -> None:
    pieces = split("x" * 100_000)
    assert all(len(piece.text) <= HARD_LENGTH for piece in pieces)
    assert sum(len(piece.text) for piece in pieces) == 100_000


def test_a_long_paragraph_is_cut_behind_a_sentence_and_goes_on_in_the_next_piece() -> None:
    sentence = "Late spring is the high season, so hotels cost more than in winter. "
    first, second, last = split(sentence * 55 + "\n\nAnother paragraph.")
    assert first.text.endswith("than in winter. ")
    assert second.text.startswith("Late spring")
    assert (first.continues, second.continues, last.continues) == (False, True, False)


def test_a_paragraph_after_a_cut_one_begins_anew() -> None:
    pieces = split("x" * HARD_LENGTH + "y\n\n```\ncode\n```\nEnd.")
    assert [piece.continues for piece in pieces] == [False, True, False, False]


def test_endless_code_is_cut_too() -> None:
    pieces = split("```\n" + "y = 1\n" * 10_000 + "```")
    assert all(piece.is_code and len(piece.text) <= CODE_LENGTH + 10 for piece in pieces)
    assert "\n".join(piece.text for piece in pieces).count("y = 1") == 10_000


MARKDOWN = st.lists(
    st.sampled_from(["word ", "\n", "\n\n", "```", "~~~", "- ", "1. ", "`", "| a |", "# ", "  ", "é", "**"]),
    max_size=60,
).map("".join)


@given(text=MARKDOWN, data=st.data())
def test_the_cuts_of_the_stream_do_not_matter(text: str, data: st.DataObject) -> None:
    deltas, rest = [], text
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        deltas.append(rest[:size])
        rest = rest[size:]
    assert split(*deltas) == split(text)


@given(text=MARKDOWN)
def test_no_visible_character_outside_fences_is_lost(text: str) -> None:
    kept = "".join(segment.text for segment in split(text))
    for mark in ("word", "é", "| a |"):
        # A fence line swallows what follows its marks: it is the name of the language.
        in_fence_lines = sum(
            line.count(mark) for line in text.split("\n") if line.lstrip().startswith(("```", "~~~"))
        )
        assert kept.count(mark) >= text.count(mark) - in_fence_lines
