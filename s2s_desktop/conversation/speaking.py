"""From the reply's text to the speaker: clause by clause, ahead of what is being heard."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from s2s_desktop.audio.protocol import AudioSink
from s2s_desktop.conversation.heard_words import HeardWords
from s2s_desktop.conversation.job_gate import JobGate, Priority
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.runtime.workers import SerialWorker
from s2s_desktop.tts.protocol import Synthesizer, VoiceChunk

QUEUE_AHEAD_S = 8.0
"""Voice kept ready in the speaker. More would be thrown away by an interruption and gain nothing."""

AUDIBLE_AHEAD_S = 1.0
"""Devices and rooms may be so much out of step with the clock of the speaker."""

POLL_S = 0.05
"""How often the position of the speaker is looked at while it speaks."""

STALLED_S = 8.0
"""A speaker that plays nothing for so long, although voice is queued, has been lost. Longer than the voice is
ever held for somebody who speaks into it."""

SYNTHESIS_LIMIT_S = 60.0
"""A clause that takes longer is given up: the slowest machine needs a tenth of it."""


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


class LanguageStep(Protocol):
    """Tells the language of a reply piece by piece (`tts.reply_language.ReplyLanguage`)."""

    def of(self, piece: str, hint: str = "") -> str:
        """Return the ISO 639-1 code of the next piece; `hint` is the language that the user spoke."""


class Speaking:
    """Speaks one reply. Everything but synthesis happens on the event loop.

    Args:
        synthesizer: The voice.
        worker: Where it works.
        gate: Lets one heavy job run at a time.
        sink: The speaker.
        speakable: From the reply to what can be said.
        clauses: From what can be said to pieces.
        language: Tells the language of the pieces; None leaves it to the voice.
        heard_language: What the user spoke, ISO 639-1; "" when unknown.
        decided: Set when the turn is decided; until then voice is made and kept.
        on_made: Called for every chunk as it is made, decided or not.
        on_voice: Gets every chunk as it is handed to the speaker.
        on_heard: Gets what has been heard so far.
    """

    def __init__(
        self,
        *,
        synthesizer: Synthesizer,
        worker: SerialWorker,
        gate: JobGate,
        sink: AudioSink,
        speakable: TextStep,
        clauses: ClauseStep,
        language: LanguageStep | None,
        heard_language: str,
        decided: asyncio.Event,
        on_made: Callable[[], None],
        on_voice: Callable[[VoiceChunk], None],
        on_heard: Callable[[str], None],
    ) -> None:
        self._synthesizer = synthesizer
        self._worker = worker
        self._gate = gate
        self._sink = sink
        self._speakable = speakable
        self._clauses = clauses
        self._language = language
        self._heard_language = heard_language
        self._decided = decided
        self._on_made = on_made
        self._on_voice = on_voice
        self._on_heard = on_heard
        self._pieces: asyncio.Queue[str | None] = asyncio.Queue()
        self._words = HeardWords()
        self._last_heard = ""
        self._played_until = 0.0
        self._began = False
        self._progress = (0.0, 0.0)

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
            AssistantError: The voice or the speaker failed. What was queued is still played by the sink.
        """
        # The making of voice may take all the time there is: what is heard meanwhile is told beside it.
        telling = asyncio.ensure_future(self._tell_heard())
        try:
            while (piece := await self._next_piece()) is not None:
                await self._speak(piece)
        finally:
            telling.cancel()
        await self.wait_until_silent()

    async def wait_until_silent(self) -> None:
        """Return when the speaker has played everything that was queued.

        Raises:
            AssistantError: kind DEVICE; the speaker plays nothing any more.
        """
        while self._sink.queued_seconds > 0.0:
            await self._wait_a_little()
        self._report_heard()

    def stop(self) -> str:
        """Silence the speaker at once and return what had been heard of the reply's speakable text."""
        heard = self.heard
        if self._began:
            self._sink.flush()
        return heard

    @property
    def heard(self) -> str:
        """The speakable text heard by now, up to the word that is being spoken."""
        return self._words.until(self._sink.played_seconds)

    @property
    def audible(self) -> str:
        """The speakable text that may be in the room by now, or in a moment."""
        return self._words.until(self._sink.played_seconds + AUDIBLE_AHEAD_S)

    @property
    def spoken(self) -> str:
        """The speakable text that was handed to the speaker."""
        return self._words.everything()

    async def _speak(self, piece: str) -> None:
        language = "" if self._language is None else self._language.of(piece, self._heard_language)
        chunks = self._synthesizer.synthesize(piece, language)
        try:
            while (chunk := await self._next_chunk(chunks)) is not None:
                self._on_made()
                await self._decided.wait()
                self._play(chunk)
                while self._sink.queued_seconds > QUEUE_AHEAD_S:
                    await self._wait_a_little()
        except TimeoutError as error:
            raise AssistantError(ErrorKind.INTERNAL, "The voice took too long.", piece) from error

    async def _next_chunk(self, chunks: Iterator[VoiceChunk]) -> VoiceChunk | None:
        priority = Priority.VOICE if self._began else Priority.FIRST_VOICE
        async with asyncio.timeout(SYNTHESIS_LIMIT_S):
            return await self._gate.run(priority, self._worker, lambda: next(chunks, None))

    async def _next_piece(self) -> str | None:
        while self._pieces.empty() and self._sink.queued_seconds > 0.0 and self._began:
            await self._wait_a_little()
        return await self._pieces.get()

    async def _wait_a_little(self) -> None:
        await asyncio.sleep(POLL_S)
        self._report_heard()
        played, now = self._sink.played_seconds, time.monotonic()
        if played != self._progress[0] or self._progress[1] == 0.0:
            self._progress = (played, now)
        elif now - self._progress[1] > STALLED_S:
            self._sink.flush()
            raise AssistantError(
                ErrorKind.DEVICE, "The speaker plays nothing any more. Check it, or choose another one."
            )

    async def _tell_heard(self) -> None:
        while True:
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
        if not self._began:
            self._began = True
            self._played_until = self._sink.played_seconds + self._sink.queued_seconds
        start = max(self._played_until, self._sink.played_seconds)
        self._played_until = start + chunk.samples.size / chunk.sample_rate
        self._words.add(chunk, start)
        self._sink.play(chunk.samples, chunk.sample_rate)
        self._on_voice(chunk)
