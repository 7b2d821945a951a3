"""Parts for tests of the session: a sound card, a provider and two engines that do what the test says."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.audio.protocol import AudioBlock, Samples
from s2s_desktop.conversation.events import Event, TurnId
from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.config import BackendConfig, BackendName, ToolSpec
from s2s_desktop.llm.events import AssistantMessage, FinishReason, LLMEvent, ReplyFinished, TextDelta
from s2s_desktop.llm.items import Item
from s2s_desktop.stt.protocol import FinalTranscript
from s2s_desktop.tts.protocol import VoiceChunk, WordTime
from s2s_desktop.vad.events import SpeechSegment, SpeechStarted, VadEvent

E = TypeVar("E")

SPEECH = np.full(16_000, 0.1, np.float32)


class ScriptedSource:
    """A microphone whose blocks the test hands over."""

    name = "scripted"

    def __init__(self, *, live: bool = True, refuses: AssistantError | None = None) -> None:
        self.live = live
        self.stopped = False
        self._refuses = refuses
        self._position = 0

    def start(self, on_block: Callable[[AudioBlock], None], on_end: Callable[[str], None]) -> None:
        if self._refuses is not None:
            raise self._refuses
        self.on_block, self.on_end = on_block, on_end

    def stop(self) -> None:
        self.stopped = True

    def deliver(self, samples: Samples = SPEECH) -> None:
        self._position += samples.size
        self.on_block(AudioBlock(samples, self._position - samples.size, 100.0))


class ScriptedDetector:
    """Says for each block what the test put in `script`."""

    def __init__(self) -> None:
        self.script: list[list[VadEvent]] = []
        self.fed = 0
        self.resets = 0

    def feed(
        self, samples: NDArray[np.float32], position: int, raw: NDArray[np.float32] | None = None
    ) -> list[VadEvent]:
        self.fed += samples.size
        return self.script.pop(0) if self.script else []

    def finish(self) -> list[VadEvent]:
        return self.script.pop(0) if self.script else []

    def reset(self, position: int) -> None:
        self.resets += 1

    def set_strict(self, strict: bool) -> None:
        self.strict = strict


def segment(audio: NDArray[np.float32] = SPEECH) -> list[VadEvent]:
    return [SpeechStarted(0), SpeechSegment(audio, 0, 12_000, 16_000)]


class ManualSink:
    """A speaker whose clock the test moves."""

    name = "manual"
    underruns = 0

    def __init__(self, *, instant: bool = True) -> None:
        self.instant = instant
        self.played_seconds = 0.0
        self.queued_seconds = 0.0
        self.flushed = 0
        self.paused = False
        self.expects_voice = False
        self.queued = asyncio.Event()

    def start(self) -> None: ...

    def stop(self) -> None:
        self.queued_seconds = 0.0

    def play(self, samples: Samples, sample_rate: int) -> None:
        self.queued_seconds += samples.size / sample_rate
        self.queued.set()
        if self.instant:
            self.advance(self.queued_seconds)

    def expect_voice(self, expected: bool) -> None:
        self.expects_voice = expected

    def pause(self) -> None:
        self.paused = True

    def resume(self) -> None:
        self.paused = False

    def advance(self, seconds: float) -> None:
        if self.paused:
            return
        seconds = min(seconds, self.queued_seconds)
        self.played_seconds += seconds
        self.queued_seconds -= seconds

    def flush(self) -> None:
        self.queued_seconds = 0.0
        self.flushed += 1


class ScriptedTranscriber:
    """Returns the texts of the test in order; `gate` holds the worker thread."""

    name = "scripted"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.drafts: list[str] = []
        self.lengths: list[int] = []
        self.gate = threading.Event()
        self.gate.set()

    def load(self) -> None: ...

    def close(self) -> None: ...

    def transcribe(self, audio: NDArray[np.float32], language: str = "") -> FinalTranscript:
        self.gate.wait(10)
        self.lengths.append(audio.size)
        return FinalTranscript(self.texts.pop(0), "en")

    def draft(self, audio: NDArray[np.float32], language: str = "") -> str:
        return self.drafts.pop(0) if self.drafts else ""


class SecondPerWordVoice:
    """Speaks each word for one second."""

    name = "scripted"

    def __init__(self, *, fails: AssistantError | None = None) -> None:
        self._fails = fails
        self.said: list[str] = []
        self.spoke = threading.Event()

    def load(self) -> None: ...

    def close(self) -> None: ...

    def synthesize(self, text: str, language: str = "") -> Iterator[VoiceChunk]:
        if self._fails is not None:
            raise self._fails
        self.said.append(text)
        self.spoke.set()
        words = tuple(WordTime(word, float(second), second + 1.0) for second, word in enumerate(text.split()))
        yield VoiceChunk(np.zeros(len(words) * 1000, np.float32), 1000, text, words)


class ScriptedBackend:
    """Answers each request with the next list of events; None in a list waits for `go_on`."""

    name: BackendName = "chat-completions"
    config = BackendConfig(model="scripted")

    def __init__(self, *replies: Sequence[LLMEvent | None]) -> None:
        self.replies = list(replies)
        self.requests: list[list[Item]] = []
        self.go_on = asyncio.Event()
        self.waiting = asyncio.Event()
        self.answered = asyncio.Event()
        self.closed = 0
        self.read: list[list[Item]] = []

    async def read_ahead(self, items: Sequence[Item]) -> None:
        self.read.append(list(items))

    async def reply(
        self, items: Sequence[Item], tools: Sequence[ToolSpec] = ()
    ) -> AsyncGenerator[LLMEvent, None]:
        self.requests.append(list(items))
        try:
            for event in self.replies.pop(0):
                if event is None:
                    self.waiting.set()
                    await self.go_on.wait()
                else:
                    yield event
        finally:
            self.closed += 1
            self.answered.set()

    async def aclose(self) -> None: ...

    async def backend(self) -> ScriptedBackend:
        return self


def answer(text: str, *, pause_before_end: bool = False) -> list[LLMEvent | None]:
    words = [TextDelta(word) for word in text.split(" ")]
    spaced: list[LLMEvent | None] = [words[0], *[TextDelta(f" {word.text}") for word in words[1:]]]
    if pause_before_end:
        spaced.append(None)
    return [*spaced, AssistantMessage(text), ReplyFinished(FinishReason.STOP)]


class Recorder:
    """An observer that keeps everything and can be awaited."""

    def __init__(self) -> None:
        self.events: list[tuple[TurnId | None, Event]] = []
        self._arrived = asyncio.Event()

    def __call__(self, turn: TurnId | None, event: Event) -> None:
        self.events.append((turn, event))
        self._arrived.set()

    def of(self, kind: type[E]) -> list[E]:
        return [event for _, event in self.events if isinstance(event, kind)]

    async def until(self, found: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not found():
                self._arrived.clear()
                await self._arrived.wait()
