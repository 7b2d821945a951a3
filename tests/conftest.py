"""Fixtures every test may use: real models, real recordings, a home of its own."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from qt_loop_factory import loop_factories
from s2s_desktop.settings.paths import HOME_VARIABLE, find_paths
from virtual_audio import VirtualAudio
from virtual_desktop import VirtualDesktop

if TYPE_CHECKING:
    from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber

os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
"""No test may see or change the keys of the person who runs it."""

_DESKTOP = VirtualDesktop()

_SHARED_SPEECH = Path(__file__).resolve().parents[2] / "shared" / "speech"


def pytest_configure() -> None:
    """Start a screen, a microphone and a speaker for this run, whatever the machine has."""
    _DESKTOP.start()


def pytest_unconfigure() -> None:
    """End them."""
    _DESKTOP.stop()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from looking through all collected tests again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Give tests that use Qt the loop of the program."""
    return loop_factories(item)


@pytest.fixture(scope="session")
def models_dir() -> Path:
    """The folder of the real model files: `S2S_TEST_MODELS`, else where the program keeps them."""
    chosen = os.environ.get("S2S_TEST_MODELS", "")
    folder = Path(chosen) if chosen else _USER_MODELS
    needed = ("whisper-base", "kokoro-82m", "smollm2-135m", "smart-turn-v3.2")
    missing = [name for name in needed if not (folder / name).is_dir()]
    if missing:
        pytest.fail(f"model files are missing in {folder}: {', '.join(missing)}; run `make models` first")
    return folder


@pytest.fixture(scope="session")
def speech_dir_or_none() -> Path | None:
    """Real recordings with transcripts, which are not part of the project; None where they are absent."""
    return _SHARED_SPEECH if _SHARED_SPEECH.is_dir() else None


@pytest.fixture(scope="session")
def speech_dir(speech_dir_or_none: Path | None) -> Path:
    """Real recordings; a test that needs them is skipped where they are absent."""
    if speech_dir_or_none is None:
        pytest.skip("the recordings are not on this machine")
    return speech_dir_or_none


@pytest.fixture(scope="session")
def ears(models_dir: Path) -> FasterWhisperTranscriber:
    """Whisper, loaded once for all tests that check what can be heard of something else."""
    from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber

    ears = FasterWhisperTranscriber(models_dir / "whisper-base")
    ears.load()
    return ears


@pytest.fixture(scope="session")
def virtual_audio() -> VirtualAudio:
    """The microphone and the speaker of this run; on Linux a test that needs them never skips."""
    if sys.platform != "linux":
        pytest.skip("virtual audio devices exist on Linux only")
    if _DESKTOP.audio is None or _DESKTOP.missing:
        pytest.fail(f"not installed: {', '.join(_DESKTOP.missing)}; run `make system-libraries`")
    return _DESKTOP.audio


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give every test settings, conversations and logs of its own."""
    folder = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(folder))
    return folder


@pytest.fixture
def home_with_models(home: Path, models_dir: Path) -> Path:
    """A home folder whose model files are there already."""
    home.mkdir()
    (home / "models").symlink_to(models_dir)
    return home


_USER_MODELS = find_paths().models
"""Read before any test changes the home folder."""
