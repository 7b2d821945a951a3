"""What voice activity detection tells the conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # NumPy takes longer to load than the window to appear
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class SpeechOnset:
    """The first 0.1 s of what may be speech: soon enough to be silent, too soon to be sure.

    Followed by `SpeechStarted` or by `SpeechDiscarded`.

    Attributes:
        position: Sample index of the first speech sample.
    """

    position: int


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
        goes_on: Over-long speech was split here: the user still speaks, and what follows this segment, from
            its own `SpeechStarted` on, belongs to the same turn.
    """

    audio: NDArray[np.float32]
    start: int
    end: int
    decided: int
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class SpeechDiscarded:
    """What began like speech was too short to be a turn (a click, a cough)."""


@dataclass(frozen=True, slots=True, eq=False)
class SpeechPaused:
    """The user is silent for a moment and may have finished: time to work ahead. Nothing is decided.

    It comes once a pause and is followed by `SpeechResumed` or by the `SpeechSegment`. That has the same
    `audio`, `start` and `end`: a transcript of the one is a transcript of the other.

    Attributes:
        audio: shape (n,), float32, 16 kHz mono: what the segment would be if the turn ended here.
        start: Sample index of the first speech sample.
        end: Sample index behind the last speech sample.
        decided: Sample index at which the pause was noticed.
        finished: Probability that the sentence is finished (Smart Turn), 0..1; None where nothing judges it.
    """

    audio: NDArray[np.float32]
    start: int
    end: int
    decided: int
    finished: float | None = None


@dataclass(frozen=True, slots=True)
class SpeechResumed:
    """The user goes on after `SpeechPaused`: what was worked ahead is in vain."""


VadEvent = SpeechOnset | SpeechStarted | SpeechPaused | SpeechResumed | SpeechSegment | SpeechDiscarded
