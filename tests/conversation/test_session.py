"""The session: turns in order, interruptions, failures, and always back to listening."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from dataclasses import replace

import numpy as np
import pytest
import soundfile

from conversation.parts import (
    SPEECH,
    ManualSink,
    Recorder,
    ScriptedBackend,
    ScriptedDetector,
    ScriptedSource,
    ScriptedTranscriber,
    SecondPerWordVoice,
    answer,
    segment,
)
from s2s_desktop.conversation.events import (
    AssistantMessage,
    FinalTranscript,
    FinishReason,
    MicLevel,
    MicrophoneChanged,
    Notice,
    ReplyFinished,
    SpokenProgress,
    State,
    StateChanged,
    TextDelta,
    TurnFailed,
    TurnFinished,
    TurnReopened,
    TypedMessage,
)
from s2s_desktop.conversation.session import Behavior, Session
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.items import AssistantText, AudioPart, TextPart, UserMessage
from s2s_desktop.tts.clauses import ClauseSplitter
from s2s_desktop.tts.speakable_text import SpeakableText


class Conversation:
    """A session over scripted parts."""

    def __init__(self) -> None:
        self.source = ScriptedSource()
        self.detector = ScriptedDetector()
        self.sink = ManualSink()
        self.voice = SecondPerWordVoice()
        self.stages = Stages(
            make_source=lambda: self.source,
            make_detector=lambda: self.detector,
            make_speakable=SpeakableText,
            make_clauses=ClauseSplitter,
            sink=self.sink,
            synthesizer=self.voice,
        )
        self.session = Session(self.stages, History(chat_size=30), Behavior(system_prompt="Be brief."))
        self.seen = Recorder()
        self.session.add_observer(self.seen)

    def answers(self, *replies: list[object]) -> ScriptedBackend:
        backend = ScriptedBackend(*replies)  # type: ignore[arg-type]
        self.stages.language_model = backend
        return backend

    def hears(self, *texts: str) -> ScriptedTranscriber:
        transcriber = ScriptedTranscriber(*texts)
        self.stages.transcriber = transcriber
        return transcriber

    def behaves(self, **changes: object) -> None:
        self.session.behave(replace(self.session.behavior, **changes), ())  # type: ignore[arg-type]

    async def listen(self) -> None:
        self.session.set_microphone(True)
        await self.seen.until(lambda: bool(self.seen.of(MicrophoneChanged)))

    def speak(self, audio: np.ndarray = SPEECH) -> None:
        self.detector.script.append(segment(audio))
        self.source.deliver(audio)

    def states(self) -> list[State]:
        return [event.state for event in self.seen.of(StateChanged)]

    async def finished(self, turns: int = 1) -> None:
        await self.seen.until(
            lambda: len(self.seen.of(TurnFinished)) >= turns and self.session.state is not State.SPEAKING
        )


@pytest.fixture
async def conversation() -> AsyncIterator[Conversation]:
    conversation = Conversation()
    yield conversation
    await conversation.session.close()


async def test_a_spoken_turn_passes_every_state_and_returns_to_listening(conversation: Conversation) -> None:
    conversation.hears("What is the time?")
    conversation.answers(answer("It is noon."))
    await conversation.listen()
    conversation.speak()
    await conversation.finished()
    assert conversation.states() == [
        State.LISTENING,
        State.HEARING,
        State.TRANSCRIBING,
        State.THINKING,
        State.SPEAKING,
        State.LISTENING,
    ]
    assert conversation.seen.of(FinalTranscript)[0].text == "What is the time?"
    assert "".join(delta.text for delta in conversation.seen.of(TextDelta)) == "It is noon."
    assert conversation.seen.of(SpokenProgress)[-1] == SpokenProgress("It is noon.", finished=True)
    metrics = conversation.seen.of(TurnFinished)[0].metrics
    assert None not in (
        metrics.end_of_turn,
        metrics.stt_final,
        metrics.llm_first_token,
        metrics.tts_first_audio,
        metrics.voice_to_voice,
    )


async def test_a_typed_turn_needs_no_microphone(conversation: Conversation) -> None:
    backend = conversation.answers(answer("Hello."))
    await conversation.session.converse("  Hi  ")
    assert conversation.seen.of(TypedMessage) == [TypedMessage("Hi")]
    assert conversation.states()[-1] is State.IDLE
    assert backend.requests[0][-1] == UserMessage.of("Hi")


async def test_the_next_request_holds_the_whole_conversation(conversation: Conversation) -> None:
    backend = conversation.answers(answer("One."), answer("Two."))
    await conversation.session.converse("First")
    await conversation.session.converse("Second")
    assert backend.requests[1][1:] == [
        UserMessage.of("First"),
        AssistantText("One."),
        UserMessage.of("Second"),
    ]


async def test_an_empty_transcript_asks_nobody_and_listens_again(conversation: Conversation) -> None:
    conversation.hears("")
    backend = conversation.answers()
    await conversation.listen()
    conversation.speak()
    await conversation.finished()
    assert backend.requests == []
    assert conversation.session.state is State.LISTENING


async def test_a_failed_reply_keeps_its_text_leaves_no_trace_and_listens_again(
    conversation: Conversation,
) -> None:
    error = AssistantError(ErrorKind.SERVER, "The provider failed.")
    conversation.hears("Hello?", "Again?")
    backend = conversation.answers(
        [TextDelta("Well"), ReplyFinished(FinishReason.ERROR, error)], answer("Now it works.")
    )
    await conversation.listen()
    conversation.speak()
    await conversation.finished()
    assert conversation.seen.of(TurnFailed) == [TurnFailed(error)]
    assert conversation.session.state is State.LISTENING
    conversation.speak()
    await conversation.finished(2)
    assert not any(isinstance(item, AssistantText) for item in backend.requests[1])


async def test_without_a_language_model_the_turn_says_so(conversation: Conversation) -> None:
    await conversation.session.converse("Hello")
    assert conversation.seen.of(TurnFailed)[0].error.kind is ErrorKind.MODEL_MISSING


async def test_without_a_voice_the_reply_is_shown(conversation: Conversation) -> None:
    conversation.stages.synthesizer = None
    conversation.answers(answer("Only text."))
    await conversation.session.converse("Hello")
    assert conversation.seen.of(AssistantMessage) == [AssistantMessage("Only text.")]
    assert conversation.seen.of(TurnFailed) == []


async def test_a_failing_voice_does_not_fail_the_turn(conversation: Conversation) -> None:
    conversation.stages.synthesizer = SecondPerWordVoice(
        fails=AssistantError(ErrorKind.INTERNAL, "The voice broke.")
    )
    conversation.answers(answer("Still shown."))
    await conversation.session.converse("Hello")
    assert conversation.seen.of(ReplyFinished)[0].reason is FinishReason.STOP
    assert "shown but not spoken" in conversation.seen.of(Notice)[0].text
    assert conversation.seen.of(TurnFailed) == []


async def test_stop_silences_closes_the_stream_and_keeps_what_was_heard(conversation: Conversation) -> None:
    conversation.sink.instant = False
    backend = conversation.answers(
        answer("One two three four. Five six seven eight.", pause_before_end=True), answer("Next.")
    )
    conversation.session.send_text("Count")
    await conversation.sink.queued.wait()
    await backend.waiting.wait()
    conversation.sink.advance(2.0)
    conversation.session.stop_reply()
    assert conversation.sink.queued_seconds == 0.0
    await conversation.finished()
    assert backend.closed == 1
    assert conversation.states()[-2:] == [State.INTERRUPTED, State.IDLE]
    conversation.sink.instant = True
    await conversation.session.converse("Go on")
    assert AssistantText("One two", interrupted=True) in backend.requests[1]


async def test_a_new_message_interrupts_the_old_turn_and_its_late_results_are_dropped(
    conversation: Conversation,
) -> None:
    backend = conversation.answers(answer("Old answer", pause_before_end=True), answer("New answer."))
    conversation.session.send_text("Old")
    await backend.waiting.wait()
    conversation.session.send_text("New")
    backend.go_on.set()
    await conversation.finished(2)
    texts = [message.content for message in conversation.seen.of(AssistantMessage)]
    assert texts == ["New answer."]


async def test_speech_that_goes_on_during_transcription_becomes_one_question(
    conversation: Conversation,
) -> None:
    transcriber = conversation.hears("dropped", "Turn on the lamp")
    transcriber.gate.clear()
    backend = conversation.answers(answer("Done."))
    await conversation.listen()
    conversation.speak()
    await conversation.seen.until(lambda: State.TRANSCRIBING in conversation.states())
    conversation.speak()
    await conversation.seen.until(lambda: bool(conversation.seen.of(TurnReopened)))
    transcriber.gate.set()
    await conversation.finished()
    assert transcriber.lengths == [SPEECH.size, 2 * SPEECH.size]
    assert backend.requests[0][-1] == UserMessage.of("Turn on the lamp")


async def test_the_microphone_is_closed_while_the_voice_speaks(conversation: Conversation) -> None:
    conversation.sink.instant = False
    conversation.hears("Hello")
    conversation.answers(answer("A long answer."))
    await conversation.listen()
    conversation.speak()
    await conversation.sink.queued.wait()
    await conversation.seen.until(lambda: State.SPEAKING in conversation.states())
    fed = conversation.detector.fed
    conversation.source.deliver()
    assert conversation.detector.fed == fed
    conversation.sink.advance(10.0)
    await conversation.finished()
    conversation.source.deliver()
    assert conversation.detector.fed > fed
    assert conversation.detector.resets == 1


async def test_the_level_moves_with_the_microphone(conversation: Conversation) -> None:
    conversation.hears()
    await conversation.listen()
    conversation.source.deliver(np.full(16_000, 0.1, np.float32))
    await conversation.seen.until(lambda: bool(conversation.seen.of(MicLevel)))
    assert conversation.seen.of(MicLevel)[0].rms_dbfs == pytest.approx(-20.0, abs=0.1)


async def test_a_microphone_that_cannot_be_opened_is_explained(conversation: Conversation) -> None:
    conversation.source = ScriptedSource(refuses=AssistantError(ErrorKind.DEVICE, "No microphone was found."))
    conversation.hears()
    await conversation.listen()
    assert conversation.seen.of(MicrophoneChanged) == [
        MicrophoneChanged(on=False, problem="No microphone was found.")
    ]
    assert conversation.session.state is State.IDLE


async def test_a_lost_microphone_is_explained_and_typing_still_works(conversation: Conversation) -> None:
    conversation.hears()
    conversation.answers(answer("Yes."))
    await conversation.listen()
    conversation.source.on_end("The microphone was unplugged.")
    await conversation.seen.until(lambda: len(conversation.seen.of(MicrophoneChanged)) == 2)
    assert conversation.seen.of(MicrophoneChanged)[1].problem == "The microphone was unplugged."
    await conversation.session.converse("Still there?")
    assert conversation.seen.of(AssistantMessage) == [AssistantMessage("Yes.")]


async def test_an_observer_that_fails_does_not_stop_the_others(conversation: Conversation) -> None:
    def broken(turn: object, event: object) -> None:
        raise ValueError("broken observer")

    conversation.session.add_observer(broken)
    after = Recorder()
    conversation.session.add_observer(after)
    conversation.answers(answer("Fine."))
    await conversation.session.converse("Hello")
    assert after.of(AssistantMessage) == [AssistantMessage("Fine.")]


async def test_closing_in_the_middle_of_a_reply_ends_everything(conversation: Conversation) -> None:
    backend = conversation.answers(answer("Never finished", pause_before_end=True))
    conversation.session.send_text("Hello")
    await backend.waiting.wait()
    await conversation.session.close()
    assert backend.closed == 1
    assert len(asyncio.all_tasks()) == 1


async def test_a_model_that_hears_is_sent_the_sound_itself(conversation: Conversation) -> None:
    conversation.behaves(audio_input=True)
    backend = conversation.answers(answer("I heard you."))
    await conversation.listen()
    conversation.speak()
    await conversation.finished()
    (part,) = [part for item in backend.requests[0] if isinstance(item, UserMessage) for part in item.parts]
    assert isinstance(part, AudioPart)
    samples, rate = soundfile.read(io.BytesIO(part.wav), dtype="float32")
    assert (rate, samples.shape) == (16_000, SPEECH.shape)
    assert conversation.seen.of(AssistantMessage) == [AssistantMessage("I heard you.")]


async def test_the_model_is_asked_for_the_language_that_was_heard(conversation: Conversation) -> None:
    conversation.behaves(language_prompt=True)
    conversation.hears("Hello")
    backend = conversation.answers(answer("Hello."))
    await conversation.listen()
    conversation.speak()
    await conversation.finished()
    assert TextPart("Answer in English.") in backend.requests[0][-1].parts


async def test_starting_over_ends_the_reply_and_remembers_the_other_conversation(
    conversation: Conversation,
) -> None:
    backend = conversation.answers(answer("A long", pause_before_end=True), answer("Fine."))
    conversation.session.send_text("Tell me a story")
    await backend.waiting.wait()
    conversation.session.start_over([UserMessage.of("Earlier"), AssistantText("Indeed.")])
    await conversation.finished()
    assert backend.closed == 1
    assert conversation.session.state is State.IDLE
    await conversation.session.converse("And now?")
    assert backend.requests[1][1:] == [
        UserMessage.of("Earlier"),
        AssistantText("Indeed."),
        UserMessage.of("And now?"),
    ]


async def test_nothing_of_the_old_conversation_follows_after_starting_over(
    conversation: Conversation,
) -> None:
    backend = conversation.answers(answer("A long", pause_before_end=True))
    conversation.session.send_text("Tell me a story")
    await backend.waiting.wait()
    conversation.session.start_over([])
    seen = len(conversation.seen.events)
    backend.go_on.set()
    await conversation.finished()
    later = [type(event) for _, event in conversation.seen.events[seen:]]
    assert later == [TurnFinished]


async def test_the_speaker_is_told_from_the_first_word_to_the_last_that_voice_may_come(
    conversation: Conversation,
) -> None:
    expected: list[tuple[State, bool]] = []

    def observe(_turn: object, event: object) -> None:
        if isinstance(event, StateChanged):
            expected.append((event.state, conversation.sink.expects_voice))

    conversation.session.add_observer(observe)
    conversation.hears("What is the time?")
    conversation.answers(answer("It is noon."))

    await conversation.listen()
    conversation.speak()
    await conversation.finished()

    assert expected == [
        (State.LISTENING, False),
        (State.HEARING, True),
        (State.TRANSCRIBING, True),
        (State.THINKING, True),
        (State.SPEAKING, True),
        (State.LISTENING, False),
    ]
