"""Drives a turn controller with a clock of its own, as fast as Python runs."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from s2s_desktop.conversation.events import State, TurnId
from s2s_desktop.conversation.turn_commands import Ask, ChangeState, Publish, Transcribe, TurnCommand
from s2s_desktop.conversation.turn_controller import TurnController
from s2s_desktop.conversation.turn_core import TurnRules
from s2s_desktop.conversation.turn_inputs import (
    Heard,
    MicrophoneSwitched,
    ReplyEnded,
    Timer,
    TimerExpired,
    Transcribed,
    TurnInput,
    Typed,
    VoiceBegan,
)
from s2s_desktop.errors import AssistantError
from s2s_desktop.stt.protocol import FinalTranscript
from s2s_desktop.vad.events import (
    SpeechDiscarded,
    SpeechOnset,
    SpeechPaused,
    SpeechResumed,
    SpeechSegment,
    SpeechStarted,
    VadEvent,
)

C = TypeVar("C")
RATE = 16_000


class Turns:
    """A controller, its clock, and everything it wanted done."""

    def __init__(self, rules: TurnRules | None = None, *, microphone: bool = True) -> None:
        self.now = 0.0
        self.said = ""
        self.in_words: dict[tuple[str, str], str] = {}
        self.controller = TurnController(
            rules or TurnRules("careful"),
            lambda: self.said,
            lambda: self.now,
            lambda text, language: self.in_words.get((text, language), text),
        )
        self.done: list[TurnCommand] = []
        self.new: list[TurnCommand] = []
        if microphone:
            self.tell(MicrophoneSwitched(True))

    def tell(self, happened: TurnInput) -> list[TurnCommand]:
        self.new = self.controller.handle(happened)
        self.done += self.new
        return self.new

    def hear(self, event: VadEvent) -> list[TurnCommand]:
        return self.tell(Heard(event, self.now))

    def advance(self, seconds: float) -> None:
        self.now += seconds

    @property
    def state(self) -> State:
        return self.controller.state

    def of(self, kind: type[C], among: list[TurnCommand] | None = None) -> list[C]:
        return [each for each in (self.done if among is None else among) if isinstance(each, kind)]

    def published(self, kind: type[C]) -> list[C]:
        return [each.event for each in self.of(Publish) if isinstance(each.event, kind)]

    def states(self) -> list[State]:
        return [each.state for each in self.of(ChangeState)]

    # What a person and the machine do

    @property
    def position(self) -> int:
        return int(self.now * RATE)

    def begins(self) -> None:
        start = self.position
        self.hear(SpeechOnset(start))
        self.advance(0.25)
        self.hear(SpeechStarted(start))

    def talks(self, seconds: float) -> None:
        self.advance(seconds)
        self._end = self.position

    def pauses(self, finished: float | None = None, *, for_s: float = 0.2) -> None:
        self.advance(for_s)
        audio = np.full(RATE, 0.1, np.float32)
        self.hear(SpeechPaused(audio, self._end - RATE, self._end, self.position, finished))

    def goes_on(self) -> None:
        self.hear(SpeechResumed())

    def ends(self, *, for_s: float = 0.4) -> None:
        self.advance(for_s)
        audio = np.full(RATE, 0.1, np.float32)
        self.hear(SpeechSegment(audio, self._end - RATE, self._end, self.position))

    def coughs(self) -> None:
        self.hear(SpeechOnset(self.position))
        self.advance(0.5)
        self.hear(SpeechDiscarded())

    def words(self, text: str, job: int | None = None) -> None:
        number = self.of(Transcribe)[-1].job if job is None else job
        self.tell(Transcribed(number, FinalTranscript(text, "en", 0.9, 1.0, 0.1)))

    def says(self, text: str) -> None:
        """A whole spoken question, decided and transcribed."""
        self.begins()
        self.talks(1.0)
        self.pauses()
        self.ends()
        self.words(text)

    def types(self, text: str) -> None:
        self.tell(Typed(text))

    @property
    def asked(self) -> list[str]:
        return [each.text for each in self.of(Ask)]

    @property
    def turn(self) -> TurnId:
        return self.of(Ask)[-1].turn

    def speaks(self) -> None:
        self.tell(VoiceBegan(self.turn))

    def reply_ends(self, error: AssistantError | None = None) -> None:
        self.tell(ReplyEnded(self.turn, error))

    def expires(self, timer: Timer) -> None:
        self.tell(TimerExpired(timer))
