"""Transcribing, asking and speaking during the pause, with nothing shown before the turn is decided."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator

import numpy as np
import pytest

from conversation.parts import SPEECH, ScriptedSource, answer
from conversation.test_session import Conversation
from s2s_desktop.audio.protocol import AudioBlock
from s2s_desktop.conversation import speaking, transcribing
from s2s_desktop.conversation.events import (
    AssistantMessage,
    FinalTranscript,
    Notice,
    PartialTranscript,
    ReplyFinished,
    State,
    TextDelta,
    ToolResult,
    TurnFailed,
    TurnReopened,
    VoiceChunk,
)
from s2s_desktop.llm.events import FinishReason, ToolCall
from s2s_desktop.llm.items import AssistantText, UserMessage
from s2s_desktop.llm.tools.runner import ToolRunner, built_in_tools
from s2s_desktop.stt.captions import CaptionStabilizer
from s2s_desktop.vad.events import SpeechPaused, SpeechResumed, SpeechSegment, SpeechStarted
from s2s_desktop.vad.held import HeldEndpointer

END = SPEECH.size
SHOWN = TextDelta | AssistantMessage | VoiceChunk | FinalTranscript | ToolResult


@pytest.fixture
async def conversation() -> AsyncIterator[Conversation]:
    conversation = Conversation()
    conversation.behaves(barge_in="careful", preemptive_generation=True)
    yield conversation
    await conversation.session.close()


async def pause(conversation: Conversation) -> None:
    """The user has spoken and is silent for a moment."""
    await conversation.listen()
    conversation.detector.script += [[SpeechStarted(0)], [SpeechPaused(SPEECH, 0, END, END + 3_000)]]
    conversation.source.deliver()
    conversation.source.deliver()


def decide(conversation: Conversation) -> None:
    conversation.detector.script.append([SpeechSegment(SPEECH, 0, END, END + 9_000)])
    conversation.source.deliver()


async def test_the_reply_is_made_during_the_pause_and_shown_when_the_turn_is_decided(
    conversation: Conversation,
) -> None:
    conversation.hears("What is the time?")
    backend = conversation.answers(answer("It is noon."))
    await pause(conversation)
    assert await asyncio.to_thread(conversation.voice.spoke.wait, 10)  # the voice is made ahead, too
    assert conversation.seen.of(SHOWN) == []
    assert conversation.session.state is State.HEARING
    decide(conversation)
    await conversation.finished()
    assert [type(event) for event in conversation.seen.of(SHOWN)][:2] == [FinalTranscript, TextDelta]
    assert conversation.seen.of(AssistantMessage) == [AssistantMessage("It is noon.")]
    assert len(backend.requests) == 1


async def test_a_pause_soon_after_over_long_speech_was_split_loses_no_part_of_it(
    conversation: Conversation,
) -> None:
    """The first part is still being transcribed when the second one is there."""
    conversation.hears("A long story", "and its end.")
    conversation.answers(answer("Thank you."))
    await conversation.listen()
    conversation.detector.script += [
        [SpeechStarted(0)],
        [SpeechSegment(SPEECH, 0, END, END, goes_on=True), SpeechStarted(END)],
        [SpeechPaused(SPEECH, END, 2 * END, 2 * END + 3_000)],
        [SpeechSegment(SPEECH, END, 2 * END, 2 * END + 9_000)],
    ]
    for _ in range(4):
        conversation.source.deliver()
    await conversation.finished()
    assert [each.text for each in conversation.seen.of(FinalTranscript)] == ["A long story and its end."]


async def test_going_on_takes_the_request_back_and_leaves_no_trace(conversation: Conversation) -> None:
    conversation.hears("Turn on", "Turn on the lamp")
    backend = conversation.answers(answer("On what?", pause_before_end=True), answer("Done."))
    await pause(conversation)
    await backend.waiting.wait()
    conversation.detector.script.append([SpeechResumed()])
    conversation.source.deliver()
    await conversation.seen.until(lambda: True)
    conversation.detector.script.append([SpeechPaused(SPEECH, 0, 2 * END, 2 * END + 3_000)])
    conversation.source.deliver()
    conversation.detector.script.append([SpeechSegment(SPEECH, 0, 2 * END, 2 * END + 9_000)])
    conversation.source.deliver()
    await conversation.finished()
    assert backend.requests[1][1:] == [UserMessage.of("Turn on the lamp")]
    assert [each.text for each in conversation.seen.of(FinalTranscript)] == ["Turn on the lamp"]
    assert conversation.seen.of(AssistantMessage) == [AssistantMessage("Done.")]


async def test_no_tool_runs_before_the_turn_is_decided(conversation: Conversation) -> None:
    conversation.stages.tools = ToolRunner(built_in_tools())
    conversation.hears("What is two times three?")
    call = ToolCall("c1", "calculate", '{"expression": "2*3"}')
    backend = conversation.answers([call, ReplyFinished(FinishReason.TOOL_CALLS)], answer("Six."))
    await pause(conversation)
    await backend.answered.wait()
    assert conversation.seen.of(ToolResult) == []
    decide(conversation)
    await conversation.finished()
    assert len(conversation.seen.of(ToolResult)) == 1
    assert conversation.seen.of(AssistantMessage) == [AssistantMessage("Six.")]


async def test_speech_that_goes_on_soon_after_is_merged_and_asked_anew(conversation: Conversation) -> None:
    conversation.hears("Turn on", "Turn on the lamp")
    backend = conversation.answers(answer("On what?", pause_before_end=True), answer("Done."))
    await pause(conversation)
    decide(conversation)
    await backend.waiting.wait()
    start = END + 12_000
    conversation.detector.script += [
        [SpeechStarted(start)],
        [SpeechSegment(SPEECH, start, start + END, start + 2 * END)],
    ]
    conversation.source.deliver()
    conversation.source.deliver()
    await conversation.finished()
    assert conversation.seen.of(TurnReopened) == [TurnReopened()]
    assert backend.requests[1][1:] == [UserMessage.of("Turn on the lamp")]
    assert conversation.session.history.items("")[-2] == UserMessage.of("Turn on the lamp")


async def test_captions_follow_the_speech_and_end_with_it(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("s2s_desktop.conversation.captioning.EVERY_S", 0.01)
    transcriber = conversation.hears("Turn on the lamp")
    transcriber.drafts = ["Turn", "Turn on the", "Turn on the lamp"]
    conversation.stages.make_captions = CaptionStabilizer
    conversation.behaves(captions=True)
    conversation.answers(answer("Done."))
    await conversation.listen()
    conversation.detector.script.append([SpeechStarted(0)])
    conversation.source.deliver()
    for drafts in range(1, 4):
        conversation.source.deliver()
        await conversation.seen.until(
            lambda drafts=drafts: len(conversation.seen.of(PartialTranscript)) >= drafts
        )
    assert conversation.seen.of(PartialTranscript)[-1].text == "Turn on the lamp"
    decide(conversation)
    await conversation.finished()
    assert len(conversation.seen.of(PartialTranscript)) == 3


async def caption_of(conversation: Conversation, draft: str, start: int = 0) -> None:
    """The user begins to speak and is drafted."""
    conversation.hears(draft).drafts = [draft]
    conversation.stages.make_captions = CaptionStabilizer
    shown = len(conversation.seen.of(PartialTranscript))
    conversation.detector.script.append([SpeechStarted(start)])
    conversation.source.deliver()
    conversation.source.deliver()
    await conversation.seen.until(lambda: len(conversation.seen.of(PartialTranscript)) > shown)


@pytest.fixture
def quick_captions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("s2s_desktop.conversation.captioning.EVERY_S", 0.01)
    monkeypatch.setattr("s2s_desktop.conversation.captioning.LOOK_S", 0.01)


@pytest.mark.usefixtures("quick_captions")
async def test_the_model_reads_what_is_being_said_but_for_the_last_word(conversation: Conversation) -> None:
    conversation.behaves(captions=True)
    backend = conversation.answers(answer("Done."))
    await conversation.session.converse("Hello")
    await conversation.listen()
    await caption_of(conversation, "Turn on the lam")
    said_before = [UserMessage.of("Hello"), AssistantText("Done.")]
    assert [read[1:] for read in backend.read] == [[*said_before, UserMessage.of("Turn on the")]]
    assert conversation.session.history.items("") == said_before
    assert len(backend.requests) == 1


@pytest.mark.usefixtures("quick_captions")
@pytest.mark.parametrize(
    ("draft", "behaves"),
    [
        ("Turn on the lamp", {"preemptive_generation": False}),
        ("Turn on the lamp", {"audio_input": True}),
        ("Turn", {}),
        ("打开灯", {}),
    ],
)
async def test_nothing_is_read_ahead_where_it_is_unwanted_or_too_little(
    conversation: Conversation, draft: str, behaves: dict[str, bool]
) -> None:
    conversation.behaves(captions=True, **behaves)
    backend = conversation.answers()
    await conversation.listen()
    await caption_of(conversation, draft)
    assert backend.read == []


@pytest.mark.usefixtures("quick_captions")
async def test_the_rest_of_a_question_is_not_read_as_its_beginning(conversation: Conversation) -> None:
    conversation.behaves(captions=True)
    conversation.hears("Turn on")
    backend = conversation.answers(answer("On what?", pause_before_end=True))
    await pause(conversation)
    decide(conversation)
    await backend.waiting.wait()
    await caption_of(conversation, "Turn on the lamp", start=END + 12_000)
    assert conversation.seen.of(TurnReopened) == [TurnReopened()]
    assert backend.read == []


async def test_the_key_to_talk_makes_one_turn_of_everything_between(conversation: Conversation) -> None:
    conversation.stages.make_detector = HeldEndpointer
    conversation.behaves(key_to_talk=True)
    transcriber = conversation.hears("Hello")
    conversation.answers(answer("Hi."))
    conversation.session.push_to_talk(True)
    await conversation.seen.until(
        lambda: conversation.session.microphone_on and hasattr(conversation.source, "on_block")
    )
    await conversation.seen.until(lambda: conversation.session.state is State.LISTENING)
    for _ in range(3):
        conversation.source.deliver()
    conversation.session.push_to_talk(False)
    conversation.source.deliver()
    await conversation.finished()
    assert transcriber.lengths[0] >= 3 * SPEECH.size
    assert conversation.seen.of(AssistantMessage) == [AssistantMessage("Hi.")]


async def test_switching_off_in_the_middle_of_a_sentence_still_answers_it(conversation: Conversation) -> None:
    conversation.hears("What is the time?")
    conversation.answers(answer("Noon."))
    await conversation.listen()
    conversation.detector.script.append([SpeechStarted(0)])
    conversation.source.deliver()
    conversation.detector.script.append([SpeechSegment(SPEECH, 0, END, END)])
    conversation.session.set_microphone(False)
    await conversation.finished()
    assert conversation.seen.of(AssistantMessage) == [AssistantMessage("Noon.")]
    assert conversation.session.state is State.IDLE


# Watchdogs


async def test_a_transcription_that_hangs_is_given_up(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcribing, "TRANSCRIPTION_LIMIT_S", 0.05)
    transcriber = conversation.hears("never")
    transcriber.gate.clear()
    await conversation.listen()
    conversation.speak()
    await conversation.finished()
    transcriber.gate.set()
    assert "took too long" in conversation.seen.of(TurnFailed)[0].error.message
    assert conversation.session.state is State.LISTENING


async def test_a_speaker_that_stands_still_does_not_hold_the_conversation(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speaking, "STALLED_S", 0.1)
    conversation.sink.instant = False
    conversation.answers(answer("Nobody hears this."))
    await conversation.session.converse("Hello")
    assert "plays nothing" in conversation.seen.of(Notice)[0].text
    assert conversation.session.state is State.IDLE


async def test_a_voice_that_hangs_is_given_up(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speaking, "SYNTHESIS_LIMIT_S", 0.05)
    hang = threading.Event()
    monkeypatch.setattr(
        conversation.voice, "synthesize", lambda text, language="": iter(lambda: hang.wait(10), None)
    )
    conversation.answers(answer("Nobody hears this."))
    await conversation.session.converse("Hello")
    hang.set()
    assert "took too long" in conversation.seen.of(Notice)[0].text


async def test_a_file_plays_on_until_the_turn_can_no_longer_be_reopened(conversation: Conversation) -> None:
    conversation.source = ScriptedSource(live=False)
    transcriber = conversation.hears("Hello")
    transcriber.gate.clear()
    conversation.answers(answer("Hi."))
    await conversation.listen()
    conversation.speak()
    waited = threading.Event()

    def play_on() -> None:
        for position in (END, END + 12_000, END + 24_000):
            conversation.source.on_block(AudioBlock(np.zeros(12_000, np.float32), position, 100.0))
        waited.set()

    file = threading.Thread(target=play_on)
    file.start()
    await conversation.seen.until(lambda: State.TRANSCRIBING in conversation.states())
    assert not waited.wait(0.05)
    transcriber.gate.set()
    await conversation.finished()
    assert await asyncio.to_thread(waited.wait, 10)
    file.join()
