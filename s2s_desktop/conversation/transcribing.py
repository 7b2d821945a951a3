"""From speech to words on the worker of speech recognition: transcripts, looks for words, captions."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.conversation.captioning import caption
from s2s_desktop.conversation.events import FinalTranscript, PartialTranscript
from s2s_desktop.conversation.job_gate import Priority
from s2s_desktop.conversation.listening import NOT_READY
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.conversation.turn_commands import Transcribe
from s2s_desktop.conversation.turn_inputs import Transcribed, TranscriptionFailed, TurnInput
from s2s_desktop.errors import AssistantError, ErrorKind, internal_error
from s2s_desktop.runtime.tasks import TaskGroup

_log = logging.getLogger(__name__)

TRANSCRIPTION_LIMIT_S = 60.0
"""A transcription that takes longer is given up: the slowest machine needs a tenth of it."""


class Transcribing:
    """Runs the transcriptions of one turn, and the captions of the utterance under way.

    Args:
        stages: Speech recognition, its worker and the gate.
        tasks: Where the work runs.
        tell: Gets what was found.
        publish: Gets captions.
        read_ahead: Lets the language model read the draft of a caption.
        speech_so_far: Returns the sound of the utterance under way.
    """

    def __init__(
        self,
        stages: Stages,
        tasks: TaskGroup,
        *,
        tell: Callable[[TurnInput], None],
        publish: Callable[[PartialTranscript], None],
        read_ahead: Callable[[str], Awaitable[None]],
        speech_so_far: Callable[[], Samples],
    ) -> None:
        self._stages = stages
        self._tasks = tasks
        self._tell = tell
        self._publish = publish
        self._read_ahead = read_ahead
        self._speech_so_far = speech_so_far
        self._running: dict[int, asyncio.Task[Any]] = {}
        self._captions: asyncio.Task[Any] | None = None

    def start(self, wanted: Transcribe, language: str) -> None:
        """Transcribe speech; older jobs that are wanted no more end."""
        for job in self._running.keys() - wanted.still_wanted:
            self._running[job].cancel()
        work = self._transcribe(wanted.job, wanted.audio, language)
        task = self._running[wanted.job] = self._tasks.start(work, f"transcription {wanted.job}")
        task.add_done_callback(lambda _: self._running.pop(wanted.job))

    def look_for_words(self, job: int, language: str) -> None:
        """Make a quick draft of what is being said right now."""
        self._tasks.start(self._draft(job, language), f"draft {job}")

    def start_captions(self, language: str, still_speaking: Callable[[], bool]) -> None:
        """Publish captions until they are stopped; does nothing while some run."""
        if self._captions is None:
            work = caption(
                self._stages,
                self._speech_so_far,
                language,
                self._publish,
                self._read_ahead,
                still_speaking=still_speaking,
            )
            self._captions = self._tasks.start(work, "captions")

    def stop_captions(self) -> None:
        """End the captions."""
        captions, self._captions = self._captions, None
        if captions is not None:
            captions.cancel()

    async def _transcribe(self, job: int, audio: Samples, language: str) -> None:
        try:
            self._tell(Transcribed(job, await self._transcript(audio, language)))
        except AssistantError as error:
            self._tell(TranscriptionFailed(job, error))
        except Exception as error:
            _log.exception("transcription %d failed", job)
            self._tell(TranscriptionFailed(job, internal_error(error)))

    async def _transcript(self, audio: Samples, language: str) -> FinalTranscript:
        transcriber = self._stages.transcriber
        if transcriber is None:
            raise AssistantError(ErrorKind.MODEL_MISSING, NOT_READY)
        try:
            async with asyncio.timeout(TRANSCRIPTION_LIMIT_S):
                return await self._stages.gate.run(
                    Priority.TRANSCRIPT,
                    self._stages.stt_worker,
                    lambda: transcriber.transcribe(audio, language),
                )
        except TimeoutError as error:
            raise AssistantError(
                ErrorKind.INTERNAL, "Speech recognition took too long. Try a smaller model in the settings."
            ) from error

    async def _draft(self, job: int, language: str) -> None:
        transcriber, audio = self._stages.transcriber, self._speech_so_far()
        text = ""
        try:
            if transcriber is not None and audio.size:
                text = await self._stages.gate.run(
                    Priority.TRANSCRIPT, self._stages.stt_worker, lambda: transcriber.draft(audio, language)
                )
        except AssistantError as error:
            self._tell(TranscriptionFailed(job, error))
        else:
            self._tell(Transcribed(job, FinalTranscript(text, seconds=audio.size / PIPELINE_RATE)))
