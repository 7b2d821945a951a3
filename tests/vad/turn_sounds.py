"""Sound for tests of turn rules: the probability of speech is in the sound itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.vad.detector import FRAME_SAMPLES
from s2s_desktop.vad.endpointing import Endpointer
from s2s_desktop.vad.events import (
    SpeechOnset,
    SpeechPaused,
    SpeechResumed,
    SpeechSegment,
    VadEvent,
)

FRAME_MS = 32


class SampleDetector:
    """Takes the mean of a frame as the probability of speech."""

    def __init__(self) -> None:
        self.resets = 0
        self.lengths: set[int] = set()

    def probability(self, frame: NDArray[np.float32]) -> float:
        self.lengths.add(len(frame))
        return float(np.mean(frame))

    def reset(self) -> None:
        self.resets += 1


def sound(*parts: tuple[float, float]) -> NDArray[np.float32]:
    """Make sound of (milliseconds, probability) parts, rounded to frames."""
    return np.concatenate(
        [np.full(round(ms / FRAME_MS) * FRAME_SAMPLES, probability, np.float32) for ms, probability in parts]
    )


def run(endpointer: Any, samples: NDArray[np.float32], block: int = 320) -> list[VadEvent]:
    """Feed sound in blocks."""
    events: list[VadEvent] = []
    for start in range(0, len(samples), block):
        events += endpointer.feed(samples[start : start + block])
    return events


def make(**rules: Any) -> Endpointer:
    return Endpointer(SampleDetector(), **rules)


def decided(events: Iterable[VadEvent]) -> list[VadEvent]:
    """Leave out what is only a hint: onset, pause, and going on after a pause."""
    return [event for event in events if not isinstance(event, SpeechOnset | SpeechPaused | SpeechResumed)]


def kinds(events: Iterable[VadEvent]) -> list[str]:
    """Name the events that decide something."""
    return all_kinds(decided(events))


def all_kinds(events: Iterable[VadEvent]) -> list[str]:
    """Name the events, hints too."""
    return [type(event).__name__.removeprefix("Speech") for event in events]


def segments(events: Iterable[VadEvent]) -> list[SpeechSegment]:
    return [event for event in events if isinstance(event, SpeechSegment)]


def pauses(events: Iterable[VadEvent]) -> list[SpeechPaused]:
    return [event for event in events if isinstance(event, SpeechPaused)]


def ms(samples: int) -> float:
    return samples / 16.0


def describe(event: VadEvent) -> object:
    """Return what two equal events have in common."""
    if isinstance(event, SpeechSegment | SpeechPaused):
        return type(event), event.start, event.end, event.decided, event.audio.tobytes()
    return event
