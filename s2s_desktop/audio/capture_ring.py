"""The bounded buffer between the callback of a microphone and the thread that delivers its sound."""

from __future__ import annotations

from dataclasses import dataclass
from queue import Empty, SimpleQueue

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Captured:
    """What one callback brought.

    Attributes:
        start: Index of the first frame since the stream started; a gap to the last block means loss.
        frames: shape (n, channels), float32, at the device's rate.
        captured_at: Clock of the callback.
    """

    start: int
    frames: NDArray[np.float32]
    captured_at: float


class CaptureRing:
    """Keeps the newest sound: when it is full, the oldest block is dropped. `put` never waits.

    One thread puts blocks, which have about the same length, and one thread gets them.
    """

    def __init__(self, capacity: int) -> None:
        """Hold up to `capacity` frames."""
        self._capacity = capacity
        # Unlike a condition it wakes who waits for it without a line of Python.
        self._blocks: SimpleQueue[Captured | None] = SimpleQueue()

    def put(self, block: Captured) -> None:
        """Append a block."""
        self._blocks.put(block)
        while self._blocks.qsize() * len(block.frames) > self._capacity:
            self.get(0.0)

    def wake(self) -> None:
        """Let a `get` that waits return at once."""
        self._blocks.put(None)

    def get(self, timeout: float) -> Captured | None:
        """Return the oldest block; None when none came within `timeout` seconds or `wake` was called."""
        try:
            return self._blocks.get(timeout=timeout)
        except Empty:
            return None
