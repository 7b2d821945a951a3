"""However a reply is cut into deltas, the same pieces come out, and no character is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_desktop.ui.segments import (
    CODE_LENGTH,
    HARD_LENGTH,
    TABLE_BARS,
    TABLE_LENGTH,
    Segment,
    SegmentSplitter,
)


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


TABLE = "| a | b |\n|---|:-:|\n| 1 | 2 |"


def test_a_table_is_a_piece_of_its_own() -> None:
    assert split(f"Look:\n\n{TABLE}\n\nDone.") == [
        Segment("Look:\n"),
        Segment(TABLE, is_table=True),
        Segment("\nDone."),
    ]


def test_a_table_needs_no_empty_line_before_it_and_none_behind_it() -> None:
    assert split(f"Look:\n{TABLE}\nDone.") == [
        Segment("Look:"),
        Segment(TABLE, is_table=True),
        Segment("Done."),
    ]


@pytest.mark.parametrize(
    "table",
    [
        "a | b\n--- | ---\n1 | 2",
        "| a |\n| - |\n| 1 |",
        r"| a \| b |" + "\n|---|\n| 1 |",
        "| a | b |\n|---|---|",
    ],
)
def test_what_is_a_table(table: str) -> None:
    assert split(table) == [Segment(table, is_table=True)]


@pytest.mark.parametrize(
    "text",
    [
        "a | b\nc | d",
        "a\n---",
        "| a | b |\n|---|",
        "> | a | b |\n|---|---|",
        "- a | b\n--- | ---",
        "# a | b\n--- | ---",
        "| a | b |\n\n|---|---|",
    ],
)
def test_what_is_none(text: str) -> None:
    assert not any(piece.is_table for piece in split(text))


def test_a_table_inside_a_list_loses_the_indent_of_the_list() -> None:
    assert split("1. Compare\n   | a | b |\n   |---|:-:|\n   | 1 | 2 |")[1] == Segment(TABLE, is_table=True)


def test_bars_inside_code_are_no_table() -> None:
    assert split(f"```\n{TABLE}\n```") == [Segment(TABLE, is_code=True)]


def test_code_may_follow_a_table_at_once() -> None:
    pieces = split(f"{TABLE}\n```\ncode\n```")
    assert [(piece.is_table, piece.is_code) for piece in pieces] == [(True, False), (False, True)]


@pytest.mark.parametrize("row", ["| 1 | 2 |", "| " + "word " * 150 + "| 2 |"])
def test_a_table_too_large_to_lay_out_goes_on_under_the_same_header(row: str) -> None:
    header = "| a | b |\n|---|---|"
    pieces = split("\n".join([header, *[row] * 100]))
    assert len(pieces) > 1
    assert all(piece.is_table and piece.text.startswith(header) for piece in pieces)
    assert all(piece.text.count("|") <= TABLE_BARS and len(piece.text) <= TABLE_LENGTH for piece in pieces)
    assert sum(piece.text.count(row) for piece in pieces) == 100
    assert [piece.continues for piece in pieces] == [False] + [True] * (len(pieces) - 1)


def test_a_header_that_is_larger_than_a_table_may_be_is_text() -> None:
    """It would stand over every piece of the table again."""
    pieces = split("| a |\n|" + "-" * 100_000 + "|\n" + "| 1 |\n" * 10_000)
    assert sum(len(piece.text) for piece in pieces) < 200_000


def test_no_bars_are_shown_while_a_table_begins() -> None:
    splitter = SegmentSplitter()
    shown = []
    for character in f"Look:\n\n{TABLE}\n":
        splitter.feed(character)
        segment = splitter.open_segment()
        shown.append(segment if segment is None or not segment.is_table else None)
    assert not any("|" in segment.text for segment in shown if segment)
    assert splitter.open_segment() == Segment(TABLE, is_table=True)


def test_a_row_of_a_table_is_shown_when_it_is_complete() -> None:
    splitter = SegmentSplitter()
    splitter.feed(f"{TABLE}\n| 3")
    assert splitter.open_segment() == Segment(TABLE, is_table=True)
    splitter.feed(" | 4 |\n")
    assert splitter.open_segment() == Segment(f"{TABLE}\n| 3 | 4 |", is_table=True)


def test_bars_that_make_no_table_are_shown() -> None:
    splitter = SegmentSplitter()
    splitter.feed("|x| is the size\nof x")
    assert splitter.open_segment() == Segment("|x| is the size\nof x")


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
    st.sampled_from(
        ["word ", "\n", "\n\n", "```", "~~~", "- ", "1. ", "`", "| a |", "|---|", "# ", "  ", "é", "**"]
    ),
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
