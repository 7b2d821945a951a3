"""The conversation: turns in their order, the one place that changes the state."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2s_desktop.audio.level import MicLevel
from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.audio.sound_file import wav_bytes
from s2s_desktop.conversation.events import (
    Event,
    FinalTranscript,
    MicrophoneChanged,
    Notice,
    Observer,
    SpeechDiscarded,
    SpeechSegment,
    SpeechStarted,
    SpokenProgress,
    State,
    StateChanged,
    TurnFailed,
    TurnFinished,
    TurnId,
    TypedMessage,
    VoiceChunk,
)
from s2s_desktop.conversation.hearing import Heard, Hearing, TurnDetector
from s2s_desktop.conversation.metrics import TurnClock
from s2s_desktop.conversation.reply import Reply
from s2s_desktop.conversation.speaking import Speaking
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.history.serialize import AUDIO_PLACEHOLDER
from s2s_desktop.llm.items import AudioPart, Item, UserMessage
from s2s_desktop.llm.prompts import language_prompt
from s2s_desktop.runtime.tasks import TaskGroup

_log = logging.getLogger(__name__)

ECHO_TAIL_S = 0.3
"""The microphone stays closed this long after the voice ended: the room and the sound card still ring."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What the user chose about the conversation.

    Attributes:
        system_prompt: Instructions ahead of the conversation.
        stt_language: ISO 639-1; "" detects it.
        language_prompt: Ask the model to answer in the language that was heard.
        audio_input: Send the user's speech as sound instead of a transcript, to a model that hears.
    """

    system_prompt: str
    stt_language: str = ""
    language_prompt: bool = False
    audio_input: bool = False


class Session:
    """Runs turns over the stages and tells observers about it.

    Everything here happens on one event loop. Stages call back from their own threads through
    `call_soon_threadsafe`; results of a turn that is no longer the current one are dropped.
    """

    def __init__(self, stages: Stages, history: History, behaviour: Behaviour) -> None:
        self.stages = stages
        self.behaviour = behaviour
        self.state = State.IDLE
        self._history = history
        self._observers: list[Observer] = []
        self._tasks = TaskGroup(self._task_failed)
        self._turn = TurnId(0)
        self._turn_task: asyncio.Task[Any] | None = None
        self._reply: Reply | None = None
        self._untranscribed = _NOTHING
        self._hearing: Hearing | None = None
        self._microphone_wanted = False
        self._microphone_lock = asyncio.Lock()
        self._loop = asyncio.get_running_loop()

    def add_observer(self, observer: Observer) -> None:
        """Send every event from now on to `observer`."""
        self._observers.append(observer)

    def publish(self, event: Event, turn: TurnId | None = None) -> None:
        """Tell every observer. An observer that raises is logged and stays subscribed."""
        for observer in self._observers:
            try:
                observer(turn, event)
            except Exception:
                _log.exception("an observer failed on %s", type(event).__name__)

    def behave(self, behaviour: Behaviour, priming: Sequence[Item]) -> None:
        """Use another behaviour and other example exchanges from the next turn on."""
        self.behaviour = behaviour
        self._history.priming = tuple(priming)

    # Commands

    def send_text(self, text: str) -> None:
        """Begin a turn with a typed message; a reply that is under way is interrupted."""
        text = text.strip()
        if not text:
            return
        clock = TurnClock(time.monotonic())
        turn = self._begin_turn()
        self.publish(TypedMessage(text), turn)
        self._run_turn(turn, lambda: self._answer(turn, UserMessage.of(text), clock), clock)

    def stop_reply(self) -> None:
        """Silence the voice and end the reply at once; listening goes on if it was on."""
        if self._turn_task is not None and not self._turn_task.done():
            self._interrupt()
            self._set_state(State.INTERRUPTED)
            self._rest()

    def start_over(self, items: Iterable[Item]) -> None:
        """Go on with another conversation: a running turn ends at once, and nothing of it follows any more.

        Args:
            items: What is remembered of the other conversation; none for a new one. See `History.load`.
        """
        self.stop_reply()
        self._turn = TurnId(self._turn.number + 1)
        self._untranscribed = _NOTHING
        self._history.load(items)
        self._rest()

    def set_microphone(self, on: bool) -> None:
        """Listen, or stop listening. Opening a device takes a while and happens beside the event loop."""
        self._microphone_wanted = on
        self._tasks.start(self._switch_microphone(), "microphone")

    async def converse(self, text: str) -> None:
        """Send a typed message and return when its turn is over."""
        self.send_text(text)
        await self.settled()

    async def settled(self) -> None:
        """Return when no turn is running."""
        while self._turn_task is not None and not self._turn_task.done():
            await asyncio.wait([self._turn_task])

    async def close(self) -> None:
        """End everything: microphone, reply, voice. Idempotent.

        Raises:
            AssistantError: What a sink that records could not write.
        """
        hearing, self._hearing = self._hearing, None
        self._interrupt()
        await self._tasks.cancel_all()
        try:
            if hearing is not None:
                await asyncio.to_thread(hearing.stop)
            if self.stages.sink is not None:
                await asyncio.to_thread(self.stages.sink.stop)
        finally:
            for worker in (self.stages.stt_worker, self.stages.tts_worker):
                worker.close()

    # Microphone

    async def _switch_microphone(self) -> None:
        async with self._microphone_lock:
            if self._microphone_wanted == (self._hearing is not None):
                return
            if not self._microphone_wanted:
                await self._close_microphone("")
            elif self.stages.make_detector is None:
                self._microphone_wanted = False
                problem = "Speech recognition is not ready yet. You can type meanwhile."
                self.publish(MicrophoneChanged(on=False, problem=problem))
            else:
                await self._open_microphone(self.stages.make_detector())

    async def _open_microphone(self, detector: TurnDetector) -> None:
        # Known before it is started: a file may deliver everything before `start` has returned.
        hearing = self._hearing = Hearing(
            self.stages.make_source(),
            detector,
            on_level=lambda level: self._from_thread(self._level_measured, hearing, level),
            on_heard=lambda heard: self._from_thread(self._speech_heard, hearing, heard),
            on_end=lambda problem: self._from_thread(self._source_ended, hearing, problem),
        )
        if self.state is State.SPEAKING:
            hearing.hold()
        try:
            await asyncio.to_thread(hearing.start)
        except AssistantError as error:
            self._hearing = None
            self._microphone_wanted = False
            self.publish(MicrophoneChanged(on=False, problem=error.message))
            return
        self.publish(MicrophoneChanged(on=True))
        if self._is_resting():
            self._rest()

    async def _close_microphone(self, problem: str) -> None:
        hearing, self._hearing = self._hearing, None
        self._microphone_wanted = False
        self.publish(MicrophoneChanged(on=False, problem=problem))
        if self._is_resting() or self.state is State.HEARING:
            self._rest()
        if hearing is not None:
            await asyncio.to_thread(hearing.stop)

    def _from_thread(self, call: Callable[..., None], *arguments: object) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the loop closed while the source delivered its last block
            _log.debug("sound arrived after the session had ended")

    def _level_measured(self, hearing: Hearing, level: MicLevel) -> None:
        if hearing is self._hearing:
            self.publish(level)

    def _source_ended(self, hearing: Hearing, problem: str) -> None:
        if hearing is self._hearing:
            self._tasks.start(self._close_microphone(problem), "microphone ended")

    def _speech_heard(self, hearing: Hearing, heard: Heard) -> None:
        if hearing is not self._hearing:
            return
        match heard.event:
            case SpeechStarted():
                if self._is_resting():
                    self._set_state(State.HEARING)
                self.publish(heard.event)
            case SpeechDiscarded():
                if self.state is State.HEARING:
                    self._rest()
                self.publish(heard.event)
            case SpeechSegment() as segment:
                clock = TurnClock(heard.speech_ended_at)
                clock.mark("end_of_turn")
                turn = self._begin_turn()
                self.publish(segment, turn)
                # Speech that a new segment overtook before it was transcribed belongs to the same question.
                self._untranscribed = np.concatenate([self._untranscribed, segment.audio])
                self._run_turn(turn, lambda: self._transcribe_and_answer(turn, clock), clock)

    # Turns

    def _begin_turn(self) -> TurnId:
        self._interrupt()
        self._turn = TurnId(self._turn.number + 1)
        return self._turn

    def _interrupt(self) -> None:
        """End the running turn at once; the history keeps what was heard of the reply."""
        heard = self._reply.stop() if self._reply is not None else ""
        self._reply = None
        self._history.interrupt(heard)
        if self._turn_task is not None:
            self._turn_task.cancel()

    def _run_turn(
        self, turn: TurnId, work: Callable[[], Coroutine[Any, Any, None]], clock: TurnClock
    ) -> None:
        before = self._turn_task
        self._turn_task = self._tasks.start(self._turn_to_its_end(turn, before, work), f"turn {turn.number}")
        self._turn_task.add_done_callback(lambda _: self._turn_ended(turn, clock))

    async def _turn_to_its_end(
        self, turn: TurnId, before: asyncio.Task[Any] | None, work: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        try:
            if before is not None:
                await asyncio.wait([before])
            await work()
        except AssistantError as error:
            self._fail(turn, error)
        except Exception as error:
            _log.exception("turn %d failed", turn.number)
            self._fail(turn, AssistantError(ErrorKind.INTERNAL, _INTERNAL_MESSAGE, str(error)))

    def _turn_ended(self, turn: TurnId, clock: TurnClock) -> None:
        self.publish(TurnFinished(clock.metrics), turn)
        # With the microphone on the conversation goes on at once; else the failure stays to be seen.
        if turn == self._turn and not (self.state is State.ERROR and self._hearing is None):
            self._rest()

    async def _transcribe_and_answer(self, turn: TurnId, clock: TurnClock) -> None:
        if self.behaviour.audio_input:
            await self._answer_sound(turn, clock)
            return
        self._set_state(State.TRANSCRIBING)
        transcriber = self.stages.transcriber
        if transcriber is None:
            raise AssistantError(
                ErrorKind.MODEL_MISSING, "Speech recognition is not ready yet. You can type meanwhile."
            )
        audio, language = self._untranscribed, self.behaviour.stt_language
        transcript = await self.stages.stt_worker.run(lambda: transcriber.transcribe(audio, language))
        self._untranscribed = _NOTHING
        clock.mark("stt_final")
        self.publish(transcript, turn)
        if transcript.text:
            await self._answer(turn, UserMessage.of(transcript.text), clock, transcript.language)

    async def _answer_sound(self, turn: TurnId, clock: TurnClock) -> None:
        """Send the speech itself, to a model that hears."""
        sound, self._untranscribed = self._untranscribed, _NOTHING
        self.publish(FinalTranscript(AUDIO_PLACEHOLDER, seconds=sound.size / PIPELINE_RATE), turn)
        await self._answer(turn, UserMessage((AudioPart(wav_bytes(sound, PIPELINE_RATE)),)), clock)

    async def _answer(self, turn: TurnId, message: UserMessage, clock: TurnClock, language: str = "") -> None:
        self._set_state(State.THINKING)
        self._history.begin_turn(message)
        if self.stages.language_model is None:
            raise AssistantError(
                ErrorKind.MODEL_MISSING, "The language model is not ready yet. Ask again in a moment."
            )
        backend = await self.stages.language_model.backend()
        self._reply = Reply(
            backend=backend,
            history=self._history,
            system_prompt=self.behaviour.system_prompt,
            reminder=language_prompt(language) if self.behaviour.language_prompt else "",
            tools=self.stages.tools,
            speaking=self._make_speaking(turn, clock),
            clock=clock,
            publish=lambda event: self._publish_current(turn, event),
        )
        finished = await self._reply.run()
        self._reply = None
        if finished.error is not None:
            raise finished.error
        self._history.commit()
        if self._hearing is not None:
            await asyncio.sleep(ECHO_TAIL_S)

    def _make_speaking(self, turn: TurnId, clock: TurnClock) -> Speaking | None:
        if self.stages.synthesizer is None or self.stages.sink is None:
            return None

        def voice_ready(chunk: VoiceChunk) -> None:
            clock.mark("tts_first_audio")
            clock.mark("voice_to_voice")
            if turn == self._turn:
                self._set_state(State.SPEAKING)
                self.publish(chunk, turn)

        return Speaking(
            synthesizer=self.stages.synthesizer,
            worker=self.stages.tts_worker,
            sink=self.stages.sink,
            speakable=self.stages.make_speakable(),
            clauses=self.stages.make_clauses(),
            on_voice=voice_ready,
            on_heard=lambda heard: self._publish_current(turn, SpokenProgress(heard)),
        )

    def _publish_current(self, turn: TurnId, event: Event) -> None:
        if turn == self._turn:
            self.publish(event, turn)

    def _fail(self, turn: TurnId, error: AssistantError) -> None:
        if turn == self._turn:
            self._reply = None
            self._untranscribed = _NOTHING
            self._history.fail()
            self._set_state(State.ERROR)
            self.publish(TurnFailed(error), turn)

    # State

    def _is_resting(self) -> bool:
        return self.state in (State.IDLE, State.LISTENING, State.INTERRUPTED, State.ERROR)

    def _rest(self) -> None:
        self._set_state(State.LISTENING if self._hearing is not None else State.IDLE)

    def _set_state(self, state: State) -> None:
        if self._hearing is not None:
            if state is State.SPEAKING:
                self._hearing.hold()
            elif state in (State.LISTENING, State.IDLE):
                self._hearing.resume()
        if state is not self.state:
            self.state = state
            self.publish(StateChanged(state))

    def _task_failed(self, error: BaseException) -> None:
        self.publish(Notice(f"Something went wrong inside: {error}. The details are in the log."))


_NOTHING: Samples = np.zeros(0, np.float32)
_INTERNAL_MESSAGE = "Something went wrong inside. Ask again; if it happens again, the log says what it was."
