"""A conversation as a person has it, to measure something meanwhile: real window, devices and models."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

from e2e.desk import Desk
from s2s_desktop.conversation.events import (
    AssistantMessage,
    Event,
    FinalTranscript,
    PartialTranscript,
    State,
    StateChanged,
    TurnFinished,
)
from s2s_desktop.settings.paths import HOME_VARIABLE, find_paths
from s2s_desktop.settings.schema import GeneralSettings, HistorySettings, Settings, SpeechSettings
from virtual_audio import VirtualAudio

_TURN_LIMIT_S = 120.0
_QUESTIONS = (
    "Why is the sky blue at noon, and red in the evening when the sun goes down?",
    "Please tell me a short story about an old dog and a young cat who live in a house by the sea.",
    "What could I cook tonight with rice, three eggs and a handful of green beans?",
)
"""Different ones: words that were just spoken count as our own voice when they come back."""


async def converse(
    audio: VirtualAudio,
    questions: Sequence[Path],
    turns: int,
    watching: Callable[[], AbstractAsyncContextManager[None]],
) -> dict[str, Any]:
    """Open the window, talk to it, close it.

    Args:
        audio: Its microphone and speaker.
        questions: Recordings that are asked one after the other, and again; none asks some in Kokoro's voice.
        turns: How many are watched, after one that warms everything up.
        watching: Is entered while they go on.

    Returns:
        What was said and shown, to see that the conversation was one.
    """
    models = os.environ.get("S2S_TEST_MODELS") or find_paths().models
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "models").symlink_to(models)
        os.environ[HOME_VARIABLE] = home
        asked = questions or [await _recording(text, Path(home)) for text in _QUESTIONS]
        desk = await Desk.open(_settings())
        try:
            await desk.until_ready()
            desk.window.dock.toggle_microphone()
            await desk.until_state(State.LISTENING)
            await _turn(desk, audio, asked[0])
            desk.events.clear()
            async with watching():
                for number in range(turns):
                    await _turn(desk, audio, asked[number % len(asked)])
            return _summary(desk)
        finally:
            await desk.close()


def _settings() -> Settings:
    return Settings(
        # Chosen, so that the program does not measure by itself which one is the fastest.
        speech=SpeechSettings(stt_compute_type="int8"),
        history=HistorySettings(keep=True),
        general=GeneralSettings(welcomed=True, tray=False),
    )


async def _recording(text: str, folder: Path) -> Path:
    """Have a question spoken by another process, which leaves nothing in this one."""
    path = folder / f"{len(text)}.wav"
    command = (sys.executable, "-m", "s2s_desktop", "--voice", "am_michael", "say", text, "-o", str(path))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    if await process.wait():
        raise SystemExit("the questions could not be spoken")
    return path


async def _turn(desk: Desk, audio: VirtualAudio, question: Path) -> None:
    done = len(desk.of(TurnFinished))
    await asyncio.to_thread(audio.play, question)
    await desk.until(lambda: len(desk.of(TurnFinished)) > done, "the end of the turn", _TURN_LIMIT_S)
    await desk.until(lambda: _last_state(desk) is State.LISTENING, "the end of the voice", _TURN_LIMIT_S)


def _last_state(desk: Desk) -> State | None:
    states: list[Event] = desk.of(StateChanged)
    return states[-1].state if states and isinstance(states[-1], StateChanged) else None


def _summary(desk: Desk) -> dict[str, Any]:
    replies = [each.content for each in desk.of(AssistantMessage) if isinstance(each, AssistantMessage)]
    return {
        "turns": len(desk.of(TurnFinished)),
        "captions": len(desk.of(PartialTranscript)),
        "questions": [each.text for each in desk.of(FinalTranscript) if isinstance(each, FinalTranscript)],
        "reply_words": [len(reply.split()) for reply in replies],
        "events": len(desk.events),
    }
