"""Takes the assistant's own voice out of the microphone: WebRTC's echo canceller, AEC3.

The library is pywebrtc-audio (https://github.com/strands-labs/pywebrtc-audio, Apache-2.0), with wheels for
Linux, macOS and Windows. Where it is missing the sound passes unchanged; the conversation then has to close
the microphone while the voice speaks. livekit's `AudioProcessingModule` cancels as well and would be the
other choice, but it is thirty times larger.
"""

from __future__ import annotations

import logging
from typing import Protocol

import numpy as np

from s2s_desktop.audio.echo_level import EchoLevel
from s2s_desktop.audio.echo_presence import EchoPresence
from s2s_desktop.audio.echo_reference import EchoReference
from s2s_desktop.audio.protocol import PIPELINE_RATE, AudioBlock, Samples

FRAME = PIPELINE_RATE // 100
"""AEC3 takes 10 ms at a time."""
LAG = 128
"""Samples that come out of AEC3 later than they went in (measured with noise and a silent far end)."""
ECHO_TAIL_S = 1.0
"""Silence of the speaker after which nothing of it is in the microphone any more: the buffers of both devices
(up to half a second over Bluetooth) and the room. Then the sound passes as it is, without cost and delay."""

REST = PIPELINE_RATE // 4
"""Samples between two looks at the reference while nothing is played: often enough to know by the next voice
how the clocks of both devices stand to each other."""

DELAY = LAG + FRAME
"""How much later sound comes out than it goes in: AEC3's own lag, and the frame that waits to be whole."""
_PAUSE = int(0.3 * PIPELINE_RATE)
"""The voice between words; a longer silence of the speaker says nothing about an echo."""
_ECHO_TAIL = int(ECHO_TAIL_S * PIPELINE_RATE)
_NOTHING = np.zeros(0, np.float32)
_SILENCE = np.zeros(DELAY, np.float32)
_log = logging.getLogger(__name__)


class Canceller(Protocol):
    """`pywebrtc_audio.EchoCanceller`, as far as it is used here."""

    def process(self, near: Samples, far: Samples) -> Samples:
        """Return `near` without `far`; all of shape (160,)."""


class EchoCanceller:
    """Cleans the blocks of one microphone, in order and on one thread.

    What comes out is for deciding who speaks, not for transcribing: while the speaker plays it is 18 ms late,
    and when the speaker begins or has ended, 18 ms are repeated or left out.

    Where the speaker is not heard at all (headphones), the sound passes as it is: see `echo_presence`. So it
    does while somebody is louder than the echo can be: see `echo_level`.

    Attributes:
        works: Whether the library is there.
    """

    _clean: Samples
    _near: Samples
    _far: Samples
    _stale: int

    def __init__(self, reference: EchoReference, level: EchoLevel | None = None) -> None:
        """Prepare.

        Args:
            reference: What the speaker plays.
            level: What is known of the echo between these devices (`EchoMemory.level`); None knows nothing.
        """
        self._reference = reference
        self._canceller = _load()
        self.works = self._canceller is not None
        self._silence = _ECHO_TAIL
        self._resting = True
        self._rested = 0
        self._presence = EchoPresence()
        self._level = EchoLevel() if level is None else level
        self._position = 0
        self._begin_behind(_NOTHING)

    def clean(self, block: AudioBlock) -> Samples:
        """Return the samples of a block without echo, shape (n,), as many as it has.

        Blocks may have any length. A gap in their positions begins anew.
        """
        if self._canceller is None:
            return block.samples
        if block.position != self._position:
            self._reference.skip(max(block.position - self._position, 0))
            self._begin_behind(_NOTHING)
        self._position = block.position + block.samples.size
        if self._resting and self._reference.silent and self._rested < REST:
            self._rested += block.samples.size
            self._pass(block.samples)
            return block.samples
        self._reference.rest(self._rested)
        self._rested = 0
        far = self._reference.read(block.samples.size, block.captured_at)
        self._silence = 0 if far.any() else self._silence + far.size
        if self._silence < _ECHO_TAIL:
            self._resting = False
            if self._silence < _PAUSE:
                self._presence.follow(block.samples, far)
            voice = self._level.is_voice(block.samples, far)
            clean = self._cancel(self._canceller, block.samples, far)
            return clean if self._presence.present and not voice else block.samples
        if not self._resting:
            self._resting = True
            self._presence.begin()
            self._level.begin()
            self._begin_behind(self._clean)
        self._pass(block.samples)
        return block.samples

    def _cancel(self, canceller: Canceller, samples: Samples, far: Samples) -> Samples:
        near = np.concatenate([self._near, samples])
        far = np.concatenate([self._far, far])
        whole = len(near) - len(near) % FRAME
        frames = [slice(start, start + FRAME) for start in range(0, whole, FRAME)]
        cleaned = [canceller.process(near[frame], far[frame]) for frame in frames]
        self._near, self._far = near[whole:], far[whole:]
        # What comes first is the end of what went in before the speaker was last silent.
        stale = min(self._stale, whole)
        self._stale -= stale
        ready = np.concatenate([self._clean, np.concatenate([far[:0], *cleaned])[stale:]])
        self._clean = ready[samples.size :]
        return ready[: samples.size]

    def _pass(self, samples: Samples) -> None:
        """Note what passes uncancelled: its end comes out first when cancelling begins."""
        last = samples if samples.size >= DELAY else np.concatenate([self._clean, samples])
        self._clean = last[-DELAY:]

    def _begin_behind(self, last: Samples) -> None:
        """Begin to cancel with the next sample; what comes out first is the end of `last`."""
        self._clean = np.concatenate([_SILENCE, last])[-DELAY:]
        self._near = self._far = _NOTHING
        self._stale = LAG


def _load() -> Canceller | None:
    """Return the canceller; None, with a line in the log, where the library is missing."""
    try:
        import pywebrtc_audio
    except ImportError as error:
        _log.warning("the library for echo cancelling is missing, the microphone is used as it is: %s", error)
        return None
    canceller: Canceller = pywebrtc_audio.EchoCanceller(sample_rate=PIPELINE_RATE)
    return canceller
