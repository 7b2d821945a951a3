"""Silero on PyTorch hears what the shipped model hears."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from s2s_desktop.audio.wav_file import read_wav
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.vad.silero import SileroDetector
from s2s_desktop.vad.silero_torch import TorchSileroDetector


def test_without_the_extra_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(AssistantError, match=r"s2s-desktop\[torch\]") as failure:
        TorchSileroDetector()
    assert failure.value.kind is ErrorKind.MODEL_MISSING


@pytest.fixture(scope="module")
def detector() -> TorchSileroDetector:
    reason = "the extra [torch] is not installed"
    pytest.importorskip("torch", reason=reason)
    pytest.importorskip("silero_vad", reason=reason)
    return TorchSileroDetector()


def test_it_agrees_with_the_shipped_model(detector: TorchSileroDetector, speech_dir: Path) -> None:
    sound = read_wav(speech_dir / "en_cmd_go_forward.wav")
    frames = sound[: len(sound) - len(sound) % 512].reshape(-1, 512)
    detector.reset()
    shipped = SileroDetector()
    ours = np.array([detector.probability(frame) for frame in frames])
    theirs = np.array([shipped.probability(frame) for frame in frames])
    assert ours.max() > 0.9
    np.testing.assert_allclose(ours, theirs, atol=0.05)


def test_reset_forgets_what_was_heard(detector: TorchSileroDetector) -> None:
    frames = np.random.default_rng(1).normal(0, 0.1, (20, 512)).astype(np.float32)
    detector.reset()
    first = [detector.probability(frame) for frame in frames]
    assert [detector.probability(frame) for frame in frames] != first
    detector.reset()
    assert [detector.probability(frame) for frame in frames] == first


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_samples_that_are_no_number_count_as_silence(detector: TorchSileroDetector, bad: float) -> None:
    detector.reset()
    assert detector.probability(np.full(512, bad, np.float32)) < 0.2
    assert 0.0 <= detector.probability(np.zeros(512, np.float32)) <= 1.0


@pytest.mark.parametrize("length", [160, 511, 513, 1024])
def test_a_frame_of_another_length_is_refused(detector: TorchSileroDetector, length: int) -> None:
    with pytest.raises(ValueError, match="512"):
        detector.probability(np.zeros(length, np.float32))


def test_other_models_keep_their_threads(detector: TorchSileroDetector) -> None:
    import torch

    torch.set_num_threads(2)
    TorchSileroDetector()
    assert torch.get_num_threads() == 2
