"""Decides what a conversation does: pure rules over what happens, with no thread, no clock and no device.

`handle` is told what happened and returns what is to be done. The session feeds it and obeys it; it alone
knows the state. What may be shown, spoken or remembered is decided here and nowhere else. The rules lie in
layers, each of which knows only those below: `turn_core`, `turn_answers`, `turn_words`, and this file.
"""

from __future__ import annotations

from s2s_desktop.audio.protocol import PIPELINE_RATE
from s2s_desktop.conversation.events import (
    SpeechDiscarded,
    SpeechSegment,
    SpeechStarted,
    TurnId,
    TurnReopened,
    TypedMessage,
)
from s2s_desktop.conversation.state import State
from s2s_desktop.conversation.turn_commands import (
    Ask,
    FinishTurn,
    LookForWords,
    Publish,
    ResumeVoice,
    StartTimer,
    TurnCommand,
)
from s2s_desktop.conversation.turn_core import Answer
from s2s_desktop.conversation.turn_inputs import (
    Heard,
    MicrophoneSwitched,
    ReplyEnded,
    StopPressed,
    TalkPressed,
    Timer,
    TimerExpired,
    Transcribed,
    TranscriptionFailed,
    TurnInput,
    Typed,
    VoiceBegan,
)
from s2s_desktop.conversation.turn_words import ASK_ANYWAY_S, WordRules
from s2s_desktop.conversation.utterance import Utterance
from s2s_desktop.errors import AssistantError
from s2s_desktop.vad.events import SpeechOnset, SpeechPaused, SpeechResumed

REOPEN_S = 0.8
"""Speech that goes on within this time of the decision belongs to the turn (design.md, issue of turn-taking).
Where the voice has begun and may be heard by the microphone, it takes words to believe that, but for speech
that comes so soon after the end of the speech before."""
REOPEN_HEARD_S = 0.5
"""Once this much of the reply was heard before the speech began, going on is an interruption."""
ECHO_TAIL_S = 0.3
"""The microphone stays closed this long after the voice ended: the room and the sound card still ring."""


class TurnController(WordRules):
    """The one state machine of a conversation: what happens, and which rule it meets. See `TurnCore`."""

    @property
    def busy(self) -> bool:
        """Whether a turn waits for a transcript or an answer."""
        decided = self._utterance is not None and self._utterance.segment is not None
        return decided or self._answer is not None

    @property
    def current(self) -> TurnId | None:
        """The turn whose reply may be shown; None while none is."""
        return self._answer.turn if self._answer is not None and not self._answer.held else None

    @property
    def hears_speech(self) -> bool:
        """Whether the user speaks right now, with no pause."""
        utterance = self._utterance
        return utterance is not None and utterance.segment is None and utterance.talking

    @property
    def hears_new_question(self) -> bool:
        """Whether what the user says right now begins a question, rather than going on with one."""
        utterance = self._utterance
        return self.hears_speech and self._answer is None and utterance is not None and utterance.is_whole

    def handle(self, happened: TurnInput) -> list[TurnCommand]:
        """Return what is to be done about something that happened, in order."""
        match happened:
            case MicrophoneSwitched(on):
                self._switch_microphone(on)
            case Heard():
                self._hear(happened)
            case Typed(text):
                self._type(text)
            case StopPressed():
                self._stop()
            case TalkPressed():
                if self._answer is not None or self.busy:
                    self._stop()
            case Transcribed(job, transcript):
                self._take_transcript(job, transcript)
            case TranscriptionFailed(job, error):
                self._transcription_failed(job, error)
            case VoiceBegan(turn):
                self._voice_began(turn)
            case ReplyEnded(turn, error):
                self._reply_ended(turn, error)
            case TimerExpired(timer):
                self._timer_expired(timer)
        commands, self._commands = self._commands, []
        return commands

    def start_over(self, last_turn: int) -> list[TurnCommand]:
        """Go on with another conversation, whose newest turn has the number `last_turn`."""
        self._stop()
        self._utterance = None
        self.last_turn = last_turn
        self._rest()
        commands, self._commands = self._commands, []
        return commands

    def _switch_microphone(self, on: bool) -> None:
        self._microphone = on
        if not on and self._utterance is not None and self._utterance.segment is None:
            self._discard_utterance()
        if self._answer is None and not self.busy:
            self._rest()

    def _hear(self, heard: Heard) -> None:
        match heard.event:
            case SpeechOnset():
                self._onset()
            case SpeechStarted() as event:
                self._speech_started(event)
            case SpeechPaused() as event:
                self._speech_paused(event, heard.speech_ended_at)
            case SpeechResumed():
                self._speech_resumed()
            case SpeechSegment() as event:
                self._speech_ended(event, heard.speech_ended_at)
            case SpeechDiscarded() as event:
                self._do(Publish(event))
                self._release_voice()

    def _onset(self) -> None:
        """Be silent at the first sound of a voice; what it is shows later."""
        self._onset_at = self._now()
        if self._answer is not None and self._answer.voice_began is not None and self.rules.barge_in != "off":
            self._hold_voice()
        if not self._voice_held:
            self._do(ResumeVoice())  # the microphone holds it by itself, and may be late

    def _speech_started(self, event: SpeechStarted) -> None:
        utterance = self._utterance
        if utterance is not None and utterance.goes_on:
            utterance.goes_on = False
            return
        earlier = self._said_just_before(event)
        if utterance is not None and utterance.segment is None:  # the sound in between was lost
            self._take_back_request(utterance)
        if utterance is not None and utterance.segment is not None:  # decided, but nobody knows the words yet
            self._reopen(utterance)
        elif self._answer is None:
            self._utterance = Utterance(self._next_turn(), self._spoken())
            self._change_state(State.HEARING)
        elif earlier is not None and self._is_no_echo(event, self._answer, earlier):
            self._take_back_answer(self._answer)
            self._reopen(earlier)
        elif self.rules.barge_in == "immediate":
            self._interrupt()
            self._utterance = Utterance(self._next_turn())
            self._change_state(State.HEARING)
        else:
            self._utterance = Utterance(self._next_turn(), self._spoken(), over_reply=True, continues=earlier)
            self._listen_for_words()
        if not self._voice_held:
            self._do(ResumeVoice())
        self._do(Publish(event))

    def _said_just_before(self, event: SpeechStarted) -> Utterance | None:
        """Return what is being answered when this speech goes on with it."""
        answer = self._answer
        if answer is None or answer.utterance is None or answer.utterance.segment is None:
            return None
        if answer.voice_began is not None and self._onset_at - answer.voice_began > REOPEN_HEARD_S:
            return None
        segment = answer.utterance.segment
        in_time = segment.end <= event.position <= segment.decided + REOPEN_S * PIPELINE_RATE
        return answer.utterance if in_time else None

    def _is_no_echo(self, event: SpeechStarted, answer: Answer, earlier: Utterance) -> bool:
        """Whether speech is the user's before its words are known: nothing was heard, or not long ago."""
        if answer.voice_began is None or self.rules.barge_in == "immediate":
            return True
        return earlier.end is not None and event.position <= earlier.end + REOPEN_S * PIPELINE_RATE

    def _reopen(self, utterance: Utterance) -> None:
        utterance.reopen()
        self._utterance = utterance
        self._change_state(State.HEARING)
        self._do(Publish(TurnReopened(), utterance.turn))

    def _speech_paused(self, event: SpeechPaused, speech_ended_at: float) -> None:
        utterance = self._utterance
        if utterance is None or utterance.segment is not None:
            return
        utterance.finished = event.finished
        part = utterance.take(event, self._clock(speech_ended_at))
        if not self.rules.audio_input or utterance.over_reply:
            self._transcribe(utterance, part)
        if not utterance.sounds_finished:
            self._do(StartTimer(Timer.ASK_ANYWAY, ASK_ANYWAY_S))

    def _speech_resumed(self) -> None:
        utterance = self._utterance
        if utterance is None or utterance.segment is not None:
            return
        utterance.resume()
        self._take_back_request(utterance)
        if utterance.over_reply and not utterance.ignored:
            self._listen_for_words()

    def _speech_ended(self, event: SpeechSegment, speech_ended_at: float) -> None:
        utterance = self._utterance
        if utterance is None or utterance.segment is not None:
            return
        clock = utterance.clock if utterance.end == event.end else None
        part = utterance.parts[-1]
        if clock is None:
            clock = self._clock(speech_ended_at)
            part = utterance.take(event, clock)
            part.forget_transcript()
        if event.goes_on:
            self._transcribe(utterance, part)
            utterance.split()
            return
        utterance.segment = event
        clock.mark("end_of_turn")
        if self.rules.audio_input and not utterance.over_reply:
            self._answer_sound(utterance, clock)
            return
        if part.job is None:
            self._transcribe(utterance, part)
        transcript = utterance.transcript
        if utterance.over_reply:
            if transcript is not None:
                self._judge_overheard(utterance, transcript)
            return
        if transcript is None:
            self._change_state(State.TRANSCRIBING)
        self._answer_words()

    def _type(self, text: str) -> None:
        self._end_answer()
        turn = self._next_turn()
        self.last_turn = turn.number
        utterance = self._utterance
        if utterance is not None and utterance.segment is not None:
            self._utterance = None
        elif utterance is not None:  # being spoken right now: into the reply that follows
            utterance.turn, utterance.over_reply = self._next_turn(), True
        clock = self._clock(self._now())
        self._do(Publish(TypedMessage(text), turn))
        self._answer = Answer(turn, clock, None, held=False)
        self._change_state(State.THINKING)
        self._do(Ask(turn, text, None, "", False, clock))

    def _stop(self) -> None:
        utterance = self._utterance
        decided = utterance is not None and utterance.segment is not None
        if self._answer is None and not decided:
            return
        if utterance is not None and decided:
            self._utterance = None
            if not utterance.over_reply:
                self._begin(utterance)
                self._do(FinishTurn(utterance.turn, utterance.clock or self._clock(self._now())))
        elif utterance is not None and utterance.over_reply:
            utterance.over_reply = False
        held = self._answer is not None and self._answer.held
        self._end_answer()
        if held:
            return
        self._change_state(State.INTERRUPTED)
        self._rest()

    def _reply_ended(self, turn: TurnId, error: AssistantError | None) -> None:
        answer = self._answer
        if answer is None or answer.turn != turn:
            return
        self._answer = None
        self._release_voice()
        if error is not None:
            self._fail(turn, error, answer.clock)
        else:
            self._do(FinishTurn(turn, answer.clock))
        if self._utterance is not None and self._utterance.over_reply:
            self._utterance.over_reply = False
            self._change_state(State.HEARING)
            self._answer_words()
        elif self.rules.barge_in == "off" and answer.voice_began is not None and self._microphone:
            self._do(StartTimer(Timer.ECHO_TAIL, ECHO_TAIL_S))
        elif error is None:
            self._rest()

    def _timer_expired(self, timer: Timer) -> None:
        utterance = self._utterance
        match timer:
            case Timer.WORDS:
                if utterance is not None and utterance.over_reply and utterance.talking:
                    utterance.draft = self._new_job()
                    self._do(LookForWords(utterance.draft))
            case Timer.GIVE_UP:
                # The words decide while somebody speaks; this is for a sound that never became speech.
                if self._voice_held and (utterance is None or not utterance.over_reply):
                    self._release_voice()
            case Timer.ASK_ANYWAY:
                if utterance is not None and utterance.segment is None and not utterance.talking:
                    utterance.silent_for_long = True
                    self._answer_words()
            case Timer.ECHO_TAIL:
                if self._answer is None and self.state is State.SPEAKING:
                    self._rest()
