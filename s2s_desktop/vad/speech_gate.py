"""From the probability of speech to speech or not: hysteresis, and nothing about turns."""

from __future__ import annotations

RELEASE_MARGIN = 0.15
"""How far below the threshold a voice must fall to count as silence; Silero's own choice (`VADIterator`)."""
_LOWEST_RELEASE = 0.01


class SpeechGate:
    """Opens at the threshold and closes below threshold - 0.15, so that a weak syllable is no pause."""

    def __init__(self) -> None:
        self._open = False

    def is_speech(self, probability: float, threshold: float) -> bool:
        """Return whether the next frame, with this probability of speech, is speech.

        Args:
            probability: Of speech in the frame, 0..1.
            threshold: From which it is speech, 0..1; may change from frame to frame.
        """
        release = max(threshold - RELEASE_MARGIN, _LOWEST_RELEASE)
        self._open = probability >= (release if self._open else threshold)
        return self._open

    def reset(self) -> None:
        """Close the gate."""
        self._open = False
