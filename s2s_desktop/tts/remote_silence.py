"""Cuts the silence around a voice while it arrives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

AUDIBLE = 0.003
"""Amplitude from which sound counts as voice (-50 dBFS)."""

LEAD_S = 0.03
"""Silence kept ahead of a clause: the soft start of a consonant."""

TAIL_S = 0.25
"""Silence kept behind it: the pause between two sentences."""

LONGEST_HOLD_S = 1.0
"""A pause that is longer goes through; the speaker would wait for it."""

HELD_S = 0.01
"""Sound that is always held back, so that there is a last piece."""


class SilenceTrimmer:
    """Lets the voice through and holds silence back until more voice follows.

    Args:
        sample_rate: In Hz.
    """

    def __init__(self, sample_rate: int) -> None:
        self._lead = int(LEAD_S * sample_rate)
        self._tail = int(TAIL_S * sample_rate)
        self._longest_hold = int(LONGEST_HOLD_S * sample_rate)
        self._held = max(1, int(HELD_S * sample_rate))
        self._waiting = np.zeros(0, np.float32)
        self._begun = False

    def feed(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """Take the next samples and return those that are certain to be kept; shape (n,), float32."""
        sound = np.concatenate([self._waiting, samples])
        audible = np.flatnonzero(np.abs(sound) > AUDIBLE)
        if not self._begun:
            if audible.size == 0:
                self._waiting = sound[max(0, sound.size - self._lead) :]
                return sound[:0]
            self._begun = True
            sound = sound[max(0, int(audible[0]) - self._lead) :]
            audible = np.flatnonzero(np.abs(sound) > AUDIBLE)
        end_of_voice = int(audible[-1]) + 1 if audible.size else 0
        kept = min(max(end_of_voice, sound.size - self._longest_hold), sound.size - self._held)
        self._waiting = sound[max(0, kept) :]
        return sound[: max(0, kept)]

    def finish(self) -> NDArray[np.float32]:
        """Return the last samples; empty when there was no voice."""
        rest, self._waiting = self._waiting, self._waiting[:0]
        if not self._begun:
            return rest[:0]
        audible = np.flatnonzero(np.abs(rest) > AUDIBLE)
        end_of_voice = int(audible[-1]) + 1 if audible.size else 0
        return rest[: end_of_voice + self._tail]
