from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from s2s_desktop.audio.protocol import Samples
from s2s_desktop.audio.wav_file import read_wav
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.vad.endpointing import Endpointer
from s2s_desktop.vad.events import SpeechSegment, SpeechStarted
from s2s_desktop.vad.silero import SileroDetector
from s2s_desktop.vad.smart_turn import SmartTurn

RATE = 16_000


@cache
def load(folder: Path) -> SmartTurn:
    return SmartTurn(folder / "smart-turn-v3.2" / "smart-turn-v3.2-cpu.onnx")


@pytest.fixture
def smart_turn(models_dir: Path) -> SmartTurn:
    return load(models_dir)


def spoken(clip: Path, until: float) -> Samples:
    """A recording up to a moment, with 0.2 s of a pause."""
    return np.concatenate([read_wav(clip)[: round(until * RATE)], np.zeros(RATE // 5, np.float32)])


@pytest.mark.models
def test_a_whole_sentence_sounds_finished_and_half_of_it_does_not(
    smart_turn: SmartTurn, speech_dir: Path
) -> None:
    assert smart_turn.finished(spoken(speech_dir / "en_cmd_living_room_lamp.wav", 1.6)) > 0.9
    assert smart_turn.finished(spoken(speech_dir / "en_jfk_ask_not.wav", 3.9)) < 0.5, "… Americans, ask"


@pytest.mark.models
@pytest.mark.parametrize("length", [1, 100, 8 * RATE, 20 * RATE])
def test_any_length_of_any_sound_is_judged(smart_turn: SmartTurn, length: int) -> None:
    sound = np.random.default_rng(1).standard_normal(length).astype(np.float32)
    sound[0] = np.nan

    assert 0.0 <= smart_turn.finished(sound) <= 1.0


@pytest.mark.models
def test_only_the_last_eight_seconds_count(smart_turn: SmartTurn) -> None:
    sound = np.random.default_rng(1).standard_normal(10 * RATE).astype(np.float32)

    assert smart_turn.finished(sound) == smart_turn.finished(sound[-8 * RATE :])


@pytest.mark.parametrize("content", [None, b"", b"<html>not here</html>"])
def test_a_missing_or_broken_file_is_explained(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "smart-turn-v3.2-cpu.onnx"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(AssistantError, match="Turns end after a pause") as raised:
        SmartTurn(file)
    assert raised.value.kind is ErrorKind.MODEL_MISSING


@pytest.mark.models
def test_a_finished_sentence_is_decided_sooner_and_words_300_ms_apart_stay_one_turn(
    smart_turn: SmartTurn, speech_dir: Path
) -> None:
    voice = read_wav(speech_dir / "en_cmd_living_room_lamp.wav")
    gap = np.zeros(round(0.3 * RATE), np.float32)
    apart = np.concatenate([voice[: round(0.75 * RATE)], gap, voice[round(0.75 * RATE) :], gap, gap, gap])
    detector = SileroDetector()

    with_judge = Endpointer(detector, judge=smart_turn.finished)
    events = with_judge.feed(apart)

    assert [type(e) for e in events if isinstance(e, SpeechStarted | SpeechSegment)] == [
        SpeechStarted,
        SpeechSegment,
    ]
    segment = next(event for event in events if isinstance(event, SpeechSegment))
    assert segment.decided - segment.end == 384 * 16
