"""From the reply's text to the speaker: clause by clause, ahead of what is being heard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from s2s_desktop.audio.protocol import AudioSink
from s2s_desktop.runtime.workers import SerialWorker
from s2s_desktop.tts.protocol import Synthesizer, VoiceChunk

QUEUE_AHEAD_S = 8.0
"""Voice kept ready in the speaker. More would be thrown away by an interruption and gain nothing."""

POLL_S = 0.05
"""How often the position of the speaker is looked at while it speaks."""


class TextStep(Protocol):
    """A streaming step from text to text (`tts.speakable_text.SpeakableText`)."""

    def feed(self, delta: str) -> str:
        """Take the next characters and return what is certain by now."""

    def finish(self) -> str:
        """Return the rest."""


class ClauseStep(Protocol):
    """A streaming step from text to pieces to speak (`tts.clauses.ClauseSplitter`)."""

    def feed(self, text: str) -> list[str]:
        """Take the next characters and return the pieces that are complete."""

    def finish(self) -> list[str]:
        """Return the rest."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a piece of text sits on the speaker's clock, in played seconds."""

    text: str
    start: float
    end: float


class Speaking:
    """Speaks one reply. Everything but synthesis happens on the event loop."""

    def __init__(
        self,
        *,
        synthesizer: Synthesizer,
        worker: SerialWorker,
        sink: AudioSink,
        speakable: TextStep,
        clauses: ClauseStep,
        on_voice: Callable[[VoiceChunk], None],
        on_heard: Callable[[str], None],
    ) -> None:
        self._synthesizer = synthesizer
        self._worker = worker
        self._sink = sink
        self._speakable = speakable
        self._clauses = clauses
        self._on_voice = on_voice
        self._on_heard = on_heard
        self._pieces: asyncio.Queue[str | None] = asyncio.Queue()
        self._marks: list[Mark] = []
        self._last_heard = ""
        self._played_until = 0.0

    def say(self, delta: str) -> None:
        """Take the next characters of the reply."""
        self._put(self._clauses.feed(self._speakable.feed(delta)))

    def finish(self) -> None:
        """Say what is left; `run` ends when it has been heard."""
        self._put(self._clauses.feed(self._speakable.finish()))
        self._put(self._clauses.finish())
        self._pieces.put_nowait(None)

    async def run(self) -> None:
        """Synthesize and play until everything has been heard.

        Raises:
            AssistantError: The voice failed. What was queued is still played by the sink.
        """
        self._played_until = self._sink.played_seconds + self._sink.queued_seconds
        while (piece := await self._next_piece()) is not None:
            chunk = await self._worker.run(lambda text=piece: self._synthesizer.synthesize(text))  # type: ignore[misc]
            if chunk.samples.size:
                self._play(chunk)
            while self._sink.queued_seconds > QUEUE_AHEAD_S:
                await self._wait_a_little()
        await self.wait_until_silent()

    async def wait_until_silent(self) -> None:
        """Return when the speaker has played everything that was queued."""
        while self._sink.queued_seconds > 0.0:
            await self._wait_a_little()
        self._report_heard()

    def stop(self) -> str:
        """Silence the speaker at once and return what had been heard of the reply's speakable text."""
        heard = self.heard
        self._sink.flush()
        return heard

    @property
    def heard(self) -> str:
        """The speakable text heard by now: whole pieces, and of the piece being spoken its share of words."""
        now = self._sink.played_seconds
        spoken: list[str] = []
        for mark in self._marks:
            if mark.end <= now:
                spoken.append(mark.text)
            elif mark.start < now:
                words = mark.text.split()
                share = (now - mark.start) / (mark.end - mark.start)
                spoken.append(" ".join(words[: int(len(words) * share)]))
        return " ".join(text for text in spoken if text)

    async def _next_piece(self) -> str | None:
        while self._pieces.empty() and self._sink.queued_seconds > 0.0:
            await self._wait_a_little()
        return await self._pieces.get()

    async def _wait_a_little(self) -> None:
        await asyncio.sleep(POLL_S)
        self._report_heard()

    def _report_heard(self) -> None:
        heard = self.heard
        if heard != self._last_heard:
            self._last_heard = heard
            self._on_heard(heard)

    def _put(self, pieces: list[str]) -> None:
        for piece in pieces:
            if piece.strip():
                self._pieces.put_nowait(piece)

    def _play(self, chunk: VoiceChunk) -> None:
        start = max(self._played_until, self._sink.played_seconds)
        self._played_until = start + chunk.samples.size / chunk.sample_rate
        self._marks.append(Mark(chunk.text.strip(), start, self._played_until))
        self._sink.play(chunk.samples, chunk.sample_rate)
        self._on_voice(chunk)
