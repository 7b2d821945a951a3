"""What endpointing needs from a speech detector."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 16_000
FRAME_SAMPLES = 512
"""Samples of a frame: the only length Silero was trained for at 16 kHz (32 ms)."""


class SpeechDetector(Protocol):
    """Says of each frame how likely it is speech. It remembers the frames before."""

    def probability(self, frame: NDArray[np.float32]) -> float:
        """Return the probability of speech, 0..1, in the next frame of shape (512,), 16 kHz mono."""

    def reset(self) -> None:
        """Forget the frames before: what comes next does not follow them."""
