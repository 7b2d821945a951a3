"""Live captions: what the user is saying, while it is said."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from s2s_desktop.audio.level import measure_level
from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.conversation.events import PartialTranscript
from s2s_desktop.conversation.job_gate import Priority
from s2s_desktop.conversation.stages import Stages

EVERY_S = 0.6
"""A caption is drafted so often at most: an eye follows, and the cores rest."""

SHARE = 0.4
"""Share of the time that drafting may take: on a slow computer captions come less often."""

LOOK_S = 0.1
"""How often it is looked whether a draft may begin."""

LEAST_S = 0.8
"""Speech before the first draft; Whisper invents words for less."""

FADE_S = 0.08
FADE_DB = 20.0
"""Speech that is so much weaker at its end than as a whole pauses there, and the final transcript is wanted
in a moment: a draft that begins now would be in its way. The VAD needs twice as long to be sure."""


async def caption(
    stages: Stages,
    speech_so_far: Callable[[], Samples],
    language: str,
    publish: Callable[[PartialTranscript], None],
    read_ahead: Callable[[str], Awaitable[None]],
    *,
    still_speaking: Callable[[], bool],
) -> None:
    """Draft captions until it is cancelled.

    A draft is begun only while the user speaks, does not fall silent, and no heavier job runs or waits: the
    final transcript never waits for more than the draft that is under way, and seldom for that.

    Args:
        stages: Speech recognition, its worker and the gate.
        speech_so_far: Returns the sound of the utterance.
        language: ISO 639-1; "" detects it.
        publish: Gets each caption.
        read_ahead: Lets the language model read a draft; the next one is not begun before it has.
        still_speaking: Whether the user speaks at this moment.
    """
    transcriber, make_captions = stages.transcriber, stages.make_captions
    if transcriber is None or make_captions is None:
        return
    captions = make_captions()
    drafted, wait = 0, EVERY_S
    while True:
        await asyncio.sleep(wait)
        wait = min(EVERY_S, LOOK_S)
        if not (still_speaking() and stages.gate.idle):
            continue
        audio = speech_so_far()
        enough = audio.size >= LEAST_S * PIPELINE_RATE and audio.size != drafted
        if not enough or _fades(audio):
            continue
        began = time.monotonic()
        text = await stages.gate.run(
            Priority.CAPTION,
            stages.stt_worker,
            lambda audio=audio: transcriber.draft(audio, language),  # type: ignore[misc]
        )
        drafted = audio.size
        if text and still_speaking():
            publish(captions.update(text))
            await read_ahead(text)
        took = time.monotonic() - began
        wait = max(EVERY_S, took * (1 - SHARE) / SHARE)


def _fades(speech: Samples) -> bool:
    end = speech[-round(FADE_S * PIPELINE_RATE) :]
    return measure_level(end).rms_dbfs < measure_level(speech).rms_dbfs - FADE_DB
