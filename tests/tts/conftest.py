"""Kokoro, loaded once for all tests that speak with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer


@pytest.fixture(scope="session")
def model_file(models_dir: Path) -> Path:
    return models_dir / "kokoro-82m" / "kokoro-v1.0.int8.onnx"


@pytest.fixture(scope="session")
def voice(model_file: Path) -> KokoroSynthesizer:
    """The default voice; a test that wants another one takes it `with_voice`."""
    voice = KokoroSynthesizer(model_file)
    voice.load()
    return voice
