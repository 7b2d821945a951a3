"""The bounded buffer between the callback of a microphone and the thread that delivers its sound."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass

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
    """Keeps the newest sound: when it is full, the oldest block is dropped. `put` never waits."""

    def __init__(self, capacity: int) -> None:
        """Hold up to `capacity` frames."""
        self._capacity = capacity
        self._blocks: deque[Captured] = deque()
        self._frames = 0
        self._changed = threading.Condition(threading.Lock())
        self._woken = False

    def put(self, block: Captured) -> None:
        """Append a block. The lock is only ever held for moving references."""
        with self._changed:
            self._blocks.append(block)
            self._frames += len(block.frames)
            while self._frames > self._capacity:
                self._frames -= len(self._blocks.popleft().frames)
            self._changed.notify()

    def wake(self) -> None:
        """Let a waiting `get` return at once."""
        with self._changed:
            self._woken = True
            self._changed.notify()

    def get(self, timeout: float) -> Captured | None:
        """Return the oldest block; None when none came within `timeout` seconds or `wake` was called."""
        with self._changed:
            if not self._blocks and not self._woken:
                self._changed.wait(timeout)
            self._woken = False
            if not self._blocks:
                return None
            block = self._blocks.popleft()
            self._frames -= len(block.frames)
            return block
