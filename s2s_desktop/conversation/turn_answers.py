"""The rules about replies: when the model is asked, when the voice is held, and how a reply ends."""

from __future__ import annotations

from dataclasses import replace

from s2s_desktop.conversation.events import (
    SpeechDiscarded,
    TurnFailed,
    TurnId,
    VoicePaused,
)
from s2s_desktop.conversation.metrics import TurnClock
from s2s_desktop.conversation.state import State
from s2s_desktop.conversation.turn_commands import (
    Ask,
    CloseEars,
    Drop,
    FinishTurn,
    Interrupt,
    PauseVoice,
    Publish,
    ResumeVoice,
    StartTimer,
)
from s2s_desktop.conversation.turn_core import Answer, TurnCore
from s2s_desktop.conversation.turn_inputs import (
    Timer,
)
from s2s_desktop.conversation.utterance import Utterance
from s2s_desktop.errors import AssistantError

GIVE_UP_S = 2.0
"""Sound over the voice without words for so long is a noise: the voice goes on (livekit waits as long)."""


class AnswerRules(TurnCore):
    """Rules about the reply: asked for, shown, spoken, held, ended."""

    def _ask(self, utterance: Utterance, text: str, language: str, *, held: bool = False) -> None:
        assert utterance.clock is not None
        self._answer = Answer(utterance.turn, utterance.clock, utterance, held)
        if not held:
            self._change_state(State.THINKING)
        self._do(Ask(utterance.turn, text, None, language, held, utterance.clock))

    def _take_back_request(self, utterance: Utterance) -> None:
        if utterance.asked and self._answer is not None and self._answer.held:
            self._take_back_answer(self._answer)
        utterance.asked = ""

    def _take_back_answer(self, answer: Answer) -> None:
        """The user goes on with the question: what was said of the reply never was."""
        self._do(Drop(answer.turn))
        self._answer = None
        self._voice_held = False

    def _interrupt(self) -> None:
        """The user speaks into the reply and means it."""
        self._end_answer()
        self._change_state(State.INTERRUPTED)

    def _end_answer(self) -> None:
        answer, self._answer = self._answer, None
        self._voice_held = False
        if answer is None:
            return
        if answer.held:
            self._do(Drop(answer.turn))
            if self._utterance is not None:
                self._utterance.asked = ""
        else:
            self._do(Interrupt(answer.turn), FinishTurn(answer.turn, answer.clock))

    def _voice_began(self, turn: TurnId) -> None:
        answer = self._answer
        if answer is None or answer.turn != turn or answer.voice_began is not None:
            return
        answer.voice_began = self._now()
        self._change_state(State.SPEAKING)
        self._close_ears()

    def _fail(self, turn: TurnId, error: AssistantError, clock: TurnClock) -> None:
        self._change_state(State.ERROR)
        self._do(Publish(TurnFailed(error), turn), FinishTurn(turn, clock))
        # With the microphone on the conversation goes on at once; else the failure stays to be seen.
        if self._microphone:
            self._rest()

    def _hold_voice(self) -> None:
        if not self._voice_held:
            self._voice_held = True
            self._do(PauseVoice(), Publish(VoicePaused(True)), StartTimer(Timer.GIVE_UP, GIVE_UP_S))

    def _release_voice(self) -> None:
        if self._voice_held:
            self._voice_held = False
            self._do(ResumeVoice(), Publish(VoicePaused(False)))
            self._close_ears()

    def _close_ears(self) -> None:
        """In half duplex the microphone is closed as soon as the voice can be heard."""
        audible = self._answer is not None and self._answer.voice_began is not None and not self._voice_held
        if self.rules.barge_in == "off" and audible:
            self._do(CloseEars())

    def _discard_utterance(self) -> None:
        self._utterance = None
        self._do(Publish(SpeechDiscarded()))
        self._release_voice()
        if self._answer is None:
            self._rest()

    def _begin(self, utterance: Utterance) -> None:
        """The turn is decided and counts from now on."""
        self.last_turn = utterance.turn.number
        if utterance.segment is not None:
            whole = replace(utterance.segment, audio=utterance.audio)
            self._do(Publish(whole, utterance.turn))
