"""Cuts the silence ahead of a voice and behind it while its sound arrives piece by piece."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

AUDIBLE = 0.01
"""Amplitude, relative to the loudest sample, from which sound counts as voice (-40 dB)."""

LEAD_S = 0.03
"""Silence kept ahead of a clause: the soft start of a consonant. Kokoro puts 0.27-0.38 s there."""

CLAUSE_TAIL_S = 0.12
SENTENCE_TAIL_S = 0.25

FADE_S = 0.005
"""Ends are faded over this time, so that a cut makes no click."""


class VoiceEdges:
    """Keeps a short lead and the pause that the end of a clause asks for, faded at both ends.

    Attributes:
        dropped: Samples cut off ahead so far.

    Args:
        sample_rate: In Hz.
        ends_sentence: A full stop takes a longer pause than a comma.
    """

    def __init__(self, sample_rate: int, *, ends_sentence: bool) -> None:
        self.dropped = 0
        self._lead = int(LEAD_S * sample_rate)
        self._tail = int((SENTENCE_TAIL_S if ends_sentence else CLAUSE_TAIL_S) * sample_rate)
        self._fade = int(FADE_S * sample_rate)
        self._loudest = 0.0
        self._has_begun = False
        self._silence = 0
        """Samples given out since the last audible one."""

    def take(self, piece: NDArray[np.float32], *, is_last: bool) -> NDArray[np.float32]:
        """Return what is to be heard of the next piece, of shape (n,); silence ahead of the voice gives none.

        Args:
            piece: shape (n,), float32 mono.
            is_last: No other piece follows.
        """
        self._loudest = max(self._loudest, float(np.max(np.abs(piece), initial=0.0)))
        audible = np.flatnonzero(np.abs(piece) > AUDIBLE * self._loudest)
        if not self._has_begun and not audible.size:
            self.dropped += piece.size
            return np.zeros(0, np.float32)
        start, end = 0, piece.size
        if is_last:
            last = int(audible[-1]) + 1 if audible.size else -self._silence
            end = max(1, last + self._tail)
            piece = np.pad(piece, (0, max(0, end - piece.size)))
        self._silence = piece.size - int(audible[-1]) - 1 if audible.size else self._silence + piece.size
        if not self._has_begun:
            self._has_begun = True
            start = max(0, int(audible[0]) - self._lead)
            self.dropped += start
            kept = piece[start:end].astype(np.float32, copy=True)
            kept[: self._fade] *= self._ramp(kept)
        else:
            kept = piece[start:end].astype(np.float32, copy=True)
        if is_last:
            ramp = self._ramp(kept)
            kept[kept.size - ramp.size :] *= ramp[::-1]
        return kept

    def _ramp(self, sound: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.linspace(0.0, 1.0, min(self._fade, sound.size), dtype=np.float32)
