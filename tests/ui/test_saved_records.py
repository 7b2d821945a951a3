"""A saved turn looks as it looked when it was held."""

from __future__ import annotations

from dataclasses import replace

import pytest

from s2s_desktop.conversation.events import ErrorKind
from s2s_desktop.conversation.store.records import Failure, Message, Role, SavedTurn, ToolUse
from s2s_desktop.ui import turn_record
from s2s_desktop.ui.saved_records import record_of

TURN = SavedTurn(
    7,
    1_700_000_000_000,
    (
        Message(Role.USER, "What is 6 times 7?"),
        Message(Role.ASSISTANT, "Let me see."),
        Message(Role.TOOL, tool=ToolUse("c1", "calculate", "6*7", "42")),
        Message(Role.ASSISTANT, "It is 42."),
    ),
    notice="The answer was cut.",
)


def test_text_and_tools_keep_their_order() -> None:
    record = record_of(TURN, -1)
    assert (record.number, record.user_text, record.notice) == (-1, TURN.user_text, TURN.notice)
    first, tool, last = record.parts
    assert isinstance(first, turn_record.TextRun)
    assert isinstance(last, turn_record.TextRun)
    assert (first.text, last.text) == ("Let me see.", "It is 42.")
    assert tool == turn_record.ToolUse("c1", "calculate", "6*7", "42")
    assert record.finished
    assert not record.is_waiting
    assert not record.interrupted


@pytest.mark.parametrize("change", [{"interrupted": True}, {"finished": False}])
def test_a_turn_that_was_cut_off_is_marked(change: dict[str, bool]) -> None:
    record = record_of(replace(TURN, heard="It is", **change), -1)
    assert record.interrupted
    assert record.heard == "It is"
    assert record.finished


def test_a_failure_can_be_read_again() -> None:
    failure = Failure(ErrorKind.QUOTA, "The quota is used up.")
    error = record_of(replace(TURN, failure=failure), -1).error
    assert error is not None
    assert (error.kind, error.message) == (ErrorKind.QUOTA, "The quota is used up.")
