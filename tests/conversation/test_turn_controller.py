"""The rules of a conversation, with no sound, no model and no waiting."""

from __future__ import annotations

import numpy as np
import pytest

from conversation.turn_kit import RATE, Turns
from s2s_desktop.conversation.events import (
    FinalTranscript,
    SpeechDiscarded,
    SpeechSegment,
    SpeechStarted,
    State,
    TurnFailed,
    TurnId,
    TurnReopened,
    TypedMessage,
    VoicePaused,
)
from s2s_desktop.conversation.turn_commands import (
    Ask,
    CloseEars,
    Drop,
    FinishTurn,
    Interrupt,
    LookForWords,
    OpenEars,
    PauseVoice,
    Release,
    ResumeVoice,
    StartTimer,
    Transcribe,
)
from s2s_desktop.conversation.turn_core import TurnRules
from s2s_desktop.conversation.turn_inputs import (
    MicrophoneSwitched,
    ReplyEnded,
    StopPressed,
    TalkPressed,
    Timer,
    TranscriptionFailed,
    VoiceBegan,
)
from s2s_desktop.conversation.turn_words import ASK_ANYWAY_S, MAX_REQUESTS_AHEAD
from s2s_desktop.errors import AssistantError, ErrorKind

CAREFUL = TurnRules("careful")
IMMEDIATE = TurnRules("immediate")
HALF_DUPLEX = TurnRules("off")
AHEAD = TurnRules("careful", preemptive_generation=True)
BROKEN = AssistantError(ErrorKind.SERVER, "The provider failed.")


# A turn


def test_a_spoken_turn_passes_every_state() -> None:
    turns = Turns()
    turns.begins()
    turns.talks(1.0)
    turns.pauses()
    turns.ends()
    turns.words("What is the time?")
    turns.speaks()
    turns.reply_ends()
    assert turns.states() == [
        State.LISTENING,
        State.HEARING,
        State.TRANSCRIBING,
        State.THINKING,
        State.SPEAKING,
        State.LISTENING,
    ]
    assert turns.asked == ["What is the time?"]
    assert len(turns.of(FinishTurn)) == 1


def test_a_typed_turn_needs_no_microphone() -> None:
    turns = Turns(microphone=False)
    turns.types("Hello")
    turns.reply_ends()
    assert turns.published(TypedMessage) == [TypedMessage("Hello")]
    assert turns.states() == [State.THINKING, State.IDLE]


def test_nothing_is_asked_or_shown_before_the_turn_is_decided() -> None:
    turns = Turns()
    turns.begins()
    turns.talks(1.0)
    turns.pauses()
    turns.words("What is")
    assert turns.asked == []
    assert turns.published(FinalTranscript) == []


def test_the_transcript_made_during_the_pause_is_the_transcript_of_the_turn() -> None:
    turns = Turns()
    turns.begins()
    turns.talks(1.0)
    turns.pauses()
    turns.words("Hello")
    turns.ends()
    assert len(turns.of(Transcribe)) == 1
    assert turns.asked == ["Hello"]
    assert State.TRANSCRIBING not in turns.states()


def test_an_empty_transcript_asks_nobody_and_listens_again() -> None:
    turns = Turns()
    turns.says("")
    assert turns.asked == []
    assert turns.state is State.LISTENING
    assert len(turns.of(FinishTurn)) == 1


def test_a_click_that_was_no_speech_changes_nothing() -> None:
    turns = Turns()
    turns.coughs()
    assert turns.states() == [State.LISTENING]
    assert turns.of(Transcribe) == []


def test_times_run_from_the_end_of_the_speech() -> None:
    turns = Turns()
    turns.begins()
    turns.talks(1.0)
    ended = turns.now
    turns.pauses(for_s=0.0)
    turns.advance(0.3)
    turns.words("Hello")
    turns.ends(for_s=0.3)
    assert ended == pytest.approx(turns.now - 0.6)
    metrics = turns.of(Ask)[0].clock.metrics
    assert (metrics.stt_final, metrics.end_of_turn) == (pytest.approx(0.3), pytest.approx(0.6))


# Working ahead


def test_the_model_is_asked_during_the_pause_and_released_when_the_turn_is_decided() -> None:
    turns = Turns(AHEAD)
    turns.begins()
    turns.talks(1.0)
    turns.pauses(finished=0.9)
    turns.words("Hello")
    assert turns.of(Ask)[0].held
    assert turns.published(FinalTranscript) == []
    turns.ends()
    assert turns.of(Release, turns.new) == [Release(TurnId(1))]
    assert turns.asked == ["Hello"]
    assert turns.state is State.THINKING


def test_what_was_asked_ahead_is_dropped_when_the_user_goes_on() -> None:
    turns = Turns(AHEAD)
    turns.begins()
    turns.talks(1.0)
    turns.pauses()
    turns.words("Turn on")
    turns.goes_on()
    assert turns.of(Drop, turns.new) == [Drop(TurnId(1))]
    turns.talks(1.0)
    turns.pauses()
    turns.ends()
    turns.words("Turn on the lamp")
    assert turns.asked == ["Turn on", "Turn on the lamp"]
    assert not turns.of(Ask)[-1].held


def test_an_unfinished_sentence_is_not_asked_ahead() -> None:
    turns = Turns(AHEAD)
    turns.begins()
    turns.talks(1.0)
    turns.pauses(finished=0.1)
    turns.words("Can you")
    assert turns.asked == []


def test_an_unfinished_sentence_is_asked_ahead_once_the_silence_lasts() -> None:
    turns = Turns(AHEAD)
    turns.begins()
    turns.talks(1.0)
    turns.pauses(finished=0.1)
    assert turns.of(StartTimer, turns.new) == [StartTimer(Timer.ASK_ANYWAY, ASK_ANYWAY_S)]
    turns.words("Can you")
    turns.advance(ASK_ANYWAY_S)
    turns.expires(Timer.ASK_ANYWAY)
    assert [(each.text, each.held) for each in turns.of(Ask)] == [("Can you", True)]
    turns.ends(for_s=1.0)
    assert turns.of(Release, turns.new) == [Release(TurnId(1))]


@pytest.mark.parametrize("words_first", [True, False])
def test_speech_that_goes_on_is_not_asked_by_the_silence_before(words_first: bool) -> None:
    turns = Turns(AHEAD)
    turns.begins()
    turns.talks(1.0)
    turns.pauses(finished=0.1)
    if words_first:
        turns.words("Can you")
    turns.goes_on()
    turns.expires(Timer.ASK_ANYWAY)
    assert turns.asked == []
    turns.talks(1.0)
    turns.pauses(finished=0.1)
    turns.words("Can you help")
    assert turns.asked == [], "a new pause begins anew"


def test_words_that_come_late_into_a_long_silence_are_asked_at_once() -> None:
    turns = Turns(AHEAD)
    turns.begins()
    turns.talks(1.0)
    turns.pauses(finished=0.1)
    turns.expires(Timer.ASK_ANYWAY)
    turns.words("Can you")
    assert turns.asked == ["Can you"]


def test_only_so_many_requests_of_a_turn_run_ahead() -> None:
    turns = Turns(AHEAD)
    turns.begins()
    for _ in range(MAX_REQUESTS_AHEAD + 2):
        turns.talks(0.5)
        turns.pauses()
        turns.words("and then")
        turns.goes_on()
    assert len(turns.of(Ask)) == MAX_REQUESTS_AHEAD


def test_a_late_transcript_of_speech_that_went_on_is_dropped() -> None:
    turns = Turns(AHEAD)
    turns.begins()
    turns.talks(1.0)
    turns.pauses()
    late = turns.of(Transcribe)[-1].job
    turns.goes_on()
    turns.words("Turn on", late)
    assert turns.asked == []


def test_a_transcription_ahead_that_fails_is_tried_again_when_the_turn_is_decided() -> None:
    turns = Turns()
    turns.begins()
    turns.talks(1.0)
    turns.pauses()
    turns.tell(TranscriptionFailed(turns.of(Transcribe)[-1].job, BROKEN))
    assert turns.published(TurnFailed) == []
    turns.ends()
    turns.words("Hello")
    assert turns.asked == ["Hello"]


def test_stop_during_the_pause_takes_the_request_back_and_the_turn_is_still_answered() -> None:
    turns = Turns(AHEAD)
    turns.begins()
    turns.talks(1.0)
    turns.pauses()
    turns.words("Hello")
    turns.tell(StopPressed())
    assert turns.of(Drop) == [Drop(TurnId(1))]
    turns.ends()
    assert [ask.held for ask in turns.of(Ask)] == [True, False]


# Reopening


def test_speech_within_the_time_reopens_the_turn_and_both_parts_are_one_question() -> None:
    turns = Turns()
    turns.says("Turn on")
    turns.advance(0.1)
    turns.begins()
    assert turns.of(Drop) == [Drop(TurnId(1))]
    assert turns.published(TurnReopened) == [TurnReopened()]
    turns.talks(1.0)
    turns.pauses()
    assert turns.of(Transcribe)[-1].audio.size == 2 * RATE
    turns.ends()
    turns.words("Turn on the lamp")
    assert turns.turn == TurnId(1, 1)
    assert turns.asked == ["Turn on", "Turn on the lamp"]


def test_speech_before_the_transcript_is_there_reopens_the_turn() -> None:
    turns = Turns()
    turns.begins()
    turns.talks(1.0)
    turns.ends()
    assert turns.state is State.TRANSCRIBING
    turns.advance(1.0)
    turns.begins()
    assert turns.state is State.HEARING
    assert turns.published(TurnReopened) == [TurnReopened()]


def test_a_long_breath_reopens_the_turn_while_nothing_of_the_reply_was_heard() -> None:
    turns = Turns()
    turns.says("And so, my fellow Americans")
    turns.advance(0.6)
    turns.begins()
    assert turns.published(TurnReopened) == [TurnReopened()]


def goes_on_over_the_first_sound_of_the_reply(rules: TurnRules = CAREFUL, heard_s: float = 0.2) -> Turns:
    """Go on 1.1 s after the end of the first words, when the voice has begun."""
    turns = Turns(rules)
    turns.says("And so, my fellow Americans")
    turns.advance(0.5)
    turns.speaks()
    turns.advance(heard_s)
    turns.begins()
    return turns


def test_after_a_long_breath_words_over_the_first_sound_of_the_reply_go_on_with_the_turn() -> None:
    turns = goes_on_over_the_first_sound_of_the_reply()
    assert turns.of(PauseVoice)
    assert turns.published(TurnReopened) == [], "it may be an echo"
    turns.talks(1.0)
    turns.pauses()
    turns.words("ask not what your country can do for you.")
    assert turns.of(Drop) == [Drop(TurnId(1))]
    assert turns.published(TurnReopened) == [TurnReopened()]
    turns.ends()
    assert turns.turn == TurnId(1, 1)
    assert turns.asked[-1] == "And so, my fellow Americans ask not what your country can do for you."
    (_, whole) = turns.published(SpeechSegment)
    assert whole.audio.size == 2 * RATE
    assert turns.of(Interrupt) == []


def test_an_echo_of_the_first_sound_does_not_take_the_reply_back() -> None:
    turns = goes_on_over_the_first_sound_of_the_reply()
    turns.talks(0.3)
    turns.pauses()
    turns.words("")
    turns.ends()
    assert turns.of(Drop) == turns.of(Interrupt) == []
    assert turns.published(VoicePaused)[-1] == VoicePaused(False)


def test_where_nothing_echoes_speech_over_the_first_sound_goes_on_at_once() -> None:
    turns = goes_on_over_the_first_sound_of_the_reply(IMMEDIATE)
    assert turns.of(Drop) == [Drop(TurnId(1))]
    assert turns.published(TurnReopened) == [TurnReopened()]


@pytest.mark.parametrize("ends", [False, True])
def test_words_after_that_are_a_turn_of_their_own(ends: bool) -> None:
    turns = goes_on_over_the_first_sound_of_the_reply(heard_s=0.2 if ends else 0.6)
    if ends:
        turns.reply_ends()
    turns.talks(1.0)
    turns.pauses()
    turns.ends()
    turns.words("ask not what your country can do for you.")
    assert turns.published(TurnReopened) == []
    assert turns.turn == TurnId(2)
    assert turns.asked[-1] == "ask not what your country can do for you."


def test_speech_later_than_that_is_a_turn_of_its_own() -> None:
    turns = Turns()
    turns.says("First")
    turns.advance(2.0)
    turns.begins()
    assert turns.of(Drop) == []
    turns.talks(1.0)
    turns.pauses()
    turns.ends()
    turns.words("Second question please")
    assert turns.of(Interrupt) == [Interrupt(TurnId(1))]
    assert turns.turn == TurnId(2)


def test_once_enough_was_heard_going_on_is_an_interruption() -> None:
    turns = Turns()
    turns.says("First")
    turns.speaks()
    turns.advance(0.55)
    turns.begins()
    assert turns.of(Drop) == []
    assert turns.of(PauseVoice)


def test_long_speech_keeps_its_first_transcript_when_it_is_reopened() -> None:
    turns = Turns()
    turns.begins()
    turns.talks(25.0)
    audio = np.full(25 * RATE, 0.1, np.float32)
    turns.hear(SpeechSegment(audio, 0, turns.position, turns.position))
    first = turns.of(Transcribe)[-1].job
    turns.begins()
    turns.words("A long story", first)
    turns.talks(1.0)
    turns.pauses()
    assert turns.of(Transcribe)[-1].audio.size == RATE
    turns.ends()
    turns.words("and its end.")
    assert turns.asked == ["A long story and its end."]


def test_over_long_speech_is_split_and_answered_as_one() -> None:
    turns = Turns()
    turns.begins()
    turns.talks(30.0)
    audio = np.full(30 * RATE, 0.1, np.float32)
    turns.hear(SpeechSegment(audio, 0, turns.position, turns.position, goes_on=True))
    turns.hear(SpeechStarted(turns.position))
    assert turns.published(TurnReopened) == []
    first = turns.of(Transcribe)[-1].job
    turns.talks(2.0)
    turns.pauses()
    assert turns.of(Transcribe)[-1].still_wanted == {first}
    turns.words("A long story", first)
    turns.ends()
    turns.words("and its end.")
    assert turns.asked == ["A long story and its end."]
    (segment,) = turns.published(SpeechSegment)
    assert segment.audio.size == 31 * RATE


# Barge-in


def speaking(rules: TurnRules = CAREFUL) -> Turns:
    turns = Turns(rules)
    turns.types("Tell me a story")
    turns.speaks()
    turns.advance(5.0)
    return turns


def test_the_voice_is_held_at_the_first_sound_and_goes_on_after_a_cough() -> None:
    turns = speaking()
    turns.coughs()
    assert [type(each) for each in turns.done if isinstance(each, PauseVoice | ResumeVoice)] == [
        PauseVoice,
        ResumeVoice,
    ]
    assert turns.published(VoicePaused) == [VoicePaused(True), VoicePaused(False)]
    assert turns.state is State.SPEAKING
    assert turns.of(Interrupt) == []


@pytest.mark.parametrize("text", ["Mm-hm.", "Yeah, okay.", "", "うん。", "हाँ", "嗯"])
def test_a_sign_of_listening_does_not_end_the_reply(text: str) -> None:
    turns = speaking()
    turns.begins()
    turns.talks(0.3)
    turns.pauses()
    turns.words(text)
    assert turns.published(VoicePaused)[-1] == VoicePaused(False)
    turns.ends()
    assert turns.of(Interrupt) == []
    assert turns.published(SpeechDiscarded)
    assert turns.state is State.SPEAKING


@pytest.mark.parametrize("text", ["Stop.", "No, wait.", "What about Paris?"])
def test_words_end_the_reply_and_are_a_turn(text: str) -> None:
    turns = speaking()
    turns.begins()
    turns.talks(0.5)
    turns.pauses()
    turns.words(text)
    assert turns.of(Interrupt) == [Interrupt(TurnId(1))]
    assert turns.states()[-2:] == [State.INTERRUPTED, State.HEARING]
    turns.ends()
    assert turns.asked[-1] == text
    assert turns.turn == TurnId(2)


def test_words_are_looked_for_while_somebody_still_speaks() -> None:
    turns = speaking()
    turns.begins()
    turns.expires(Timer.WORDS)
    (look,) = turns.of(LookForWords)
    turns.words("Wait a moment", look.job)
    assert turns.of(Interrupt) == [Interrupt(TurnId(1))]
    assert turns.state is State.HEARING


def test_a_noise_that_goes_on_without_words_lets_the_voice_go_on() -> None:
    turns = speaking()
    turns.begins()
    for _ in range(6):
        turns.advance(0.4)
        turns.expires(Timer.WORDS)
        turns.words("", turns.of(LookForWords)[-1].job)
    assert turns.published(VoicePaused)[-1] == VoicePaused(False)
    turns.talks(0.1)
    turns.pauses()
    turns.ends()
    assert turns.of(Interrupt) == []
    assert turns.state is State.SPEAKING


def test_words_interrupt_although_a_slow_machine_took_them_for_a_noise_at_first() -> None:
    turns = speaking()
    turns.begins()
    turns.advance(2.5)
    turns.expires(Timer.WORDS)
    turns.words("", turns.of(LookForWords)[-1].job)
    assert turns.published(VoicePaused)[-1] == VoicePaused(False)
    turns.talks(0.1)
    turns.pauses()
    turns.ends()
    turns.words("Turn on the lamp.")
    assert turns.of(Interrupt) == [Interrupt(TurnId(1))]
    assert turns.asked[-1] == "Turn on the lamp."


def test_a_sign_of_listening_that_turns_into_words_interrupts() -> None:
    turns = speaking()
    turns.begins()
    turns.talks(0.3)
    turns.pauses()
    turns.words("Yeah")
    turns.goes_on()
    assert turns.published(VoicePaused)[-1] == VoicePaused(True)
    turns.talks(0.8)
    turns.pauses()
    turns.words("Yeah but stop now")
    assert turns.of(Interrupt) == [Interrupt(TurnId(1))]


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("Once upon a time there was a king who had three sons.", "there was a king who had"),
        ("Each is $20.", "is twenty dollars"),
    ],
)
def test_our_own_voice_is_not_answered(said: str, heard: str) -> None:
    turns = speaking()
    turns.said = said
    turns.in_words["Each is $20.", "en"] = "Each is twenty dollars."
    turns.begins()
    turns.talks(1.0)
    turns.pauses()
    turns.words(heard)
    turns.ends()
    assert turns.of(Interrupt) == []
    assert turns.asked == ["Tell me a story"]


def test_a_word_of_our_own_voice_does_not_interrupt_it() -> None:
    turns = speaking()
    turns.said = "This is the third sentence"
    turns.begins()
    turns.talks(0.3)
    turns.pauses()
    turns.words("Sentence.")
    turns.ends()
    assert turns.of(Interrupt) == []
    assert turns.published(VoicePaused)[-1] == VoicePaused(False)


def test_one_word_that_was_just_spoken_is_an_answer_when_the_voice_has_ended() -> None:
    turns = speaking()
    turns.said = "Tea or coffee?"
    turns.reply_ends()
    turns.says("Coffee.")
    assert turns.asked == ["Tell me a story", "Coffee."]


def test_the_tail_of_our_voice_in_the_room_is_no_turn() -> None:
    turns = speaking()
    turns.said = "The capital of France is Paris."
    turns.reply_ends()
    turns.begins()
    turns.talks(0.5)
    turns.pauses()
    turns.words("of France is Paris")
    turns.ends()
    assert turns.asked == ["Tell me a story"]
    assert turns.state is State.LISTENING


def test_with_headphones_the_first_speech_ends_the_reply() -> None:
    turns = speaking(IMMEDIATE)
    turns.begins()
    assert turns.of(Interrupt) == [Interrupt(TurnId(1))]
    assert turns.state is State.HEARING


def test_in_half_duplex_the_microphone_is_closed_while_the_voice_speaks() -> None:
    turns = speaking(HALF_DUPLEX)
    assert turns.of(CloseEars) == [CloseEars()]
    turns.reply_ends()
    assert turns.state is State.SPEAKING
    assert turns.of(StartTimer)[-1].timer is Timer.ECHO_TAIL
    turns.expires(Timer.ECHO_TAIL)
    assert turns.state is State.LISTENING
    assert [each for each in turns.done if isinstance(each, OpenEars | CloseEars)][-1] == OpenEars()


def test_speech_while_the_model_thinks_holds_the_voice_until_it_is_clear_what_it_was() -> None:
    turns = Turns()
    turns.types("Tell me a story")
    turns.advance(2.0)
    turns.begins()
    assert turns.of(PauseVoice)
    turns.talks(0.2)
    turns.pauses()
    turns.words("hm")
    assert turns.of(ResumeVoice)
    assert turns.state is State.THINKING


def test_a_reply_that_ends_under_speech_makes_it_a_turn_of_its_own() -> None:
    turns = speaking()
    turns.begins()
    turns.reply_ends()
    assert turns.state is State.HEARING
    turns.talks(1.0)
    turns.pauses()
    turns.ends()
    turns.words("And then?")
    assert turns.asked[-1] == "And then?"


def test_stop_while_somebody_speaks_over_the_voice_keeps_their_turn() -> None:
    turns = speaking()
    turns.begins()
    turns.tell(StopPressed())
    assert turns.of(Interrupt) == [Interrupt(TurnId(1))]
    assert turns.state is State.HEARING


def test_the_key_to_talk_ends_the_reply() -> None:
    turns = speaking()
    turns.tell(TalkPressed())
    assert turns.of(Interrupt) == [Interrupt(TurnId(1))]
    assert turns.state is State.LISTENING


# Stopping and failing


def test_stop_ends_the_reply_and_listens_again() -> None:
    turns = speaking()
    turns.tell(StopPressed())
    assert turns.states()[-2:] == [State.INTERRUPTED, State.LISTENING]
    assert len(turns.of(FinishTurn)) == 1
    turns.tell(ReplyEnded(TurnId(1), None))
    turns.tell(VoiceBegan(TurnId(1)))
    assert turns.state is State.LISTENING


def test_stop_pressed_when_nothing_runs_does_nothing() -> None:
    turns = Turns()
    for _ in range(20):
        assert turns.tell(StopPressed()) == []


def test_stop_before_the_transcript_ends_the_turn() -> None:
    turns = Turns()
    turns.begins()
    turns.talks(1.0)
    turns.ends()
    turns.tell(StopPressed())
    assert turns.state is State.LISTENING
    turns.words("Too late")
    assert turns.asked == []


def test_a_failed_reply_is_told_and_listening_goes_on() -> None:
    turns = Turns()
    turns.says("Hello")
    turns.reply_ends(BROKEN)
    assert turns.published(TurnFailed) == [TurnFailed(BROKEN)]
    assert turns.states()[-2:] == [State.ERROR, State.LISTENING]


def test_without_a_microphone_a_failure_stays_to_be_seen() -> None:
    turns = Turns(microphone=False)
    turns.types("Hello")
    turns.reply_ends(BROKEN)
    assert turns.state is State.ERROR


def test_a_failed_transcription_is_told_and_listening_goes_on() -> None:
    turns = Turns()
    turns.begins()
    turns.talks(1.0)
    turns.ends()
    turns.tell(TranscriptionFailed(turns.of(Transcribe)[-1].job, BROKEN))
    assert turns.published(TurnFailed) == [TurnFailed(BROKEN)]
    assert turns.state is State.LISTENING


def test_a_new_message_interrupts_the_old_turn() -> None:
    turns = Turns(microphone=False)
    turns.types("Old")
    turns.types("New")
    assert turns.of(Interrupt) == [Interrupt(TurnId(1))]
    assert turns.turn == TurnId(2)


def test_a_message_typed_while_speaking_leaves_the_speech_a_turn_of_its_own() -> None:
    turns = Turns()
    turns.begins()
    turns.types("Never mind")
    turns.talks(1.0)
    turns.pauses()
    turns.ends()
    turns.words("What is the time?")
    assert turns.asked == ["Never mind", "What is the time?"]
    assert turns.turn == TurnId(2)


def test_switching_the_microphone_off_drops_unfinished_speech_and_rests() -> None:
    turns = Turns()
    turns.begins()
    turns.tell(MicrophoneSwitched(False))
    assert turns.state is State.IDLE


def test_starting_over_ends_everything_and_counts_from_there() -> None:
    turns = speaking()
    commands = turns.controller.start_over(7)
    assert Interrupt(TurnId(1)) in commands
    turns.types("Next")
    assert turns.turn == TurnId(8)


def test_a_model_that_hears_is_asked_with_the_sound() -> None:
    turns = Turns(TurnRules("careful", audio_input=True))
    turns.begins()
    turns.talks(1.0)
    turns.pauses()
    turns.ends()
    assert turns.of(Transcribe) == []
    (ask,) = turns.of(Ask)
    assert ask.audio is not None
    assert ask.audio.size == RATE


# Whatever happens


@pytest.mark.parametrize("rules", [CAREFUL, IMMEDIATE, HALF_DUPLEX, AHEAD])
@pytest.mark.parametrize("seed", range(25))
def test_after_anything_in_any_order_the_conversation_comes_back_to_listening(
    rules: TurnRules, seed: int
) -> None:
    random = np.random.default_rng(seed)
    turns = Turns(rules)
    actions = [
        turns.begins,
        lambda: (turns.talks(0.5), turns.pauses()),
        turns.goes_on,
        lambda: (turns.talks(0.5), turns.ends()),
        turns.coughs,
        lambda: turns.types("Typed words"),
        lambda: turns.tell(StopPressed()),
        lambda: turns.tell(TalkPressed()),
        lambda: turns.controller.current and turns.speaks(),
        lambda: turns.controller.current and turns.reply_ends(),
        lambda: turns.controller.current and turns.reply_ends(BROKEN),
        lambda: turns.of(Transcribe) and turns.words("Some words were said"),
        lambda: turns.of(Transcribe) and turns.words(""),
        lambda: turns.of(LookForWords) and turns.words("mm-hm", turns.of(LookForWords)[-1].job),
        lambda: turns.expires(Timer.WORDS),
        lambda: turns.expires(Timer.GIVE_UP),
        lambda: turns.expires(Timer.ECHO_TAIL),
        lambda: turns.advance(1.0),
    ]
    for _ in range(300):
        actions[random.integers(len(actions))]()
    # Now everything that is under way comes to its end.
    for _ in range(4):
        turns.talks(0.2)
        turns.ends()
        if turns.of(Transcribe):
            turns.words("Some words were said")
        if turns.controller.current:
            turns.reply_ends()
        turns.expires(Timer.GIVE_UP)
        turns.expires(Timer.ECHO_TAIL)
    assert turns.state is State.LISTENING
    assert not turns.controller.busy
    held = [each for each in turns.done if isinstance(each, PauseVoice | ResumeVoice | Interrupt | Drop)]
    assert not held or not isinstance(held[-1], PauseVoice)
    finished = [each.turn for each in turns.of(FinishTurn)]
    assert len(finished) == len(set(finished))
