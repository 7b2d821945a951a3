"""The step of the self-test that holds a conversation, when the models for it are there."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import numpy as np

from s2s_desktop.cli.self_test.step import StepSkippedError
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings

QUESTION = "audio/sample_question.wav"
WORDS = "capital of france"
"""What the shipped recording asks for, as it must be understood."""

_AUDIBLE = 0.01


def hold(paths: Paths) -> str:
    """Ask the recorded question through speech detector, recognition, built-in model and voice.

    The settings are the default ones, whatever the user has chosen: no provider is asked, and nothing is
    downloaded or saved.

    Args:
        paths: Where the models are.

    Returns:
        What was understood and answered.

    Raises:
        StepSkippedError: A model is not on this computer.
        AssistantError: The conversation failed.
        ValueError: The question was misunderstood, or the reply was silent.
    """
    from s2s_desktop.engine import model_use
    from s2s_desktop.engine.part import Part
    from s2s_desktop.models.records import ModelStatus
    from s2s_desktop.models.store import ModelStore

    settings = _without_judge(Settings())
    store = ModelStore(paths)
    missing = [
        name
        for name in model_use.model_names(settings, set(Part))
        if store.status(name) is not ModelStatus.PRESENT
    ]
    if missing:
        raise StepSkippedError(f"not on this computer: {', '.join(missing)}")
    with tempfile.TemporaryDirectory(prefix="s2s-self-test-") as folder:
        return asyncio.run(_converse(settings, _apart(paths, Path(folder)), Path(folder, "reply.wav")))


async def _converse(settings: Settings, paths: Paths, reply: Path) -> str:
    import soundfile

    from s2s_desktop.audio.wav_file import WavSink, WavSource
    from s2s_desktop.cli.talk import TRAILING_SILENCE_S, SpokenTurns
    from s2s_desktop.engine.engine import Engine
    from s2s_desktop.engine.part import Part
    from s2s_desktop.resources import resource_path

    turns = SpokenTurns(quiet=True)
    sink = WavSink(reply, realtime=False)
    engine = Engine(settings, paths, parts=set(Part), sink=sink)
    try:
        engine.session.add_observer(turns.observe)
        await engine.prepare()
        sink.start()
        source = WavSource(resource_path(QUESTION), realtime=False, trailing_silence_s=TRAILING_SILENCE_S)
        engine.session.stages.make_source = lambda: source
        engine.session.set_microphone(True)
        await turns.microphone_closed.wait()
        await engine.session.settled()
    finally:
        await engine.close()
    for turn in turns.turns.values():
        if turn.error is not None:
            raise turn.error
    heard = " ".join(turn.transcript for turn in turns.turns.values())
    answer = " ".join(str(turn.document()["reply"]) for turn in turns.turns.values())
    if WORDS not in heard.lower():
        raise ValueError(f"understood {heard!r} {turns.problem}")
    voice, rate = soundfile.read(reply, dtype="float32")
    if np.abs(voice).max(initial=0.0) < _AUDIBLE:
        raise ValueError(f"the reply {answer!r} is silent")
    return f"heard {heard!r}, answered {answer!r} in {len(voice) / rate:.1f} s of voice"


def _without_judge(settings: Settings) -> Settings:
    """Let silence alone end the turn: the recording is one sentence, and one model less must be there."""
    return settings.model_copy(update={"audio": settings.audio.model_copy(update={"smart_turn": False})})


def _apart(paths: Paths, folder: Path) -> Paths:
    """Return folders of which only the models are the user's."""
    return Paths(folder / "settings.toml", folder / "data", paths.models, folder / "logs", folder / "state")
