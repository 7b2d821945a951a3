"""The record of a turn says what happened, whatever order the events of real providers take."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.conversation.events import (
    AssistantError,
    AssistantMessage,
    ErrorKind,
    Event,
    FinalTranscript,
    FinishReason,
    ReasoningDelta,
    ReplyFinished,
    SpokenProgress,
    State,
    StateChanged,
    TextDelta,
    ToolCall,
    ToolResult,
    TurnFailed,
    TurnFinished,
    TurnMetrics,
    TypedMessage,
    Usage,
    VoiceChunk,
)
from s2s_desktop.ui.turn_record import TextRun, ToolUse, TurnRecord

VOICE = VoiceChunk(np.zeros(0, np.float32), 24_000, "")
FINISHED = TurnFinished(TurnMetrics())
ERROR = AssistantError(ErrorKind.SERVER, "The server had a problem. Try again in a moment.")


def record_of(*events: Event) -> TurnRecord:
    record = TurnRecord(1)
    for event in events:
        record.apply(event)
    return record


def texts(record: TurnRecord) -> list[str]:
    return [part.text if isinstance(part, TextRun) else part.name for part in record.parts]


def test_deltas_are_concatenated_exactly() -> None:
    deltas = ["What ", "is", " ", "the\n\n", "weather", "?"]
    assert record_of(*map(TextDelta, deltas)).reply_text == "".join(deltas)


def test_the_whole_message_behind_its_deltas_is_not_added_a_second_time() -> None:
    record = record_of(TextDelta("It is "), TextDelta("raining."), AssistantMessage("It is raining."))
    assert record.reply_text == "It is raining."


def test_a_message_without_deltas_is_taken_as_it_is() -> None:
    assert record_of(AssistantMessage("It is raining.")).reply_text == "It is raining."


def test_text_and_tools_keep_their_order() -> None:
    record = record_of(
        TextDelta("Let me look."),
        AssistantMessage("Let me look."),
        ToolCall("call_1", "search", "{}"),
        ToolResult("call_1", "search", "found"),
        TextDelta("Here it is."),
    )
    assert texts(record) == ["Let me look.", "search", "Here it is."]
    assert record.reply_text == "Let me look.\n\nHere it is."


def test_a_result_goes_to_the_call_it_answers() -> None:
    record = record_of(
        ToolCall("a", "time", "{}"), ToolCall("b", "time", "{}"), ToolResult("b", "time", "noon")
    )
    assert [part.output for part in record.parts if isinstance(part, ToolUse)] == [None, "noon"]


def test_reasoning_is_no_part_of_the_reply() -> None:
    assert record_of(ReasoningDelta("hm")).parts == []


def test_usage_and_notice_are_kept() -> None:
    record = record_of(Usage(31, 3), ReplyFinished(FinishReason.LENGTH, notice="Cut by the length limit."))
    assert (record.usage, record.notice) == (Usage(31, 3), "Cut by the length limit.")
    assert not record.interrupted


def test_a_turn_waits_from_the_question_to_the_first_word() -> None:
    record = record_of(TypedMessage("Hi"))
    assert record.is_waiting
    record.apply(TextDelta("Hello"))
    assert not record.is_waiting


@pytest.mark.parametrize(
    "end",
    [
        [ReplyFinished(FinishReason.CANCELLED), FINISHED],
        [StateChanged(State.INTERRUPTED), FINISHED],
        [FINISHED],  # the stream was closed before the model had ended
    ],
)
def test_a_reply_that_was_cut_off_is_marked(end: list[Event]) -> None:
    assert record_of(FinalTranscript("Count"), TextDelta("One, two"), *end).interrupted


def test_a_voice_that_was_cut_off_marks_the_turn_even_when_the_text_was_complete() -> None:
    events = [FinalTranscript("Count"), TextDelta("One, two."), VOICE, ReplyFinished(FinishReason.STOP)]
    assert record_of(*events, SpokenProgress("One,"), FINISHED).interrupted
    assert not record_of(*events, SpokenProgress("One, two.", finished=True), FINISHED).interrupted


def test_a_reply_that_was_only_shown_is_not_interrupted() -> None:
    record = record_of(
        TypedMessage("Hi"), TextDelta("Hello"), ReplyFinished(FinishReason.STOP), TurnFinished(TurnMetrics())
    )
    assert not record.interrupted


def test_a_failure_keeps_what_came_before_and_is_no_interruption() -> None:
    record = record_of(TypedMessage("Hi"), TextDelta("Hel"), TurnFailed(ERROR), FINISHED)
    assert (record.reply_text, record.error, record.interrupted) == ("Hel", ERROR, False)


def test_nothing_said_leaves_the_question_empty() -> None:
    record = record_of(FinalTranscript(""), FINISHED)
    assert (record.user_text, record.interrupted) == ("", False)


def test_reopening_makes_the_first_answer_void() -> None:
    record = record_of(FinalTranscript("Could you"), TextDelta("Could I what?"), TurnFailed(ERROR))
    record.reopen(1)
    record.apply(FinalTranscript("Could you tell me the time?"))
    assert (record.revision, record.user_text) == (1, "Could you tell me the time?")
    assert (record.parts, record.error, record.finished) == ([], None, False)
