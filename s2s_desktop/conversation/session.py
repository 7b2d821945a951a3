"""The conversation: carries out over the stages what the turn controller decides, and tells observers."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from s2s_desktop.audio.level import MicLevel
from s2s_desktop.conversation.events import (
    Event,
    MicrophoneChanged,
    Notice,
    Observer,
    State,
    StateChanged,
    TurnFinished,
    TurnId,
)
from s2s_desktop.conversation.listening import Listening
from s2s_desktop.conversation.metrics import TurnClock
from s2s_desktop.conversation.replying import Replying
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.conversation.transcribing import Transcribing
from s2s_desktop.conversation.turn_commands import (
    Ask,
    ChangeState,
    CloseEars,
    Drop,
    FinishTurn,
    Interrupt,
    LookForWords,
    OpenEars,
    PauseVoice,
    Publish,
    Release,
    ResumeVoice,
    StartTimer,
    Transcribe,
    TurnCommand,
)
from s2s_desktop.conversation.turn_controller import TurnController
from s2s_desktop.conversation.turn_core import BargeIn, TurnRules
from s2s_desktop.conversation.turn_inputs import (
    MicrophoneSwitched,
    StopPressed,
    TalkPressed,
    Timer,
    TimerExpired,
    TurnInput,
    Typed,
)
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.items import Item
from s2s_desktop.llm.prompts import language_prompt
from s2s_desktop.runtime.tasks import TaskGroup

_BEFORE_VOICE = (State.HEARING, State.TRANSCRIBING, State.THINKING, State.SPEAKING)
"""From the first word of the user on, the speaker has the time of the whole turn to be ready."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Behavior:
    """What the user chose about the conversation.

    Attributes:
        system_prompt: Instructions ahead of the conversation.
        stt_language: ISO 639-1; "" detects it.
        language_prompt: Ask the model to answer in the language that was heard.
        audio_input: Send the user's speech as sound instead of a transcript, to a model that hears.
        barge_in: What happens to the voice when the user speaks into it.
        preemptive_generation: Ask the model during the pause, before the turn is decided.
        captions: Show what is being said while it is said.
        key_to_talk: A key begins and ends turns, not the voice.
    """

    system_prompt: str
    stt_language: str = ""
    language_prompt: bool = False
    audio_input: bool = False
    barge_in: BargeIn = "off"
    preemptive_generation: bool = False
    captions: bool = False
    key_to_talk: bool = False

    @property
    def rules(self) -> TurnRules:
        """What of this the turn controller goes by."""
        return TurnRules(self.barge_in, self.preemptive_generation, self.audio_input)


class Session:
    """Runs turns over the stages and tells observers about it.

    Everything here happens on one event loop. Stages call back from their own threads through
    `call_soon_threadsafe`; results of a turn that is no longer the current one are dropped.
    """

    def __init__(self, stages: Stages, history: History, behavior: Behavior) -> None:
        self.stages = stages
        self.behavior = behavior
        self._history = history
        self._observers: list[Observer] = []
        self._tasks = TaskGroup(self._task_failed)
        self._replying = Replying(
            stages, history, self._tasks, tell=self._tell, publish=self.publish, on_free=self._check_settled
        )
        self._controller = TurnController(
            behavior.rules, self._replying.spoken_lately, read_out=stages.read_out
        )
        self._loop = asyncio.get_running_loop()
        self._listening = Listening(
            stages,
            on_level=self._level_measured,
            on_heard=self._tell,
            on_switched=self._microphone_switched,
            on_speech=self._speech_over_voice,
            tasks=self._tasks,
        )
        self._transcribing = Transcribing(
            stages,
            self._tasks,
            tell=self._tell,
            publish=self.publish,
            read_ahead=self._read_ahead,
            speech_so_far=self._listening.speech_so_far,
        )
        self._timers: dict[Timer, asyncio.TimerHandle] = {}
        self._settled = asyncio.Event()
        self._settled.set()

    @property
    def state(self) -> State:
        """What the assistant is doing."""
        return self._controller.state

    @property
    def history(self) -> History:
        """What the model is reminded of."""
        return self._history

    @property
    def microphone_on(self) -> bool:
        """Whether the microphone is open or being opened."""
        return self._listening.on

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

    def behave(self, behavior: Behavior, priming: Sequence[Item]) -> None:
        """Use another behavior and other example exchanges from the next turn on."""
        self.behavior = behavior
        self._controller.rules = behavior.rules
        self._history.priming = tuple(priming)

    # Commands

    def send_text(self, text: str) -> None:
        """Begin a turn with a typed message; a reply that is under way is interrupted."""
        text = text.strip()
        if text:
            self._tell(Typed(text))

    def stop_reply(self) -> None:
        """Silence the voice and end the reply at once; listening goes on if it was on."""
        self._tell(StopPressed())

    def push_to_talk(self, pressed: bool) -> None:
        """Begin or end a turn by hand; see `Commands.push_to_talk`."""
        if not self.behavior.key_to_talk:
            return
        if pressed:
            self._tell(TalkPressed())
            self.set_microphone(True)
        self._listening.press(pressed)

    def start_over(self, items: Iterable[Item], last_turn: int | None = None) -> None:
        """Go on with another conversation: a running turn ends at once, and nothing of it follows any more.

        Args:
            items: What is remembered of the other conversation; none for a new one. See `History.load`.
            last_turn: Number of its newest turn; None goes on counting.
        """
        last = self._controller.last_turn + 1 if last_turn is None else last_turn
        self._carry_out(self._controller.start_over(last))
        self._history.load(items)

    def set_microphone(self, on: bool) -> None:
        """Listen, or stop listening. Opening a device takes a while and happens beside the event loop."""
        self._listening.want(on)
        self._tasks.start(self._listening.switch(), "microphone")

    def reopen_microphone(self) -> None:
        """Open the microphone anew, for another device or other rules; nothing happens while it is closed."""
        self._tasks.start(self._listening.reopen(), "microphone")

    async def converse(self, text: str) -> None:
        """Send a typed message and return when its turn is over."""
        self.send_text(text)
        await self.settled()

    async def settled(self) -> None:
        """Return when no turn is running."""
        await self._settled.wait()

    async def speak(self, text: str) -> str:
        """Speak a text and return what was said, once it has been heard.

        Raises:
            AssistantError: The voice failed or is not there.
        """
        return await self._replying.speak(text)

    async def close(self) -> None:
        """End everything: microphone, reply, voice. Idempotent.

        Raises:
            AssistantError: What a sink that records could not write.
        """
        for timer in self._timers.values():
            timer.cancel()
        self._replying.end(keep=True)
        await self._tasks.cancel_all()
        await self.stages.gate.close()
        try:
            await self._listening.close()
            if self.stages.sink is not None:
                await asyncio.to_thread(self.stages.sink.stop)
        finally:
            for worker in (self.stages.stt_worker, self.stages.tts_worker):
                worker.close()

    # Controller

    def _tell(self, happened: TurnInput) -> None:
        self._carry_out(self._controller.handle(happened))

    def _carry_out(self, commands: Sequence[TurnCommand]) -> None:
        for command in commands:
            self._do(command)
        self._check_settled()

    def _check_settled(self) -> None:
        if self._controller.busy or self._replying.busy:
            self._settled.clear()
        else:
            self._settled.set()

    def _do(self, command: TurnCommand) -> None:
        match command:
            case ChangeState(state):
                self._change_state(state)
            case Publish(event, turn):
                self.publish(event, turn)
            case Transcribe():
                self._transcribing.start(command, self.behavior.stt_language)
            case LookForWords(job):
                self._transcribing.look_for_words(job, self.behavior.stt_language)
            case Ask():
                reminder = language_prompt(command.language) if self.behavior.language_prompt else ""
                self._replying.ask(command, self.behavior.system_prompt, reminder)
            case Release(turn):
                self._replying.release(turn)
            case Drop(turn):
                self._replying.end(turn, keep=False)
            case Interrupt(turn):
                self._replying.end(turn, keep=True)
            case FinishTurn(turn, clock):
                self._finish(turn, clock)
            case PauseVoice():
                if self.stages.sink is not None:
                    self.stages.sink.pause()
            case ResumeVoice():
                if self.stages.sink is not None:
                    self.stages.sink.resume()
            case StartTimer(timer, seconds):
                self._start_timer(timer, seconds)
            case OpenEars():
                self._listening.resume()
            case CloseEars():
                self._listening.hold()

    def _change_state(self, state: State) -> None:
        self._listening.be_strict(state is State.SPEAKING)
        if self.stages.sink is not None:
            self.stages.sink.expect_voice(state in _BEFORE_VOICE)
        if state in (State.LISTENING, State.IDLE):
            self._listening.go_on()
        if state is State.HEARING and self.behavior.captions:
            self._transcribing.start_captions(
                self.behavior.stt_language, lambda: self._controller.hears_speech
            )
        elif state is not State.HEARING:
            self._transcribing.stop_captions()
        self.publish(StateChanged(state))

    async def _read_ahead(self, words: str) -> None:
        """Let the model read what is being said, where it will probably be asked that."""
        behavior = self.behavior
        if (
            behavior.preemptive_generation
            and not behavior.audio_input
            and self._controller.hears_new_question
        ):
            await self._replying.read_ahead(words, behavior.system_prompt)

    def _start_timer(self, timer: Timer, seconds: float) -> None:
        if timer in self._timers:
            self._timers[timer].cancel()
        self._timers[timer] = self._loop.call_later(seconds, self._tell, TimerExpired(timer))

    def _finish(self, turn: TurnId, clock: TurnClock) -> None:
        def publish() -> None:
            self.publish(TurnFinished(clock.metrics), turn)
            self._check_settled()

        self._replying.when_free(publish)

    # Microphone

    def _microphone_switched(self, on: bool, problem: str) -> None:
        self.publish(MicrophoneChanged(on=on, problem=problem))
        self._tell(MicrophoneSwitched(on))

    def _level_measured(self, level: MicLevel) -> None:
        self.publish(level)

    def _speech_over_voice(self) -> None:
        """On the thread of the microphone: hold the voice at once, even while the loop is busy.

        The controller hears of the same sound a moment later and decides how it goes on.
        """
        sink = self.stages.sink
        if self._controller.state is State.SPEAKING and sink is not None:
            sink.pause()

    def _task_failed(self, error: BaseException) -> None:
        self.publish(Notice(f"Something went wrong inside: {error}. The details are in the log."))
