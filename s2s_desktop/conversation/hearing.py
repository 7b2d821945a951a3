"""From microphone to speech segments, on the thread of the audio source, never waiting for the event loop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.audio.level import MicLevel, measure_level
from s2s_desktop.audio.protocol import PIPELINE_RATE, AudioBlock, AudioSource
from s2s_desktop.vad.events import SpeechSegment, VadEvent

LEVEL_INTERVAL = PIPELINE_RATE // 30
"""Samples between two `MicLevel` events: 30 a second is as smooth as an eye asks for."""


class TurnDetector(Protocol):
    """Cuts turns out of the sound; `vad.endpointing.Endpointer` is the real one."""

    def feed(self, samples: NDArray[np.float32], position: int) -> list[VadEvent]:
        """Take samples (16 kHz mono) that begin at `position` and return what they decided."""

    def finish(self) -> list[VadEvent]:
        """Return what a running segment comes to when the sound ends here."""

    def reset(self, position: int) -> None:
        """Forget everything heard so far; the next sample is at `position`."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A VAD event and when it was true.

    Attributes:
        event: What was heard.
        speech_ended_at: `time.monotonic()` at which the last speech sample was captured; for events that are
            no segment, when the event's block was captured.
    """

    event: VadEvent
    speech_ended_at: float


class Hearing:
    """Runs level and turn detection over a source.

    All callbacks are called from the thread of the source.
    """

    def __init__(
        self,
        source: AudioSource,
        detector: TurnDetector,
        *,
        on_level: Callable[[MicLevel], None],
        on_heard: Callable[[Heard], None],
        on_end: Callable[[str], None],
    ) -> None:
        self._source = source
        self._detector = detector
        self._on_level = on_level
        self._on_heard = on_heard
        self._on_end = on_end
        self._open = threading.Event()
        self._open.set()
        self._stopped = threading.Event()
        self._missed = False
        self._level_samples: list[NDArray[np.float32]] = []
        self._level_count = 0

    def start(self) -> None:
        """Open the source.

        Raises:
            AssistantError: kind DEVICE, when it cannot be opened.
        """
        self._source.start(self._take, self._ended)

    def stop(self) -> None:
        """Close the source. Idempotent."""
        self._stopped.set()
        self._open.set()
        self._source.stop()

    def hold(self) -> None:
        """Hear nothing until `resume`: a device's sound is dropped (levels go on), a file waits."""
        self._open.clear()

    def resume(self) -> None:
        """Hear again, as if the microphone had just been opened."""
        self._open.set()

    def _take(self, block: AudioBlock) -> None:
        self._measure(block.samples)
        if not self._open.is_set():
            if self._source.live:
                self._missed = True
                return
            self._open.wait()
        if self._stopped.is_set():
            return
        if self._missed:
            self._missed = False
            self._detector.reset(block.position)
        self._report(self._detector.feed(block.samples, block.position), block.captured_at)

    def _report(self, events: list[VadEvent], captured_at: float) -> None:
        for event in events:
            if isinstance(event, SpeechSegment):
                lag = (event.decided - event.end) / PIPELINE_RATE
                self._on_heard(Heard(event, captured_at - lag))
                if not self._source.live:
                    self.hold()
            else:
                self._on_heard(Heard(event, captured_at))

    def _measure(self, samples: NDArray[np.float32]) -> None:
        self._level_samples.append(samples)
        self._level_count += samples.size
        if self._level_count >= LEVEL_INTERVAL:
            self._on_level(measure_level(np.concatenate(self._level_samples)))
            self._level_samples.clear()
            self._level_count = 0

    def _ended(self, problem: str) -> None:
        self._report(self._detector.finish(), time.monotonic())
        self._on_end(problem)
