"""What the rules of a conversation share: what the user chose, and the state that everything depends on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from s2s_desktop.conversation.events import (
    TurnId,
)
from s2s_desktop.conversation.metrics import TurnClock
from s2s_desktop.conversation.state import State
from s2s_desktop.conversation.turn_commands import (
    ChangeState,
    OpenEars,
    TurnCommand,
)
from s2s_desktop.conversation.utterance import Utterance

BargeIn = Literal["careful", "immediate", "off"]


@dataclass(frozen=True, slots=True)
class TurnRules:
    """What the user chose about turns.

    Attributes:
        barge_in: What happens to the voice when the user speaks into it.
        preemptive_generation: Ask the model during the pause.
        audio_input: Send speech as sound instead of a transcript.
    """

    barge_in: BargeIn = "off"
    preemptive_generation: bool = False
    audio_input: bool = False


@dataclass(slots=True)
class Answer:
    """A reply that is under way.

    Attributes:
        turn: What it answers.
        clock: Takes the times of the turn.
        utterance: What it answers when that was spoken; None when it was typed.
        held: Its turn is not decided.
        voice_began: When its first sound was handed to the speaker; None before.
    """

    turn: TurnId
    clock: TurnClock
    utterance: Utterance | None
    held: bool
    voice_began: float | None = None


class TurnCore:
    """What every rule works with: the state, the user's utterance, the reply, and the commands so far.

    Args:
        rules: May be replaced at any time; counts from the next event on.
        spoken: Returns what may have been heard of the running reply, to know our own voice by.
        now: The clock, `time.monotonic` but in tests.
    """

    def __init__(
        self,
        rules: TurnRules,
        spoken: Callable[[], str] = lambda: "",
        now: Callable[[], float] = time.monotonic,
        read_out: Callable[[str, str], str] = lambda text, language: text,
    ) -> None:
        self.rules = rules
        self.state = State.IDLE
        self.last_turn = 0
        self._spoken = spoken
        self._now = now
        self._read_out = read_out
        self._language = ""
        self._microphone = False
        self._utterance: Utterance | None = None
        self._answer: Answer | None = None
        self._voice_held = False
        self._onset_at = 0.0
        self._over_since = 0.0
        self._jobs = 0
        self._commands: list[TurnCommand] = []

    def _rest(self) -> None:
        if self._utterance is not None and self._utterance.segment is None:
            self._change_state(State.HEARING)
        else:
            self._change_state(State.LISTENING if self._microphone else State.IDLE)

    def _change_state(self, state: State) -> None:
        if state in (State.LISTENING, State.HEARING) and self.rules.barge_in == "off" and self._microphone:
            self._do(OpenEars())
        if state is not self.state:
            self.state = state
            self._do(ChangeState(state))

    def _next_turn(self) -> TurnId:
        return TurnId(self.last_turn + 1)

    def _new_job(self) -> int:
        self._jobs += 1
        return self._jobs

    def _clock(self, started_at: float) -> TurnClock:
        return TurnClock(started_at, self._now)

    def _do(self, *commands: TurnCommand) -> None:
        self._commands += commands
