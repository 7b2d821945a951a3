"""What the speaker plays, kept for the moment in which the microphone may hear it."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from itertools import groupby
from statistics import median

import numpy as np

from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.audio.resample import QuickResampler

KEPT_S = 2.0
"""Longest stretch kept: the buffers of speaker and microphone, and a stall of either side."""
DRIFT_S = 0.01
"""Misalignment mended in silence. The canceller finds constant delays itself; the two clocks of two devices
drift apart by up to 12 ms a minute."""
QUIET_S = 1.0
"""After so much silence nothing is in the room any more, and a jump costs nothing."""
EARLY_S = 0.04
LATE_S = 0.15
"""Misalignment mended at once, also in the middle of voice, since a device lost or repeated sound. Each jump
takes the canceller a second to adapt to (measured), so as long as it can find the delay itself it is left to:
it looks back half a second. A sound that it is told of too late it never finds."""
LATEST_S = 0.03
"""How much later than it says a device is believed to play. The canceller must never be told of a sound after
the microphone heard it, which devices with true times and short buffers would come to with more."""
TIMES = 31
"""Blocks whose times are averaged by their median: drivers tell them with a jitter of some milliseconds."""


@dataclass(frozen=True, slots=True, eq=False)
class _Played:
    """A block as the speaker gave it to its device.

    Attributes:
        samples: shape (n,), float32.
        sample_rate: In Hz.
        heard_until: `time.monotonic()` at which its last sample leaves the loudspeaker.
    """

    samples: Samples
    sample_rate: int
    heard_until: float


class EchoReference:
    """The far end of echo cancelling: written by one speaker, read by one microphone.

    `write` and `reset` may be called from the callback of the speaker: they only move references. `read`,
    `skip` and `rest` must be called from one thread.
    """

    _ring: Samples
    _ring_start: int
    _next: int
    _voice_end: int
    _unaligned: bool
    _late: int
    _silence: int
    _resampler: QuickResampler | None
    _resampler_rate: int
    _heard: deque[float]
    _errors: deque[float]

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._played: deque[_Played] = deque()
        self._restarted = True
        self._voice_written = False
        self._begin_anew()

    def write(self, samples: Samples, sample_rate: int, heard_from: float, *, silence: bool = False) -> None:
        """Note what was given to the device, voice and silence alike, without gaps.

        Args:
            samples: shape (n,), float32 mono; kept, so it must not change afterwards.
            sample_rate: Of `samples`, in Hz.
            heard_from: `time.monotonic()` at which its first sample leaves the loudspeaker.
            silence: All of `samples` are zero.
        """
        block = _Played(samples, sample_rate, heard_from + len(samples) / sample_rate)
        with self._lock:
            self._played.append(block)
            self._voice_written = self._voice_written or not silence
            while self._played[0].heard_until < block.heard_until - KEPT_S:
                self._played.popleft()
                self._restarted = True

    def reset(self) -> None:
        """Forget everything: the device was opened, closed, or changed."""
        with self._lock:
            self._played.clear()
            self._restarted = True

    def read(self, count: int, captured_until: float) -> Samples:
        """Return what could be heard while the microphone took its next samples.

        Consecutive calls continue each other, but for corrections when the clocks have drifted apart.

        Args:
            count: How many samples.
            captured_until: `time.monotonic()` at which the microphone had taken the last of them.

        Returns:
            shape (count,), float32, 16 kHz mono; zeros where nothing is known.
        """
        self._take_in()
        if not self._heard:
            return np.zeros(count, np.float32)
        # Where the next read should begin on the axis of what was played.
        wanted = (captured_until - median(self._heard)) * PIPELINE_RATE - count - self._late
        if self._unaligned:
            self._unaligned = False
            self._next = round(wanted)
        self._errors.append(wanted - self._next)
        quiet = self._silence >= QUIET_S * PIPELINE_RATE
        self._align(median(self._errors), quiet=quiet)
        if quiet:
            self._wait_for_what_is_missing(count)
        samples = self._cut(self._next, count)
        self._silence = 0 if samples.any() else self._silence + count
        self._next += count
        self._forget()
        return samples

    def _align(self, error: float, *, quiet: bool) -> None:
        """Correct the place of the next read by `error` samples if that is worth a jump."""
        tolerated_in_voice_s = EARLY_S if error > 0 else LATE_S
        if abs(error) > (DRIFT_S if quiet else tolerated_in_voice_s) * PIPELINE_RATE:
            self._next += round(error)
            self._errors.clear()

    def skip(self, count: int) -> None:
        """Note that the microphone lost `count` samples."""
        self._next += count

    @property
    def silent(self) -> bool:
        """Whether nothing was played for a second and nothing is on its way: `read` would return zeros."""
        return not self._voice_written and self._next - self._voice_end >= QUIET_S * PIPELINE_RATE

    def rest(self, count: int) -> None:
        """Note that the microphone took `count` samples while `silent`, for which `read` was not called."""
        self._next += count
        self._silence += count

    def _wait_for_what_is_missing(self, count: int) -> None:
        """Fall behind when the next samples have not been handed to the device yet.

        Nobody can have heard those: the device plays later than it says.
        """
        missing = self._next + count - self._ring_start - len(self._ring)
        more = int(LATEST_S * PIPELINE_RATE) - self._late
        if 0 < missing <= more:
            self._late += missing
            self._next -= missing

    def _begin_anew(self) -> None:
        self._ring = np.zeros(0, np.float32)
        self._ring_start = 0
        self._next = 0
        self._voice_end = -int(QUIET_S * PIPELINE_RATE)
        self._late = 0
        self._silence = 0
        self._unaligned = True
        self._resampler = None
        self._resampler_rate = 0
        # When sample 0 was heard, as each of the last blocks has it.
        self._heard = deque(maxlen=TIMES)
        self._errors = deque(maxlen=TIMES)

    def _take_in(self) -> None:
        """Resample what was played since the last read and append it to the ring."""
        with self._lock:
            blocks = list(self._played)
            self._played.clear()
            voice, self._voice_written = self._voice_written, False
            restarted, self._restarted = self._restarted, False
        if restarted:
            self._begin_anew()
        for rate, same_rate in groupby(blocks, key=lambda block: block.sample_rate):
            played = list(same_rate)
            if self._resampler is None or self._resampler_rate != rate:
                self._resampler = QuickResampler(rate, PIPELINE_RATE)
                self._resampler_rate = rate
            sound = np.concatenate([block.samples for block in played])
            self._ring = np.concatenate([self._ring, self._resampler.push(sound)])
            end_s = (self._ring_start + len(self._ring)) / PIPELINE_RATE - len(sound) / rate
            for block in played:
                end_s += len(block.samples) / rate
                self._heard.append(block.heard_until - end_s)
        if voice:
            self._voice_end = self._ring_start + len(self._ring)

    def _cut(self, start: int, count: int) -> Samples:
        """Return `count` samples from index `start`, with zeros outside of the ring."""
        cut = np.zeros(count, np.float32)
        begin = max(start, self._ring_start)
        end = min(start + count, self._ring_start + len(self._ring))
        if begin < end:
            cut[begin - start : end - start] = self._ring[begin - self._ring_start : end - self._ring_start]
        return cut

    def _forget(self) -> None:
        """Drop what the microphone is past, but for a second to go back to."""
        useless = min(self._next - PIPELINE_RATE - self._ring_start, len(self._ring))
        if useless > 0:
            self._ring = self._ring[useless:]
            self._ring_start += useless
