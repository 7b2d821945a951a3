from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from s2s_desktop.audio.wav_file import read_wav
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.resources import resource_path
from s2s_desktop.vad.detector import FRAME_SAMPLES
from s2s_desktop.vad.silero import SileroDetector


@pytest.fixture(scope="module")
def silero() -> SileroDetector:
    return SileroDetector()


def probabilities(silero: SileroDetector, sound: np.ndarray) -> np.ndarray:
    silero.reset()
    frames = sound[: len(sound) - len(sound) % FRAME_SAMPLES].reshape(-1, FRAME_SAMPLES)
    return np.array([silero.probability(frame) for frame in frames])


def test_the_shipped_model_is_the_pinned_one() -> None:
    content = resource_path("models/silero_vad.onnx").read_bytes()

    assert len(content) == 1_288_203
    assert hashlib.sha256(content).hexdigest() == (
        "7776b81ad1b0350c15d7f1555943b9232eb53e9ca5d989c6d0cea9ebc8664d87"
    )


@pytest.mark.parametrize(
    "clip", ["en_cmd_go_forward.wav", "de_kerstin_0523.wav", "zh_aishell_S0724W0121.wav"]
)
def test_clear_speech_is_recognized_with_certainty(
    silero: SileroDetector, speech_dir: Path, clip: str
) -> None:
    found = probabilities(silero, read_wav(speech_dir / clip))

    assert found.max() >= 0.9
    assert np.mean(found > 0.5) > 0.5


def test_each_frame_is_heard_behind_the_end_of_the_one_before_and_with_the_state_it_left(
    silero: SileroDetector, speech_dir: Path
) -> None:
    sound = read_wav(speech_dir / "en_cmd_go_forward.wav")
    sound = sound[: len(sound) - len(sound) % FRAME_SAMPLES]
    session = onnxruntime.InferenceSession(resource_path("models/silero_vad.onnx"))
    heard, state = np.concatenate([np.zeros(64, np.float32), sound]), np.zeros((2, 1, 128), np.float32)
    expected = []
    for start in range(0, len(sound), FRAME_SAMPLES):
        frame = heard[np.newaxis, start : start + 64 + FRAME_SAMPLES]
        output, state = session.run(None, {"input": frame, "state": state})
        expected.append(output[0, 0])

    assert np.array_equal(probabilities(silero, sound), np.array(expected, np.float64))


def _noise(seconds: float, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(round(seconds * 16_000)).astype(np.float32)


_TIME = np.arange(5 * 16_000) / 16_000
NO_SPEECH = {
    "digital silence": np.zeros(5 * 16_000, np.float32),
    "a quiet room": 0.001 * _noise(5.0),
    "a loud fan": 0.1 * _noise(5.0),
    "mains hum": (0.2 * np.sin(2 * np.pi * 50 * _TIME)).astype(np.float32),
    "a whistle": (0.3 * np.sin(2 * np.pi * 1_500 * _TIME)).astype(np.float32),
    "a constant offset": np.full(5 * 16_000, 0.5, np.float32),
}


@pytest.mark.parametrize("sound", NO_SPEECH.values(), ids=NO_SPEECH.keys())
def test_what_is_no_speech_stays_below_the_threshold(silero: SileroDetector, sound: np.ndarray) -> None:
    assert probabilities(silero, sound).max() < 0.5


def test_reset_forgets_what_was_heard(silero: SileroDetector, speech_dir: Path) -> None:
    sound = read_wav(speech_dir / "en_cmd_go_forward.wav")
    first = probabilities(silero, sound)

    assert np.array_equal(probabilities(silero, sound), first)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_samples_that_are_no_number_do_not_deafen_it(
    silero: SileroDetector, speech_dir: Path, bad: float
) -> None:
    silero.reset()
    assert silero.probability(np.full(FRAME_SAMPLES, bad, np.float32)) < 0.1

    sound = read_wav(speech_dir / "en_cmd_go_forward.wav")
    frames = sound[: len(sound) - len(sound) % 512].reshape(-1, 512)
    assert max(silero.probability(frame) for frame in frames) >= 0.9


@pytest.mark.parametrize("length", [160, 480, 511, 513, 640, 1024])
def test_a_frame_of_another_length_is_refused(silero: SileroDetector, length: int) -> None:
    with pytest.raises(ValueError, match="512"):
        silero.probability(np.zeros(length, np.float32))


@pytest.mark.parametrize("content", [None, b"", b"no model"])
def test_a_broken_installation_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes | None
) -> None:
    monkeypatch.setattr("s2s_desktop.resources._ROOT", tmp_path)
    if content is not None:
        (tmp_path / "models").mkdir()
        (tmp_path / "models" / "silero_vad.onnx").write_bytes(content)

    with pytest.raises(AssistantError, match="install S2S Desktop again") as raised:
        SileroDetector()
    assert raised.value.kind is ErrorKind.MODEL_MISSING
