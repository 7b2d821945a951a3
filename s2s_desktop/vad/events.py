"""What voice activity detection tells the conversation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SpeechStarted:
    """The user began to speak (minimum speech reached, so a click is not enough).

    Attributes:
        position: Sample index (16 kHz, since the source started) of the first speech sample.
    """

    position: int


@dataclass(frozen=True, slots=True, eq=False)
class SpeechSegment:
    """Speech of one turn, cut out of the microphone.

    Attributes:
        audio: shape (n,), float32, 16 kHz mono: pre-roll, speech, and a little of the pause.
        start: Sample index of the first speech sample.
        end: Sample index behind the last speech sample.
        decided: Sample index at which the pause was long enough; `decided - end` is the pause waited for.
    """

    audio: NDArray[np.float32]
    start: int
    end: int
    decided: int


@dataclass(frozen=True, slots=True)
class SpeechDiscarded:
    """What began like speech was too short to be a turn (a click, a cough)."""


VadEvent = SpeechStarted | SpeechSegment | SpeechDiscarded
