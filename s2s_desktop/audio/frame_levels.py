"""Levels of microphone and speaker side by side, in frames of 10 ms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples

FRAME = PIPELINE_RATE // 100


class FrameLevels:
    """Cuts two sounds that arrive in blocks of any length into frames.

    Args:
        floor_db: The least level that is told, in dBFS.
    """

    def __init__(self, floor_db: float) -> None:
        self._floor_db = floor_db
        self.begin()

    def begin(self) -> None:
        """What is left of a frame does not belong to what follows."""
        self._rest = np.zeros((2, 0), np.float32)

    def take(self, near: Samples, far: Samples) -> NDArray[np.float64]:
        """Return the levels of the next whole frames, shape (2, frames), in dBFS.

        Args:
            near: shape (n,), 16 kHz: the microphone.
            far: shape (n,): what the speaker played at that time.
        """
        both = np.concatenate([self._rest, np.stack([near, far])], axis=1)
        whole = both.shape[1] // FRAME * FRAME
        self._rest = both[:, whole:]
        power = np.mean(np.square(both[:, :whole].reshape(2, -1, FRAME), dtype=np.float64), axis=2)
        levels: NDArray[np.float64] = np.maximum(10 * np.log10(power + 1e-12), self._floor_db)
        return levels
