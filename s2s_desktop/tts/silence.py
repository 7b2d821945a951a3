"""Cutting the silence around a voice, so that pieces follow each other at the pace of speech."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

AUDIBLE = 0.01
"""Amplitude, relative to the loudest sample, from which sound counts as voice (-40 dB)."""

LEAD_S = 0.03
"""Silence kept ahead of a piece: the soft start of a consonant. Kokoro puts 0.27-0.38 s there."""

CLAUSE_TAIL_S = 0.12
SENTENCE_TAIL_S = 0.25

FADE_S = 0.005
"""Ends are faded over this time, so that a cut makes no click."""


def trim(samples: NDArray[np.float32], sample_rate: int, *, ends_sentence: bool) -> NDArray[np.float32]:
    """Return `samples` with a short lead and the tail that its end asks for, faded at both ends.

    Args:
        samples: shape (n,), float32 mono.
        sample_rate: In Hz.
        ends_sentence: A full stop takes a longer pause than a comma.
    """
    loudest = float(np.max(np.abs(samples), initial=0.0))
    audible = np.flatnonzero(np.abs(samples) > AUDIBLE * loudest)
    if audible.size == 0:
        return np.zeros(0, np.float32)
    tail = SENTENCE_TAIL_S if ends_sentence else CLAUSE_TAIL_S
    start = max(0, int(audible[0]) - int(LEAD_S * sample_rate))
    end = int(audible[-1]) + 1 + int(tail * sample_rate)
    cut = samples[start:end].astype(np.float32, copy=True)
    ramp = np.linspace(0.0, 1.0, min(int(FADE_S * sample_rate), cut.size // 2), dtype=np.float32)
    cut[: ramp.size] *= ramp
    cut[cut.size - ramp.size :] *= ramp[::-1]
    missing = end - samples.size
    return np.concatenate([cut, np.zeros(missing, np.float32)]) if missing > 0 else cut
