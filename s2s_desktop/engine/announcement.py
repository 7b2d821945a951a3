"""Speaks a text that is no part of a conversation."""

from __future__ import annotations

import asyncio

from s2s_desktop.audio.protocol import AudioSink, Samples
from s2s_desktop.runtime.workers import SerialWorker
from s2s_desktop.tts.clauses import ClauseSplitter
from s2s_desktop.tts.protocol import Synthesizer
from s2s_desktop.tts.speakable_text import SpeakableText

_POLL_S = 0.05


async def announce(text: str, synthesizer: Synthesizer, worker: SerialWorker, sink: AudioSink) -> str:
    """Speak a text and return what was said, once it has been heard.

    Args:
        text: May hold Markdown, which is not spoken.
        synthesizer: The voice, loaded.
        worker: Where the voice works.
        sink: Where the voice goes, started. Cancelling silences it.

    Raises:
        AssistantError: The voice failed.
    """
    speakable, clauses = SpeakableText(), ClauseSplitter()
    pieces = [*clauses.feed(speakable.feed(text) + speakable.finish()), *clauses.finish()]
    said: list[str] = []
    try:
        for piece in filter(str.strip, pieces):
            for chunk in await worker.run(lambda text=piece: list(synthesizer.synthesize(text))):  # type: ignore[misc]
                sink.play(chunk.samples, chunk.sample_rate)
            said.append(piece.strip())
        await _silence(sink)
    except asyncio.CancelledError:
        sink.flush()
        raise
    return " ".join(said)


async def play_out(samples: Samples, sample_rate: int, sink: AudioSink) -> None:
    """Play sound of shape (n,) and return once it has been heard; cancelling silences it."""
    sink.play(samples, sample_rate)
    try:
        await _silence(sink)
    except asyncio.CancelledError:
        sink.flush()
        raise


async def _silence(sink: AudioSink) -> None:
    while sink.queued_seconds > 0.0:  # noqa: ASYNC110 - the position of a speaker is no event
        await asyncio.sleep(_POLL_S)
