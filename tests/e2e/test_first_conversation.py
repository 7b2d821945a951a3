"""The first conversation as a person has it: a real window, a real microphone and speaker, real models."""

from __future__ import annotations

import asyncio
from pathlib import Path

import jiwer
import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from e2e.desk import Desk
from s2s_desktop.audio.sound_file import read_wav, write_wav
from s2s_desktop.conversation.events import (
    AssistantMessage,
    FinalTranscript,
    State,
    StateChanged,
    TurnFinished,
)
from s2s_desktop.settings.schema import Settings
from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber
from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer
from virtual_audio import VirtualAudio

pytestmark = [pytest.mark.e2e, pytest.mark.models, pytest.mark.timeout(180)]

SHARED_QUESTION = "en_cmd_living_room_lamp.wav"


@pytest.fixture
def question(speech_dir_or_none: Path | None, models_dir: Path, tmp_path: Path) -> tuple[Path, str]:
    """A spoken question and what it says: a real recording, or where there is none, Kokoro's voice."""
    if speech_dir_or_none is not None:
        return speech_dir_or_none / SHARED_QUESTION, "turn on the living room lamp"
    voice = KokoroSynthesizer(models_dir / "kokoro-82m" / "kokoro-v1.0.int8.onnx", voice="am_michael")
    voice.load()
    chunks = list(voice.synthesize("Turn on the living room lamp."))
    path = tmp_path / "question.wav"
    write_wav(path, np.concatenate([chunk.samples for chunk in chunks]), chunks[0].sample_rate)
    return path, "turn on the living room lamp"


async def test_a_question_spoken_into_the_microphone_is_answered_on_screen_and_aloud(
    qtbot: QtBot,
    home_with_models: Path,
    ears: FasterWhisperTranscriber,
    virtual_audio: VirtualAudio,
    question: tuple[Path, str],
    tmp_path: Path,
) -> None:
    recording, words = question
    desk = await Desk.open(Settings())
    try:
        await desk.until_ready()
        desk.window.dock.toggle_microphone()
        await desk.until_state(State.LISTENING)
        reply_file = tmp_path / "reply.wav"
        with virtual_audio.record(reply_file):
            await asyncio.to_thread(virtual_audio.play, recording)
            await desk.until(lambda: bool(desk.of(FinalTranscript)), "the transcript")
            await desk.until(lambda: bool(desk.of(AssistantMessage)), "the reply")
            await desk.until(lambda: bool(desk.of(TurnFinished)), "the end of the turn")
        assert words in "".join(desk.texts("Your message")).lower()
        shown = " ".join(desk.texts("Answer of the assistant"))
        assert shown
        seen = [event.state for event in desk.of(StateChanged)]
        # What was transcribed within the pause needs no time of its own.
        assert [state for state in seen if state is not State.TRANSCRIBING][-5:] == [
            State.LISTENING,
            State.HEARING,
            State.THINKING,
            State.SPEAKING,
            State.LISTENING,
        ]
        heard = ears.transcribe(read_wav(reply_file), "en").text
        assert jiwer.wer(_plain(shown), _plain(heard)) <= 0.15, (shown, heard)
    finally:
        assert await desk.close() == 0


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower().replace("-", " ") if letter.isalnum() or letter == " ")
