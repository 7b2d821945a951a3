"""The first conversation as a person has it: a real window, a real microphone and speaker, real models."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import jiwer
import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from s2s_desktop.app import run_window
from s2s_desktop.audio.sound_file import read_wav, write_wav
from s2s_desktop.conversation.events import (
    AssistantMessage,
    Event,
    FinalTranscript,
    Readiness,
    State,
    StateChanged,
    TurnFailed,
    TurnFinished,
    TurnId,
)
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Settings
from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber
from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer
from s2s_desktop.ui.main_window import MainWindow
from virtual_audio import VirtualAudio

pytestmark = [pytest.mark.e2e, pytest.mark.models, pytest.mark.timeout(180)]

SHARED_QUESTION = "en_cmd_living_room_lamp.wav"


class Desk:
    """The running program as a person at the desk sees it."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.events: list[tuple[TurnId | None, Event]] = []
        self._arrived = asyncio.Event()
        observe = window.observe

        def watch(turn: TurnId | None, event: Event) -> None:
            observe(turn, event)
            self.events.append((turn, event))
            self._arrived.set()

        window.observe = watch  # type: ignore[method-assign]

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for _, event in self.events if isinstance(event, kind)]

    async def until(self, holds: Callable[[], bool], what: str, seconds: float = 90) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not holds():
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError:
            failures = [event.error.message for event in self.of(TurnFailed)]
            pytest.fail(f"never happened: {what}; shown: {self.texts()}; failures: {failures}")

    def texts(self, name: str = "") -> list[str]:
        """Return the texts on the screen, of the widgets with this accessible name."""
        return [
            widget.toPlainText()
            for widget in self.window.findChildren(QWidget)
            if hasattr(widget, "toPlainText")
            and widget.isVisible()
            and (name in ("", widget.accessibleName()))
        ]


@pytest.fixture
def question(speech_dir_or_none: Path | None, models_dir: Path, tmp_path: Path) -> tuple[Path, str]:
    """A spoken question and what it says: a real recording, or where there is none, Kokoro's voice."""
    if speech_dir_or_none is not None:
        return speech_dir_or_none / SHARED_QUESTION, "turn on the living room lamp"
    voice = KokoroSynthesizer(models_dir / "kokoro-82m" / "kokoro-v1.0.int8.onnx", voice="am_michael")
    voice.load()
    chunk = voice.synthesize("Turn on the living room lamp.")
    path = tmp_path / "question.wav"
    write_wav(path, chunk.samples, chunk.sample_rate)
    return path, "turn on the living room lamp"


async def test_a_question_spoken_into_the_microphone_is_answered_on_screen_and_aloud(
    qtbot: QtBot,
    home_with_models: Path,
    models_dir: Path,
    virtual_audio: VirtualAudio,
    question: tuple[Path, str],
    tmp_path: Path,
) -> None:
    recording, words = question
    program = asyncio.create_task(run_window(Settings(), find_paths(), []))
    await asyncio.sleep(0)
    (window,) = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)]
    desk = Desk(window)
    try:
        await desk.until(
            lambda: any(ready.llm and ready.hearing and ready.voice for ready in desk.of(Readiness)),
            "everything is ready",
        )
        window.dock.toggle_microphone()
        await desk.until(lambda: StateChanged(State.LISTENING) in desk.of(StateChanged), "it listens")
        reply_file = tmp_path / "reply.wav"
        with virtual_audio.record(reply_file):
            await asyncio.to_thread(virtual_audio.play, recording)
            await desk.until(lambda: bool(desk.of(FinalTranscript)), "the transcript")
            await desk.until(lambda: bool(desk.of(AssistantMessage)), "the reply")
            await desk.until(lambda: bool(desk.of(TurnFinished)), "the end of the turn")
        assert words in "".join(desk.texts("Your message")).lower()
        shown = " ".join(desk.texts("Answer of the assistant"))
        assert shown
        states = [event.state for event in desk.of(StateChanged)]
        assert states[-6:] == [
            State.LISTENING,
            State.HEARING,
            State.TRANSCRIBING,
            State.THINKING,
            State.SPEAKING,
            State.LISTENING,
        ]
        heard = _transcribe(models_dir, reply_file)
        assert jiwer.wer(_plain(shown), _plain(heard)) <= 0.15, (shown, heard)
    finally:
        window.close()
        assert await program == 0


def _transcribe(models_dir: Path, recording: Path) -> str:
    transcriber = FasterWhisperTranscriber(models_dir / "whisper-base")
    transcriber.load()
    return transcriber.transcribe(read_wav(recording), "en").text


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower().replace("-", " ") if letter.isalnum() or letter == " ")
