"""Resampling of sound that arrives in pieces."""

from __future__ import annotations

from math import gcd

import numpy as np
import soxr

from s2s_desktop.audio.protocol import Samples

_EDGE_S = 0.005
"""How far the missing neighbor of an edge is felt: soxr's HQ filter reaches 2.4 ms at 24 kHz (measured)."""


_TAPS_A_SAMPLE = 10
"""Length of the filter against aliases, in samples of the lower rate."""


class StreamResampler:
    """Resamples an endless stream. Cheap, but it holds back about 25 ms until `finish`."""

    def __init__(self, in_rate: int, out_rate: int) -> None:
        self._out_rate = out_rate
        self._stream = (
            None
            if in_rate == out_rate
            else soxr.ResampleStream(in_rate, out_rate, 1, dtype="float32", quality="HQ")
        )

    def push(self, samples: Samples) -> Samples:
        """Return what is settled by now; may be empty. `samples` has shape (n,)."""
        if self._stream is None:
            return samples
        return np.asarray(self._stream.resample_chunk(samples), np.float32)

    def finish(self) -> Samples:
        """Return what was held back and start anew."""
        if self._stream is None:
            return np.zeros(0, np.float32)
        rest = self._stream.resample_chunk(np.zeros(0, np.float32), last=True)
        self._stream.clear()
        return np.asarray(rest, np.float32)

    @property
    def held_back_s(self) -> float:
        """Seconds of sound that were pushed and not returned yet."""
        return 0.0 if self._stream is None else float(self._stream.delay()) / self._out_rate


class QuickResampler:
    """Resamples an endless stream and holds nothing back. Aliases stay 30 dB below the sound.

    soxr's own filters hold back 6 to 80 ms (measured). Its cubic interpolation holds back nothing, with a
    short filter against aliases in front of it that delays by 0.3 ms.
    """

    def __init__(self, in_rate: int, out_rate: int) -> None:
        self._same = in_rate == out_rate
        self._stream = soxr.ResampleStream(in_rate, out_rate, 1, dtype="float32", quality="QQ")
        width = max(1, _TAPS_A_SAMPLE * in_rate // out_rate) | 1
        place = (np.arange(width) - width // 2) * min(1.0, 0.9 * out_rate / in_rate)
        self._filter = np.sinc(place) * np.hanning(width + 2)[1:-1]
        self._filter = (self._filter / self._filter.sum()).astype(np.float32)
        self._before = np.zeros(width - 1, np.float32)

    def push(self, samples: Samples) -> Samples:
        """Return what `samples`, of shape (n,), come to."""
        if self._same:
            return samples
        filtered = samples
        if samples.any() or self._before.any():  # silence needs no filter
            known = np.concatenate([self._before, samples])
            self._before = known[len(known) - len(self._before) :]
            filtered = np.convolve(known, self._filter, mode="valid").astype(np.float32)
        return np.asarray(self._stream.resample_chunk(filtered), np.float32)


class GaplessResampler:
    """Resamples pieces that follow each other without a seam and without holding their end back.

    The last few milliseconds of a piece depend on what follows. They are returned as a second, provisional
    part: played when nothing follows, replaced by the beginning of the next piece otherwise.
    """

    def __init__(self, in_rate: int, out_rate: int) -> None:
        common = gcd(in_rate, out_rate)
        self._in_step = in_rate // common
        self._out_step = out_rate // common
        self._edge = int(_EDGE_S * in_rate)
        self._kept = np.zeros(0, np.float32)
        self._kept_start = 0
        self._settled = 0

    def push(self, samples: Samples) -> tuple[Samples, Samples]:
        """Resample the next piece.

        Args:
            samples: shape (n,), float32.

        Returns:
            The settled samples, which follow the settled ones of the last call, and the provisional ones
            behind them.
        """
        if self._in_step == self._out_step:
            return samples, np.zeros(0, np.float32)
        known = np.concatenate([self._kept, samples])
        end = self._kept_start + len(known)
        resampled = np.asarray(soxr.resample(known, self._in_step, self._out_step, quality="HQ"), np.float32)
        offset = self._kept_start // self._in_step * self._out_step
        settled = max(self._settled, (end - self._edge) * self._out_step // self._in_step)
        result = (resampled[self._settled - offset : settled - offset], resampled[settled - offset :])
        self._settled = settled
        # Kept samples begin on the common grid of both rates, so that later results stay in step.
        start = max(0, end - 3 * self._edge) // self._in_step * self._in_step
        self._kept = known[max(0, start - self._kept_start) :]
        self._kept_start = max(start, self._kept_start)
        return result
