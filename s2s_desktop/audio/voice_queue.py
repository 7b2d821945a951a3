"""Voice waiting to be played: queued by the conversation, pulled by a device or a file."""

from __future__ import annotations

import threading
from collections import deque

import numpy as np

from s2s_desktop.audio.protocol import Samples
from s2s_desktop.audio.resample import GaplessResampler

FADE_S = 0.008
"""Length of the fade-out when the voice is cut or held, so that it does not click."""
REPLY_GAP_S = 2.0
"""Voice that comes within this time after the queue ran dry belongs to the same reply."""


class VoiceQueue:
    """A queue of mono voice at one rate. All methods may be called from any thread.

    Attributes:
        sample_rate: Of what `pull` returns, in Hz.
        underruns: How often it ran dry in the middle of a reply: `pull` found too little voice, and more was
            queued within `REPLY_GAP_S` without a `flush` between.
    """

    def __init__(self, sample_rate: int) -> None:
        self.sample_rate = sample_rate
        self.underruns = 0
        self._fade_samples = int(FADE_S * sample_rate)
        self._lock = threading.Lock()
        self._blocks: deque[Samples] = deque()
        self._frames = 0
        self._tail: Samples = np.zeros(0, np.float32)
        self._tail_played = 0
        self._generation = 0
        self._held = False
        self._fade: Samples = np.zeros(0, np.float32)
        self._rise: Samples = np.zeros(0, np.float32)
        self._speaking = False
        self._ran_dry_at: float | None = None
        self._producer = threading.Lock()
        self._resampler: GaplessResampler | None = None
        self._resampler_key: tuple[int, int] | None = None

    def play(self, samples: Samples, sample_rate: int, now: float) -> None:
        """Queue sound.

        Args:
            samples: shape (n,), float32; clipped to -1..1, NaN becomes silence.
            sample_rate: Of `samples`, in Hz.
            now: The clock that `pull` is told, in seconds.

        Raises:
            ValueError: `samples` is not mono.
        """
        if samples.ndim != 1:
            raise ValueError(f"voice must have the shape (n,), not {samples.shape}")
        if not samples.size:
            return
        sound = np.nan_to_num(samples.astype(np.float32))
        with self._producer:
            with self._lock:
                key = (sample_rate, self._generation)
            if self._resampler is None or self._resampler_key != key:
                self._resampler, self._resampler_key = GaplessResampler(sample_rate, self.sample_rate), key
            settled, tail = (np.clip(part, -1.0, 1.0) for part in self._resampler.push(sound))
            with self._lock:
                if self._generation == key[1]:
                    self._append(settled, tail, now)

    def _append(self, settled: Samples, tail: Samples, now: float) -> None:
        if self._ran_dry_at is not None and now - self._ran_dry_at <= REPLY_GAP_S:
            self.underruns += 1
        self._ran_dry_at = None
        # What was played of the old tail is the beginning of `settled`; the rest of the tail is replaced.
        self._frames -= len(self._tail) - self._tail_played
        fresh = settled[self._tail_played :]
        self._blocks.append(fresh)
        self._tail, self._tail_played = tail, max(0, self._tail_played - len(settled))
        self._frames += len(fresh) + len(tail) - self._tail_played

    def pull(self, out: Samples, now: float) -> int:
        """Fill `out` with voice, and with silence where there is none.

        Args:
            out: shape (n,), float32; all of it is written.
            now: When its last sample is taken, in seconds.

        Returns:
            How many samples of `out`, from its start, are voice.
        """
        with self._lock:
            if not self._fade.size and (self._held or not self._frames):  # a hundred times a second, all day
                out.fill(0.0)
                self._note_missing(len(out), now)
                return 0
            faded = min(len(self._fade), len(out))
            out[:faded] = self._fade[:faded]
            self._fade = self._fade[faded:]
            voice = out[faded:]
            filled = 0 if self._held else self._take(voice)
            voice[filled:] = 0.0
            rising = min(len(self._rise), filled)
            voice[:rising] *= self._rise[:rising]
            self._rise = self._rise[rising:]
            self._speaking = self._speaking or filled > 0
            self._note_missing(len(voice) - filled, now)
        return faded + filled

    def _note_missing(self, missing: int, now: float) -> None:
        """Note that the last `missing` samples up to `now` had to be silence."""
        if missing and self._speaking and not self._held:
            self._speaking = False
            self._ran_dry_at = now - missing / self.sample_rate

    def _take(self, out: Samples) -> int:
        filled = 0
        while filled < len(out) and self._blocks:
            block = self._blocks[0]
            count = min(len(block), len(out) - filled)
            out[filled : filled + count] = block[:count]
            filled += count
            if count == len(block):
                self._blocks.popleft()
            else:
                self._blocks[0] = block[count:]
        rest = self._tail[self._tail_played : self._tail_played + len(out) - filled]
        out[filled : filled + len(rest)] = rest
        self._tail_played += len(rest)
        filled += len(rest)
        self._frames -= filled
        return filled

    def change_rate(self, sample_rate: int) -> None:
        """Go on at another rate, with everything that is queued: another device plays it."""
        with self._producer, self._lock:
            if sample_rate == self.sample_rate:
                return
            waiting = np.concatenate([self._fade, *self._blocks, self._tail[self._tail_played :]])
            resampled = GaplessResampler(self.sample_rate, sample_rate).push(waiting)
            self._blocks = deque(part for part in resampled if part.size)
            self._frames = sum(len(part) for part in self._blocks)
            self._tail, self._tail_played = np.zeros(0, np.float32), 0
            self._fade, self._rise = self._fade[:0], self._rise[:0]
            self._resampler = None
            self.sample_rate = sample_rate
            self._fade_samples = int(FADE_S * sample_rate)

    def pause(self) -> None:
        """Fade out within a few milliseconds and keep the rest for `resume`."""
        with self._lock:
            self._fall_silent()

    def resume(self) -> None:
        """Go on behind what faded out, fading in."""
        with self._lock:
            if self._held:
                self._held = False
                self._rise = np.linspace(0.0, 1.0, self._fade_samples, dtype=np.float32)

    def flush(self) -> None:
        """Drop everything but a few milliseconds that fade out. A paused queue is paused no longer."""
        with self._lock:
            self._fall_silent()
            self._drop()

    def clear(self) -> None:
        """Drop everything, without a fade."""
        with self._lock:
            self._fade = self._fade[:0]
            self._drop()

    def _fall_silent(self) -> None:
        """Hold what is queued, but for its beginning, which fades out."""
        was_silent, self._held = self._held or self._fade.size > 0, True
        if was_silent:
            return
        fade = np.zeros(self._fade_samples, np.float32)
        fade = fade[: self._take(fade)]
        loudness = 1.0 - self._rise.size / self._fade_samples
        self._fade = fade * np.linspace(loudness, 0.0, len(fade), dtype=np.float32)

    def _drop(self) -> None:
        self._generation += 1
        self._held = False
        self._rise = self._rise[:0]
        self._speaking = False
        self._ran_dry_at = None
        self._blocks.clear()
        self._tail, self._tail_played = np.zeros(0, np.float32), 0
        self._frames = 0

    @property
    def queued_seconds(self) -> float:
        """Seconds of voice not pulled yet."""
        with self._lock:
            return (self._frames + self._fade.size) / self.sample_rate
