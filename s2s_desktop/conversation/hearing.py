"""From microphone to speech segments, on the thread of the audio source, never waiting for the event loop."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol

import numpy as np

from s2s_desktop.audio.level import MicLevel, measure_level
from s2s_desktop.audio.protocol import PIPELINE_RATE, AudioBlock, AudioSource, Samples
from s2s_desktop.conversation.turn_controller import REOPEN_S
from s2s_desktop.conversation.turn_inputs import Heard
from s2s_desktop.vad.events import SpeechOnset, SpeechPaused, SpeechSegment, SpeechStarted, VadEvent

LEVEL_INTERVAL = PIPELINE_RATE // 30
"""Samples between two `MicLevel` events: 30 a second is as smooth as an eye asks for."""

REMEMBERED = 28 * PIPELINE_RATE
"""Samples of the running utterance kept for captions: what Whisper takes at once, less its margin."""

PRE_ROLL_S = 0.4

FILE_GOES_ON_S = REOPEN_S + 0.3
"""A file plays on so long after a turn was decided, as a person would: then it waits for the reply.
Speech that reopens the turn begins by then and is recognized as speech."""


class TurnDetector(Protocol):
    """Cuts turns out of the sound; `vad.endpointing.Endpointer` is the real one."""

    def feed(self, samples: Samples, position: int, raw: Samples | None = None) -> list[VadEvent]:
        """Take samples (16 kHz mono) that begin at `position` and return what they decided.

        Args:
            samples: What decides: without the echo of our own voice.
            position: Index of the first of them in the source.
            raw: The same time as the microphone heard it, of which segments are made; None takes `samples`.
        """

    def finish(self) -> list[VadEvent]:
        """Return what a running segment comes to when the sound ends here."""

    def reset(self, position: int) -> None:
        """Forget everything heard so far; the next sample is at `position`."""

    def set_strict(self, strict: bool) -> None:
        """Ask for clearer speech while our own voice may be heard. May be called from any thread."""


class Canceller(Protocol):
    """Takes the echo of our own voice out of the microphone; `audio.echo.EchoCanceller` is the real one."""

    def clean(self, block: AudioBlock) -> Samples:
        """Return the samples of a block without the echo, as many as it has."""


class Hearing:
    """Runs level, echo cancelling and turn detection over a source.

    All callbacks are called from the thread of the source.

    Args:
        source: The microphone or file.
        detector: Decides about turns.
        canceller: Cleans what the detector hears; None where nothing can echo.
        on_level: Gets the level, 30 times a second.
        on_heard: Gets what the detector decided.
        on_end: Gets the end of the source, see `AudioSource.start`.
        on_speech: Called at the first sound of speech and again when it is sure, before `on_heard`: the one
            place from which the voice can be silenced while the event loop is busy.
    """

    def __init__(
        self,
        source: AudioSource,
        detector: TurnDetector,
        *,
        canceller: Canceller | None,
        on_level: Callable[[MicLevel], None],
        on_heard: Callable[[Heard], None],
        on_end: Callable[[str], None],
        on_speech: Callable[[], None],
    ) -> None:
        self.detector = detector
        self._source = source
        self._canceller = canceller
        self._on_level = on_level
        self._on_heard = on_heard
        self._on_end = on_end
        self._on_speech = on_speech
        self._open = threading.Event()
        self._open.set()
        self._go_on = threading.Event()
        self._wait_at: int | None = None
        self._stopped = threading.Event()
        self._missed = False
        self._level_samples: list[Samples] = []
        self._level_count = 0
        self._recent = _Recent()

    def start(self) -> None:
        """Open the source.

        Raises:
            AssistantError: kind DEVICE, when it cannot be opened.
        """
        self._source.start(self._take, self._ended)

    def stop(self, *, keep: bool = False) -> None:
        """Close the source. Idempotent.

        Args:
            keep: What is being said just now still counts: it ends here and is reported.
        """
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._open.set()
        self._go_on.set()
        self._source.stop()
        if keep:
            self._report(self.detector.finish(), time.monotonic())

    def hold(self) -> None:
        """Hear nothing until `resume`: a device's sound is dropped (levels go on), a file waits."""
        self._open.clear()

    def resume(self) -> None:
        """Hear again, as if the microphone had just been opened."""
        self._open.set()

    def go_on(self) -> None:
        """Let a file that waits for the reply to its last turn play on."""
        self._wait_at = None
        self._go_on.set()

    def speech_so_far(self) -> Samples:
        """Return what is being said right now, with a little ahead of it; empty while nobody speaks.

        The newest 28 s of it. May be called from any thread.
        """
        return self._recent.speech()

    def _take(self, block: AudioBlock) -> None:
        self._measure(block.samples)
        if not self._source.live and self._wait_at is not None and block.position >= self._wait_at:
            self._go_on.wait()
        if not self._open.is_set():
            if self._source.live:
                self._missed = True
                return
            self._open.wait()
        if self._stopped.is_set():
            return
        if self._missed:
            self._missed = False
            self.detector.reset(block.position)
            self._recent.forget()
        self._recent.append(block)
        samples = block.samples if self._canceller is None else self._canceller.clean(block)
        self._report(self.detector.feed(samples, block.position, block.samples), block.captured_at)

    def _report(self, events: list[VadEvent], captured_at: float) -> None:
        for event in events:
            ended_at = captured_at
            match event:
                case SpeechOnset():
                    self._on_speech()
                case SpeechStarted(position):
                    self._on_speech()
                    self._wait_at = None
                    self._recent.begin(position - int(PRE_ROLL_S * PIPELINE_RATE))
                case SpeechPaused() | SpeechSegment():
                    ended_at -= (event.decided - event.end) / PIPELINE_RATE
            if isinstance(event, SpeechSegment):
                self._recent.end()
                if not self._source.live:
                    self._go_on.clear()
                    self._wait_at = event.decided + int(FILE_GOES_ON_S * PIPELINE_RATE)
            self._on_heard(Heard(event, ended_at))

    def _measure(self, samples: Samples) -> None:
        self._level_samples.append(samples)
        self._level_count += samples.size
        if self._level_count >= LEVEL_INTERVAL:
            self._on_level(measure_level(np.concatenate(self._level_samples)))
            self._level_samples.clear()
            self._level_count = 0

    def _ended(self, problem: str) -> None:
        self._report(self.detector.finish(), time.monotonic())
        self._on_end(problem)


class _Recent:
    """The newest sound of the microphone, to take a running utterance from. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._blocks: deque[AudioBlock] = deque()
        self._begin: int | None = None

    def append(self, block: AudioBlock) -> None:
        with self._lock:
            self._blocks.append(block)
            oldest = block.position - REMEMBERED
            while self._blocks[0].position < oldest:
                self._blocks.popleft()

    def begin(self, position: int) -> None:
        with self._lock:
            self._begin = position

    def end(self) -> None:
        with self._lock:
            self._begin = None

    def forget(self) -> None:
        with self._lock:
            self._blocks.clear()
            self._begin = None

    def speech(self) -> Samples:
        with self._lock:
            begin, blocks = self._begin, list(self._blocks)
        if begin is None:
            return np.zeros(0, np.float32)
        wanted = [block.samples for block in blocks if block.position + block.samples.size > begin]
        return np.concatenate([*wanted, np.zeros(0, np.float32)])
