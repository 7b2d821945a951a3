"""Speaking and being spoken to, with real models over a virtual microphone, speaker and room."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import jiwer
import numpy as np
import pytest

from s2s_desktop.audio.protocol import Samples
from s2s_desktop.audio.sound_file import read_wav, write_wav
from s2s_desktop.conversation.events import (
    FinalTranscript,
    MicrophoneChanged,
    ReplyFinished,
    SpokenProgress,
    State,
    StateChanged,
    TurnFailed,
    TurnFinished,
    TurnId,
    VoiceChunk,
)
from s2s_desktop.conversation.turn_controller import REOPEN_S
from s2s_desktop.llm.history.serialize import CUT_OFF
from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber
from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer
from talking import Talk, talking
from virtual_audio import VirtualAudio
from virtual_room import AUDIBLE, RATE, Echo, TimedRecorder

pytestmark = [pytest.mark.e2e, pytest.mark.models, pytest.mark.timeout(300)]

SHARED_WORDS = "en_cmd_living_room_lamp.wav"
WORDS = "turn on the living room lamp"
STORY = (
    "Once upon a time there was a king who had three sons. The oldest was strong, and the second was clever. "
    "The youngest was kind to everybody he met on the way. One day a stranger came to the gate of the castle."
)
SHORT_STORY = STORY[: STORY.index(" The youngest")]
LONG_STORY = " ".join([STORY, STORY, STORY])


@pytest.fixture(scope="module")
def words(
    speech_dir_or_none: Path | None, models_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Somebody who says `WORDS`: a real recording, or where there is none, Kokoro's voice."""
    path = tmp_path_factory.mktemp("speech") / "words.wav"
    if speech_dir_or_none is not None:
        write_wav(path, spoken_part(read_wav(speech_dir_or_none / SHARED_WORDS)), RATE)
        return path
    voice = KokoroSynthesizer(models_dir / "kokoro-82m" / "kokoro-v1.0.int8.onnx", voice="am_michael")
    voice.load()
    chunks = list(voice.synthesize(WORDS))
    write_wav(path, np.concatenate([chunk.samples for chunk in chunks]), chunks[0].sample_rate)
    return path


def spoken_part(recording: Samples) -> Samples:
    """Return a recording without the silence around it: the microphone hears silence of its own."""
    loud = np.flatnonzero(np.abs(recording) > 2 * AUDIBLE)
    return recording[loud[0] - RATE // 10 : loud[-1] + RATE // 10]


@pytest.fixture
async def talk(home_with_models: Path, virtual_audio: VirtualAudio) -> AsyncIterator[Talk]:
    async with talking(STORY, "careful") as talk:
        yield talk


@pytest.fixture
def recorder(virtual_audio: VirtualAudio) -> Iterator[TimedRecorder]:
    recorder = TimedRecorder(virtual_audio, "spk")
    yield recorder
    recorder.stop()


def heard_so_far(talk: Talk, turn: int) -> str:
    """What the user was told to have heard of a turn."""
    told = [event.text for _, each, event in talk.events.seen if _of(each, turn, event, SpokenProgress)]
    return told[-1] if told else ""


async def spoken_words(talk: Talk, turn: int, count: int) -> None:
    await talk.events.until(
        lambda: len(heard_so_far(talk, turn).split()) >= count, f"{count} words of turn {turn}"
    )


async def say(talk: Talk, audio: VirtualAudio, words: Path) -> int:
    """Speak into the microphone and return the number of the turn that it became."""
    began = time.monotonic()
    await asyncio.to_thread(audio.play, words)
    await talk.events.until(lambda: talk.events.since(began, FinalTranscript), "a transcript")
    return next(
        turn.number
        for at, turn, event in talk.events.seen
        if at >= began and turn is not None and isinstance(event, FinalTranscript)
    )


def transcripts(talk: Talk) -> list[str]:
    return [_plain(each.text) for each in talk.events.since(0.0, FinalTranscript)]


async def test_the_assistant_does_not_answer_its_own_echo_but_an_interruption(
    talk: Talk, virtual_audio: VirtualAudio, words: Path
) -> None:
    room = Echo(virtual_audio, gain_db=-6.0)
    try:
        turn = await _told_to_its_end(talk, SHORT_STORY)
        assert heard_so_far(talk, turn) == SHORT_STORY, "it was not interrupted"

        began = time.monotonic()
        talk.teller.story = LONG_STORY
        asked = len(talk.teller.requests)
        talk.engine.send_text("Tell me a longer one")
        await spoken_words(talk, turn + 1, 12)
        interruption = await say(talk, virtual_audio, words)
        await talk.events.until(lambda: len(talk.teller.requests) > asked + 1, "the interruption is answered")
        assert interruption == turn + 2
        (heard,) = talk.events.since(began, FinalTranscript)
        assert _plain(heard.text).endswith("living room lamp"), "with the echo behind it"
        assert LONG_STORY.startswith(heard_so_far(talk, turn + 1))
        await spoken_words(talk, interruption, 3)
    finally:
        room.stop()


async def _told_to_its_end(talk: Talk, story: str) -> int:
    """Let a story be told and return its turn: again if a busy machine let the speaker run dry in it.

    What the room gives back behind a hole comes later than the echo canceller has learned.
    """
    speaker = talk.engine.session.stages.sink
    assert speaker is not None
    talk.teller.story = story
    for _ in range(3):
        ran_dry, began = speaker.underruns, time.monotonic()
        talk.engine.send_text("Tell me a story")
        await talk.events.until(
            lambda began=began: (  # type: ignore[misc]
                talk.events.since(began, TurnFinished) and talk.engine.session.state is State.LISTENING
            ),
            "the end of the story",
        )
        turn = next(each.number for at, each, _ in talk.events.seen if at >= began and each)
        if speaker.underruns == ran_dry:
            break
    return turn


async def test_ten_interruptions_leave_history_events_and_speaker_in_agreement(
    talk: Talk,
    virtual_audio: VirtualAudio,
    recorder: TimedRecorder,
    words: Path,
    ears: FasterWhisperTranscriber,
) -> None:
    moments = [_before_the_first_token, _in_mid_sentence, _behind_the_last_token]
    turn = 1
    talk.teller.may_begin.clear()
    talk.engine.send_text("Tell me a story")
    for number in range(10):
        await moments[number % 3](talk, turn, number)
        talk.teller.may_begin.clear()
        asked = len(talk.teller.requests)
        following = await say(talk, virtual_audio, words)
        assert following == turn + 1
        decided = talk.events.last(StateChanged(State.INTERRUPTED))
        await talk.events.until(lambda: talk.engine.session.state is State.THINKING, "the next turn is asked")

        await _finished(talk, turn)

        heard = heard_so_far(talk, turn)
        late = [
            event
            for at, each, event in talk.events.seen
            if at > decided
            and each is not None
            and each.number == turn
            and not isinstance(event, TurnFinished)
        ]
        assert late == [], "nothing of the reply came late"
        await talk.events.until(
            lambda asked=asked: (  # type: ignore[misc]
                len(talk.teller.requests) > asked and WORDS in _plain(talk.teller.questions[-1])
            ),
            "the request",
        )
        remembered = [message for message in talk.teller.requests[-1] if message["role"] == "assistant"]
        if number % 3 == 0:
            assert heard == ""
        else:
            said = remembered[-1]["content"]
            assert said.endswith(CUT_OFF)
            assert said.removesuffix(CUT_OFF).strip() == heard
            assert talk.teller.story.startswith(heard)
            _assert_heard(ears, recorder, talk, turn, decided, heard)
        now = time.monotonic()
        told = next(
            at for at, each, event in talk.events.seen if _of(each, following, event, FinalTranscript)
        )
        assert recorder.last_sound(told, now) is None, "the speaker is silent until the next reply"
        turn = following

    talk.teller.story = "And so the story ends."
    talk.teller.may_begin.set()
    await _finished(talk, turn)
    assert heard_so_far(talk, turn) == talk.teller.story
    assert transcripts(talk) == [WORDS] * 10, "nothing else was heard"
    assert not talk.events.since(0.0, TurnFailed)


async def _before_the_first_token(talk: Talk, turn: int, number: int) -> None:
    await talk.events.until(lambda: talk.engine.session.state is State.THINKING, "thinking")
    # Who speaks sooner goes on with the turn before, as long as nothing of the reply was heard.
    await asyncio.sleep(REOPEN_S)


async def _in_mid_sentence(talk: Talk, turn: int, number: int) -> None:
    talk.teller.story = LONG_STORY
    talk.teller.may_begin.set()
    await spoken_words(talk, turn, 2 + number % 4)


async def _behind_the_last_token(talk: Talk, turn: int, number: int) -> None:
    talk.teller.story = STORY
    talk.teller.tokens_a_second = 1000.0
    talk.teller.may_begin.set()
    await talk.events.until(
        lambda: any(_of(each, turn, event, ReplyFinished) for _, each, event in talk.events.seen),
        "the last token",
    )
    await spoken_words(talk, turn, 2 + number % 4)
    assert talk.engine.session.state is State.SPEAKING
    talk.teller.tokens_a_second = 40.0


def _assert_heard(
    ears: FasterWhisperTranscriber,
    recorder: TimedRecorder,
    talk: Talk,
    turn: int,
    decided: float,
    remembered: str,
) -> None:
    """The speaker played the words that the history remembers, give or take one that was cut."""
    began = next(at for at, each, event in talk.events.seen if _of(each, turn, event, VoiceChunk))
    played = ears.transcribe(recorder.between(began, decided), "en").text
    found = jiwer.process_words(_plain(remembered), _plain(played))
    wrong = found.substitutions + found.deletions + found.insertions
    assert wrong <= 2, (remembered, played)


async def test_the_conversation_goes_on_over_a_microphone_and_a_speaker_that_were_unplugged(
    talk: Talk, virtual_audio: VirtualAudio, words: Path
) -> None:
    talk.teller.story = SHORT_STORY
    virtual_audio.unplug_microphone()
    virtual_audio.plug_in_microphone()
    assert await say(talk, virtual_audio, words) == 1, "the microphone hears again"

    await spoken_words(talk, 1, 3)
    virtual_audio.unplug_speaker()
    virtual_audio.plug_in_speaker()
    await _finished(talk, 1)
    assert heard_so_far(talk, 1) == SHORT_STORY

    recorder = TimedRecorder(virtual_audio, "spk")
    try:
        began = time.monotonic()
        assert await say(talk, virtual_audio, words) == 2
        await spoken_words(talk, 2, 5)
        assert recorder.first_sound(began, time.monotonic()) is not None, "the speaker is heard again"
    finally:
        recorder.stop()
    assert transcripts(talk) == [WORDS] * 2
    assert all(each.on for each in talk.events.since(0.0, MicrophoneChanged)), "it stayed on"


async def _finished(talk: Talk, turn: int) -> None:
    await talk.events.until(
        lambda: any(_of(each, turn, event, TurnFinished) for _, each, event in talk.events.seen),
        f"the end of turn {turn}",
    )


def _of(turn: TurnId | None, number: int, event: object, kind: type) -> bool:
    return turn is not None and turn.number == number and isinstance(event, kind)


def _plain(text: str) -> str:
    kept = "".join(sign for sign in text.lower().replace("-", " ") if sign.isalnum() or sign == " ")
    return " ".join(kept.split())
