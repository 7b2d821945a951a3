"""The recorder: what happened in a conversation is what is saved, once."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import numpy as np
import pytest

from conversation.store.kit import NOON, Shelf, integrity, reply_events, spoken_turn, typed_turn
from s2s_desktop.audio.level import MicLevel
from s2s_desktop.conversation.events import (
    AssistantMessage,
    FinalTranscript,
    FinishReason,
    Readiness,
    ReplyFinished,
    SpeechSegment,
    SpokenProgress,
    TextDelta,
    ToolCall,
    ToolResult,
    TurnFailed,
    TurnFinished,
    TurnId,
    TurnMetrics,
    TypedMessage,
    Usage,
    VoiceChunk,
)
from s2s_desktop.conversation.store.records import Failure, Message, Role, Span, ToolUse
from s2s_desktop.errors import AssistantError, ErrorKind


def texts(shelf: Shelf) -> list[list[str]]:
    return [[message.text for message in turn.messages] for turn in shelf.turns()]


def test_a_typed_turn_is_saved_with_what_is_known_of_it(shelf: Shelf) -> None:
    shelf.recorder.use_profile("Groq")
    metrics = TurnMetrics(llm_first_token=0.25)
    shelf.feed(
        1,
        [TypedMessage("Hello?"), *reply_events("Hi there."), Usage(12, 3), TurnFinished(metrics)],
    )
    (turn,) = shelf.turns()
    assert turn.messages == (Message(Role.USER, "Hello?"), Message(Role.ASSISTANT, "Hi there."))
    assert (turn.number, turn.created_at, turn.spoken, turn.finished) == (1, NOON, False, True)
    assert (turn.usage, turn.metrics, turn.profile) == (Usage(12, 3), metrics, "Groq")
    assert not turn.interrupted


def test_a_spoken_turn_knows_its_language_and_when_each_side_spoke(shelf: Shelf) -> None:
    shelf.recorder(None, Readiness(hearing=True, voice=True, llm=True))
    segment = SpeechSegment(np.zeros(48_000, np.float32), start=16_000, end=48_000, decided=56_000)
    shelf.feed(1, [segment, FinalTranscript("Guten Tag.", "de")])
    shelf.clock.seconds += 1
    chunk = VoiceChunk(np.zeros(24_000, np.float32), 24_000, "Hallo.")
    shelf.feed(1, [TextDelta("**Hallo.**"), AssistantMessage("**Hallo.**"), ReplyFinished(FinishReason.STOP)])
    shelf.feed(1, [chunk])
    shelf.clock.seconds += 1
    shelf.feed(1, [SpokenProgress("Hallo.", finished=True), TurnFinished(TurnMetrics())])
    (turn,) = shelf.turns()
    assert (turn.spoken, turn.language, turn.voiced, turn.heard) == (True, "de", True, "Hallo.")
    assert turn.speech == Span(NOON - 2500, NOON - 500)
    assert turn.voice == Span(NOON + 1000, NOON + 2000)
    assert shelf.library.conversation(shelf.recorder.conversation_id).language == "de"


def test_a_reply_is_saved_while_it_streams(shelf: Shelf) -> None:
    shelf.feed(1, [TypedMessage("Count."), TextDelta("One"), TextDelta(", two")])
    (turn,) = shelf.turns()
    assert turn.reply_text == "One, two"
    assert not turn.finished
    shelf.feed(1, [TextDelta(", three")])
    assert texts(shelf) == [["Count.", "One, two, three"]]


def test_tools_are_saved_between_the_texts_around_them(shelf: Shelf) -> None:
    call = ToolCall("c1", "calculator", '{"expression": "6*7"}')
    shelf.feed(
        1,
        [
            TypedMessage("6 times 7?"),
            TextDelta("Let me see."),
            AssistantMessage("Let me see."),
            call,
            Usage(10, 5),
            ToolResult("c1", "calculator", "42"),
            TextDelta("42."),
            AssistantMessage("42."),
            Usage(20, 1),
            ReplyFinished(FinishReason.STOP),
            TurnFinished(TurnMetrics()),
        ],
    )
    (turn,) = shelf.turns()
    assert turn.messages == (
        Message(Role.USER, "6 times 7?"),
        Message(Role.ASSISTANT, "Let me see."),
        Message(Role.TOOL, "", ToolUse("c1", "calculator", '{"expression": "6*7"}', "42")),
        Message(Role.ASSISTANT, "42."),
    )
    assert turn.usage == Usage(30, 6)


def test_a_failed_turn_keeps_what_arrived_and_says_why_it_ended(shelf: Shelf) -> None:
    error = AssistantError(ErrorKind.TRUNCATED, "The reply broke off.")
    shelf.feed(1, [TypedMessage("Go on."), TextDelta("Once upon"), TurnFailed(error)])
    shelf.feed(1, [TurnFinished(TurnMetrics())])
    (turn,) = shelf.turns()
    assert turn.reply_text == "Once upon"
    assert turn.failure == Failure(ErrorKind.TRUNCATED, "The reply broke off.")
    assert not turn.interrupted


def test_an_interrupted_reply_is_kept_whole_with_the_part_that_was_heard(shelf: Shelf) -> None:
    chunk = VoiceChunk(np.zeros(10, np.float32), 24_000, "One two three.")
    shelf.feed(1, [TypedMessage("Count."), TextDelta("One two three."), chunk, SpokenProgress("One")])
    shelf.feed(2, [TypedMessage("Stop!")])
    shelf.feed(1, [TurnFinished(TurnMetrics())])
    first, second = shelf.turns()
    assert (first.interrupted, first.heard, first.reply_text) == (True, "One", "One two three.")
    assert (second.user_text, second.finished) == ("Stop!", False)


def test_a_turn_that_is_reopened_replaces_its_first_half(shelf: Shelf) -> None:
    shelf.feed(1, [FinalTranscript("What is", "en"), TextDelta("What is what?"), AssistantMessage("What?")])
    assert shelf.recorder.flush()
    shelf.feed(1, [TurnFinished(TurnMetrics())])
    shelf.feed(1, [FinalTranscript("What is the time?", "en"), TextDelta("Noon.")], revision=1)
    shelf.feed(1, [TextDelta(" Late words of the first half.")], revision=0)
    shelf.feed(1, [AssistantMessage("Noon."), TurnFinished(TurnMetrics())], revision=1)
    assert texts(shelf) == [["What is the time?", "Noon."]]
    assert not shelf.library.search("half")
    assert [hit.snippet.text for hit in shelf.library.search("noon")] == ["Noon."]
    shelf.close()
    assert integrity(shelf.path) == "ok"


def test_speech_without_words_leaves_no_turn(shelf: Shelf) -> None:
    shelf.feed(1, [FinalTranscript(""), TurnFinished(TurnMetrics())])
    assert shelf.recorder.flush()
    assert shelf.library.conversations() == []


def test_a_conversation_goes_on_after_it_was_resumed(shelf: Shelf) -> None:
    shelf.say(1, "First.", "One.")
    conversation = shelf.recorder.conversation_id
    shelf.recorder.new_conversation()
    shelf.say(2, "Elsewhere.", "Two.")
    shelf.recorder.resume(conversation)
    shelf.say(1, "Back again.", "Three.")
    assert [turn.number for turn in shelf.turns()] == [1, 2]
    assert texts(shelf) == [["First.", "One."], ["Back again.", "Three."]]
    assert len(shelf.library.conversations()) == 2


def test_nothing_is_kept_when_the_user_wants_nothing_kept(shelf: Shelf) -> None:
    shelf.recorder.keep(text=False, sound=True)
    shelf.say(1, "A secret question.", "A secret answer.")
    assert shelf.library.conversations() == []
    assert b"secret" not in shelf.bytes_on_disk()


def test_switching_off_in_the_middle_of_a_turn_keeps_nothing_of_what_follows(shelf: Shelf) -> None:
    shelf.feed(1, [TypedMessage("Known."), TextDelta("So far.")])
    assert shelf.recorder.flush()
    shelf.recorder.keep(text=False, sound=False)
    shelf.feed(1, [TextDelta(" Not this."), TurnFinished(TurnMetrics())])
    shelf.recorder.keep(text=True, sound=False)
    shelf.feed(1, [TextDelta(" Nor this.")])
    shelf.feed(2, typed_turn("New.", "Here."))
    assert texts(shelf) == [["New.", "Here."]]
    assert b"this." not in shelf.bytes_on_disk()


def test_a_conversation_that_was_removed_for_good_does_not_come_back(shelf: Shelf) -> None:
    shelf.feed(1, [TypedMessage("Forget me."), TextDelta("I")])
    assert shelf.recorder.flush()
    shelf.library.delete(shelf.recorder.conversation_id)
    assert shelf.library.purge_deleted(0) == 1
    shelf.feed(1, [TextDelta(" will."), TurnFinished(TurnMetrics())])
    assert shelf.recorder.flush()
    assert shelf.library.conversations() == []
    shelf.say(2, "Something else.", "Fine.")
    assert [found.title for found in shelf.library.conversations()] == ["Something else."]


def test_halves_of_a_character_that_came_in_two_pieces_are_joined(shelf: Shelf) -> None:
    shelf.feed(1, [TypedMessage("Smile \ud83d"), TextDelta("\ud83d"), TextDelta("\ude00")])
    assert texts(shelf) == [["Smile \ufffd", "\U0001f600"]]


def test_sound_levels_cost_nothing(shelf: Shelf) -> None:
    for _ in range(1000):
        shelf.recorder(None, MicLevel(-20.0, -10.0))
    assert shelf.recorder.flush()
    assert not shelf.path.exists()


def test_five_thousand_deltas_are_written_together(shelf: Shelf) -> None:
    commits: list[str] = []
    shelf.say(1, "Before.", "This opens the file.")
    shelf.database._connection.set_trace_callback(  # type: ignore[union-attr]
        lambda statement: commits.append(statement) if statement == "COMMIT" else None
    )
    shelf.feed(2, [TypedMessage("Long?"), *(TextDelta(f"{number} ") for number in range(5000))])
    assert shelf.turns()[-1].reply_text == "".join(f"{number} " for number in range(5000))
    assert len(commits) < 100


def test_what_cannot_be_written_waits_and_is_written_later(shelf: Shelf) -> None:
    shelf.say(1, "Before.", "All is well.")
    other = sqlite3.connect(shelf.path, isolation_level=None)
    shelf.database._wait_s = 0.0
    other.execute("BEGIN EXCLUSIVE")
    shelf.feed(2, typed_turn("While it is locked.", "It goes on."))
    assert not shelf.recorder.flush()
    (problem,) = shelf.problems
    assert "busy" in problem
    assert "goes on" in problem
    other.execute("ROLLBACK")
    other.close()
    assert texts(shelf) == [["Before.", "All is well."], ["While it is locked.", "It goes on."]]
    assert shelf.problems[1:] == ["Conversations are saved again."]


def test_a_full_disk_is_said_once_and_nothing_is_lost(shelf: Shelf) -> None:
    shelf.say(1, "Before.", "All is well.")
    connection = shelf.database._connection
    assert connection is not None
    connection.execute(f"PRAGMA max_page_count={connection.execute('PRAGMA page_count').fetchone()[0]}")
    long = "much text " * 5000
    shelf.feed(2, typed_turn("Long?", long))
    assert not shelf.recorder.flush()
    shelf.feed(3, typed_turn("And now?", "Still here."))
    assert not shelf.recorder.flush()
    assert len(shelf.problems) == 1
    assert "disk is full" in shelf.problems[0]
    connection.execute("PRAGMA max_page_count=1000000")
    assert texts(shelf) == [["Before.", "All is well."], ["Long?", long], ["And now?", "Still here."]]


def test_two_processes_write_into_one_conversation_without_losing_a_turn(tmp_path: Path) -> None:
    shelves = [Shelf(tmp_path / "data"), Shelf(tmp_path / "data")]
    shelves[0].say(0, "Begin.", "Yes.")
    conversation = shelves[0].recorder.conversation_id
    shelves[1].recorder.resume(conversation)

    def talk(shelf: Shelf, name: str) -> None:
        for number in range(1, 11):
            shelf.say(number, f"{name} {number}", "Good.")

    threads = [
        threading.Thread(target=talk, args=(shelf, name))
        for shelf, name in zip(shelves, ("left", "right"), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said = sorted(turn.user_text for turn in shelves[0].turns())
    assert said == sorted(["Begin.", *(f"{name} {n}" for name in ("left", "right") for n in range(1, 11))])
    for shelf in shelves:
        shelf.close()
    assert integrity(shelves[0].path) == "ok"


def test_the_observer_is_told_of_new_and_finished_conversations_only(shelf: Shelf) -> None:
    shelf.feed(1, [TypedMessage("Hello.")])
    assert shelf.recorder.flush()
    conversation = shelf.recorder.conversation_id
    assert shelf.saved == [conversation]
    shelf.feed(1, [TextDelta("Hi.")])
    assert shelf.recorder.flush()
    assert shelf.saved == [conversation]
    shelf.feed(1, [TurnFinished(TurnMetrics())])
    assert shelf.recorder.flush()
    assert shelf.saved == [conversation, conversation]


def test_the_title_comes_from_the_first_words(shelf: Shelf) -> None:
    shelf.feed(1, spoken_turn("What is the capital of France?", "Paris."))
    shelf.feed(2, spoken_turn("And of Spain?", "Madrid."))
    shelf.turns()
    assert [found.title for found in shelf.library.conversations()] == ["What is the capital of France?"]


@pytest.mark.parametrize("sound", [True, False])
def test_sound_is_kept_only_when_asked_for(shelf: Shelf, sound: bool) -> None:
    shelf.recorder.keep(text=True, sound=sound)
    speech = SpeechSegment(np.full(1600, 0.5, np.float32), 0, 1600, 1600)
    voice = VoiceChunk(np.full(2400, 0.25, np.float32), 24_000, "Hi.")
    shelf.feed(1, [speech, FinalTranscript("Hello."), TextDelta("Hi."), voice, voice])
    shelf.feed(1, [ReplyFinished(FinishReason.STOP), SpokenProgress("Hi.", finished=True)])
    shelf.feed(1, [TurnFinished(TurnMetrics())])
    assert shelf.recorder.flush()
    found = shelf.library.recordings(shelf.recorder.conversation_id)
    wanted = [(1, Role.USER), (1, Role.ASSISTANT)] if sound else []
    assert [(recording.turn, recording.role) for recording in found] == wanted


def test_an_event_without_a_turn_of_ours_is_passed_over(shelf: Shelf) -> None:
    shelf.recorder(TurnId(7), TextDelta("Nobody asked."))
    shelf.recorder(TurnId(7), TurnFinished(TurnMetrics()))
    assert shelf.recorder.flush()
    assert not shelf.path.exists()


def test_a_server_that_counts_nonsense_stops_nothing(shelf: Shelf) -> None:
    shelf.feed(1, [TypedMessage("Hello?"), Usage(10**30, -5), TurnFinished(TurnMetrics())])
    (turn,) = shelf.turns()
    assert turn.usage == Usage(2**53, 0)
