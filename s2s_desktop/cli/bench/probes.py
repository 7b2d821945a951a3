"""A file and a speaker that know when they can be heard: the two ends of voice-to-voice.

A question ends with its last 20 ms within 26 dB of the loudest ones, which leaves out the room; a reply
begins with its first sample above 300/32768.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from s2s_desktop.audio.protocol import PIPELINE_RATE, AudioBlock, Samples
from s2s_desktop.audio.sound_file import read_wav
from s2s_desktop.audio.wav_file import WavSink, WavSource

FRAME = PIPELINE_RATE // 50
QUESTION_LEVEL = 10 ** (-26 / 20)
REPLY_LEVEL = 300 / 32768


class TimedSource(WavSource):
    """Plays a file at the speed of a microphone and notes when its speech ended."""

    def __init__(self, path: Path, trailing_silence_s: float) -> None:
        super().__init__(path, realtime=True, trailing_silence_s=trailing_silence_s)
        self._end = end_of_speech(read_wav(path))
        self.ended_at: float | None = None

    def start(self, on_block: Callable[[AudioBlock], None], on_end: Callable[[str], None]) -> None:
        """Deliver the file; see `AudioSource.start`."""

        def note(block: AudioBlock) -> None:
            behind = block.position + block.samples.size - self._end
            if self.ended_at is None and behind >= 0:
                self.ended_at = block.captured_at - behind / PIPELINE_RATE
            on_block(block)

        super().start(note, on_end)


class TimedSink(WavSink):
    """Plays in real time to nowhere and notes when the first audible sample of a reply leaves it."""

    def __init__(self) -> None:
        super().__init__(None, realtime=True)
        self.began_at: float | None = None

    def play(self, samples: Samples, sample_rate: int) -> None:
        """Queue voice; see `AudioSink.play`."""
        audible = np.flatnonzero(np.abs(samples) > REPLY_LEVEL)
        if self.began_at is None and audible.size:
            self.began_at = time.monotonic() + self.queued_seconds + float(audible[0]) / sample_rate
        super().play(samples, sample_rate)


def end_of_speech(sound: Samples) -> int:
    """Return the index behind the last sample of speech; the length where all of the sound is silent."""
    frames = sound[: sound.size // FRAME * FRAME].reshape(-1, FRAME)
    loudness = np.sqrt(np.mean(np.square(frames), axis=1))
    loud = np.flatnonzero(loudness > QUESTION_LEVEL * loudness.max(initial=0.0))
    return int(loud[-1] + 1) * FRAME if loud.size else sound.size
