"""Whisper's log-mel spectrum of a sound, in plain NumPy.

The method is that of OpenAI's Whisper (https://github.com/openai/whisper, `whisper/audio.py`): windows of
25 ms every 10 ms, 80 mel bands on the Slaney scale with equal areas.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from s2s_desktop.vad.detector import SAMPLE_RATE

WINDOW_SAMPLES = 400
HOP_SAMPLES = 160
MEL_BANDS = 80

_LEAST_POWER = 1e-10
_DYNAMIC_RANGE = 8.0
"""Decades below the loudest value at which the spectrum is cut."""

_LINEAR_UP_TO_HZ = 1000.0
_HZ_PER_MEL = 200.0 / 3.0
_LOG_STEP = np.log(6.4) / 27.0
"""The Slaney scale: linear up to 1 kHz (mel 15), above it 27 steps for a factor of 6.4."""


def log_mel_spectrum(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the log-mel spectrum, of shape (80, n // 160), of samples of shape (n,), 16 kHz, n >= 400."""
    half = WINDOW_SAMPLES // 2
    padded = np.pad(samples.astype(np.float64), half, mode="reflect")
    windows = sliding_window_view(padded, WINDOW_SAMPLES)[::HOP_SAMPLES][: len(samples) // HOP_SAMPLES]
    spectrum = np.fft.rfft(windows * np.hanning(WINDOW_SAMPLES + 1)[:-1], axis=1)
    power = spectrum.real**2 + spectrum.imag**2
    logarithm = np.log10(np.maximum(_mel_filters() @ power.T, _LEAST_POWER))
    clipped = np.maximum(logarithm, logarithm.max() - _DYNAMIC_RANGE)
    return np.asarray((clipped + 4.0) / 4.0, np.float32)


@cache
def _mel_filters() -> NDArray[np.float64]:
    """Return the triangles of the mel bands over the bins of the spectrum, shape (80, 201)."""
    bins = np.linspace(0.0, SAMPLE_RATE / 2, WINDOW_SAMPLES // 2 + 1)
    top = 15.0 + np.log(SAMPLE_RATE / 2 / _LINEAR_UP_TO_HZ) / _LOG_STEP
    mels = np.linspace(0.0, top, MEL_BANDS + 2)
    logarithmic = _LINEAR_UP_TO_HZ * np.exp(_LOG_STEP * (mels - 15.0))
    edges = np.where(mels < 15.0, mels * _HZ_PER_MEL, logarithmic)[:, np.newaxis]
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    triangles = np.minimum((bins - low) / (middle - low), (high - bins) / (high - middle))
    return np.asarray(np.maximum(triangles, 0.0) * 2.0 / (high - low))
