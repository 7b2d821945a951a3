"""The rules about words: worked ahead with, judged when they were said into the reply, and answered."""

from __future__ import annotations

from s2s_desktop.audio.protocol import PIPELINE_RATE
from s2s_desktop.conversation import overheard
from s2s_desktop.conversation.events import (
    FinalTranscript,
    TurnReopened,
)
from s2s_desktop.conversation.metrics import TurnClock
from s2s_desktop.conversation.state import State
from s2s_desktop.conversation.turn_answers import GIVE_UP_S, AnswerRules
from s2s_desktop.conversation.turn_commands import (
    Ask,
    FinishTurn,
    Publish,
    Release,
    StartTimer,
    Transcribe,
)
from s2s_desktop.conversation.turn_core import Answer
from s2s_desktop.conversation.turn_inputs import (
    Timer,
)
from s2s_desktop.conversation.utterance import Part, Utterance
from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.history.serialize import AUDIO_PLACEHOLDER

WORDS_AFTER_S = 0.4
"""Speech over the voice that is looked at for words; Whisper makes little of less."""
ASK_ANYWAY_S = 0.4
"""A pause in the middle of a sentence that has lasted so long since it was told will rather last to its end
(1.2 s with the default settings): the reply is made ready meanwhile."""
MAX_REQUESTS_AHEAD = 3
"""Requests of one turn that may be in vain (livekit allows as many)."""


class WordRules(AnswerRules):
    """Rules about what was said: worked ahead with, judged when it was said into the reply, answered."""

    def _transcribe(self, utterance: Utterance, part: Part) -> None:
        others = utterance.awaited
        part.job = self._new_job()
        self._do(Transcribe(part.job, part.audio, others))

    def _take_transcript(self, job: int, transcript: FinalTranscript) -> None:
        utterance = self._utterance
        if utterance is None:
            return
        # A draft tells no language and is in that of the words before.
        self._language = transcript.language or self._language
        if job == utterance.draft:
            utterance.draft = None
        else:
            part = utterance.part_of(job)
            if part is None:
                return
            part.transcript = transcript
            if utterance.clock is not None:
                utterance.clock.mark("stt_final")
        if utterance.over_reply:
            self._judge_overheard(utterance, transcript)
        else:
            self._answer_words()

    def _judge_overheard(self, utterance: Utterance, transcript: FinalTranscript) -> None:
        """Decide whether words were meant for the assistant while it spoke."""
        nothing_meant = (
            overheard.is_backchannel(transcript.text)
            or self._is_own_voice(utterance, transcript)
            or overheard.repeats_last_words(transcript.text, utterance.own_voice, self._in_words)
        )
        if not nothing_meant:
            self._take_seriously(utterance)
        elif utterance.segment is not None:
            self._discard_utterance()
        elif not utterance.talking:
            self._release_voice()
        elif self._now() - self._over_since < GIVE_UP_S:
            self._do(StartTimer(Timer.WORDS, WORDS_AFTER_S))
        else:
            utterance.ignored = True
            self._release_voice()

    def _is_own_voice(self, utterance: Utterance, transcript: FinalTranscript) -> bool:
        return overheard.is_own_voice(transcript.text, utterance.own_voice, self._in_words)

    def _in_words(self, text: str) -> str:
        return self._read_out(text, self._language)

    def _take_seriously(self, utterance: Utterance) -> None:
        """Words were spoken into the reply: it ends, and they are a turn or the rest of the one before."""
        utterance.over_reply = False
        earlier, answer = utterance.continues, self._answer
        known = earlier is not None and earlier.transcript is not None
        if earlier is not None and known and answer is not None and answer.utterance is earlier:
            self._take_back_answer(answer)
            utterance.join(earlier)
            self._do(Publish(TurnReopened(), utterance.turn))
        else:
            self._interrupt()
        self._change_state(State.HEARING if utterance.segment is None else State.TRANSCRIBING)
        self._answer_words()

    def _transcription_failed(self, job: int, error: AssistantError) -> None:
        utterance = self._utterance
        if utterance is None:
            return
        if job == utterance.draft:
            utterance.draft = None
        elif utterance.part_of(job) is None:
            return
        elif utterance.segment is None:
            # Worked ahead in vain. When the turn is decided it is tried again, and a failure is told.
            utterance.parts[-1].forget_transcript()
            utterance.clock = None
        else:
            self._utterance = None
            if utterance.over_reply:
                self._interrupt()
            self._begin(utterance)
            self._fail(utterance.turn, error, utterance.clock or self._clock(self._now()))

    def _answer_words(self) -> None:
        """Answer what was said as soon as it is decided and known; ask ahead when it may be all."""
        utterance = self._utterance
        transcript = utterance.transcript if utterance is not None else None
        if utterance is None or transcript is None or utterance.clock is None:
            return
        if utterance.segment is None:
            self._ask_ahead(utterance, transcript)
            return
        if self._is_own_voice(utterance, transcript):
            self._take_back_request(utterance)
            self._discard_utterance()
            return
        if self.rules.audio_input:
            self._answer_sound(utterance, utterance.clock)
            return
        self._utterance = None
        self._begin(utterance)
        self._do(Publish(transcript, utterance.turn))
        if not transcript.text:
            self._do(FinishTurn(utterance.turn, utterance.clock))
            self._rest()
        elif self._answer is not None and utterance.asked == transcript.text:
            self._answer.held = False
            self._change_state(State.THINKING)
            self._do(Release(utterance.turn))
        else:
            self._take_back_request(utterance)
            self._ask(utterance, transcript.text, transcript.language)

    def _ask_ahead(self, utterance: Utterance, transcript: FinalTranscript) -> None:
        ready = (
            self.rules.preemptive_generation
            and self._answer is None
            and bool(transcript.text)
            and (utterance.sounds_finished or utterance.silent_for_long)
            and utterance.requests < MAX_REQUESTS_AHEAD
            and not self._is_own_voice(utterance, transcript)
            and not self.rules.audio_input
        )
        if ready:
            utterance.asked = transcript.text
            utterance.requests += 1
            self._ask(utterance, transcript.text, transcript.language, held=True)

    def _answer_sound(self, utterance: Utterance, clock: TurnClock) -> None:
        """Send the speech itself, to a model that hears."""
        self._utterance = None
        audio = utterance.audio
        self._begin(utterance)
        heard = FinalTranscript(AUDIO_PLACEHOLDER, seconds=audio.size / PIPELINE_RATE)
        self._do(Publish(heard, utterance.turn))
        self._answer = Answer(utterance.turn, clock, utterance, held=False)
        self._change_state(State.THINKING)
        self._do(Ask(utterance.turn, "", audio, "", False, clock))

    def _listen_for_words(self) -> None:
        """Hold the voice while somebody speaks into it, until it is clear whether words are meant."""
        self._hold_voice()
        self._over_since = self._now()
        self._do(StartTimer(Timer.WORDS, WORDS_AFTER_S))
