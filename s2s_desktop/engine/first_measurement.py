"""Measures the engines at the first start, once everything is loaded and nobody talks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from s2s_desktop.audio.protocol import Samples
from s2s_desktop.audio.sound_file import read_wav
from s2s_desktop.conversation.job_gate import Priority
from s2s_desktop.conversation.session import Session
from s2s_desktop.conversation.state import State
from s2s_desktop.engine import sound
from s2s_desktop.engine.calibration import Calibration, Way, ways
from s2s_desktop.models.store import ModelStore
from s2s_desktop.resources import resource_path
from s2s_desktop.settings.schema import Settings

_log = logging.getLogger(__name__)

QUIET_S = 20.0
"""So long after the start: the first question comes first."""

COMPUTE_TYPES = ("int8", "float32")
_RESTING = (State.IDLE, State.LISTENING)


async def measure_hearing(
    calibration: Calibration, settings: Callable[[], Settings], store: ModelStore, session: Session
) -> bool:
    """Find the fastest way to run speech recognition, unless it is known or chosen.

    Args:
        calibration: Remembers.
        settings: Gives the settings in use.
        store: The model files.
        session: Is left alone while it is busy.

    Returns:
        Whether another way than the usual one is faster, so that loading it anew is worth while.
    """
    speech = settings().speech
    if not sound.may_calibrate(settings()) or calibration.best(speech.stt_model) is not None:
        return False
    await asyncio.sleep(QUIET_S)
    while session.state not in _RESTING:
        await session.settled()
        await asyncio.sleep(1.0)
    question = await asyncio.to_thread(read_wav, resource_path("audio/sample_question.wav"))
    folder = await sound.whisper_folder(speech.stt_model, store)
    choices = ways(COMPUTE_TYPES)

    def prepare(way: Way) -> Callable[[], object]:
        from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber

        transcriber = FasterWhisperTranscriber(folder, compute_type=way.compute_type, cpu_threads=way.threads)
        transcriber.load()
        return partial(_transcribe, transcriber.transcribe, question)

    best = await session.stages.gate.run(
        Priority.CAPTION,
        session.stages.stt_worker,
        lambda: calibration.measure(speech.stt_model, choices, prepare),
    )
    return best != choices[0]


def _transcribe(transcribe: Callable[[Samples, str], object], question: Samples) -> None:
    transcribe(question, "en")
