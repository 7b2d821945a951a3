"""What the conversation needs from a microphone and from a speaker, be it a sound card or a WAV file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from s2s_desktop.audio.echo_reference import EchoReference

Samples = NDArray[np.float32]
"""Mono sound, float32, nominally in -1..1."""

PIPELINE_RATE = 16_000
"""Samples a second of everything between the microphone and speech-to-text (Silero and Whisper use it)."""


@dataclass(frozen=True, slots=True, eq=False)
class AudioBlock:
    """A piece of microphone sound.

    Attributes:
        samples: shape (n,), float32, 16 kHz mono; n > 0 and may differ from block to block.
        position: Index of the first sample since the source started; gaps are counted as lost samples.
        captured_at: `time.monotonic()` at which the last sample was captured.
    """

    samples: Samples
    position: int
    captured_at: float


class AudioSource(Protocol):
    """A microphone or a file that plays one.

    Attributes:
        name: For people.
        live: True for a device: sound that is not taken is lost. False for a file: while `on_block` blocks,
            the file waits.
    """

    name: str
    live: bool

    def start(self, on_block: Callable[[AudioBlock], None], on_end: Callable[[str], None]) -> None:
        """Begin to deliver blocks.

        Args:
            on_block: Called from one thread of the source, in order. It must return soon and never raise.
            on_end: Called once when no more sound will come without `stop`: "" at the end of a file,
                otherwise the sentence that says what happened to the device.

        Raises:
            AssistantError: kind DEVICE, when the device cannot be opened.
        """

    def stop(self) -> None:
        """Release the device. Idempotent; no block arrives after it returns."""


class AudioSink(Protocol):
    """A speaker or a file that records one.

    Voice is queued and played in order. All methods may be called from any thread. `pause` and `flush` need
    no event loop and return at once, so that the thread of the microphone can silence the voice.

    Attributes:
        name: For people.
        reference: What is really played, for the echo canceller; None where no microphone can hear it.
    """

    name: str
    reference: EchoReference | None

    def start(self) -> None:
        """Open the device, which plays silence between replies, and may be given back meanwhile.

        Raises:
            AssistantError: kind DEVICE, when the device cannot be opened.
        """

    def stop(self) -> None:
        """Drop what is queued and release the device. Idempotent."""

    def play(self, samples: Samples, sample_rate: int) -> None:
        """Queue sound behind what is queued already; returns at once.

        Args:
            samples: shape (n,), float32 mono; values outside -1..1 are clipped, not wrapped.
            sample_rate: Of `samples`, in Hz. The sink resamples to its device.
        """

    def expect_voice(self, expected: bool) -> None:
        """Say whether voice may come soon, so that a device that was given back is open by then.

        Returns at once. Voice that comes unexpected is played all the same, a moment later.
        """

    def pause(self) -> None:
        """Silence at once, but keep everything queued; `played_seconds` stands still. Idempotent.

        What is queued meanwhile waits too.
        """

    def resume(self) -> None:
        """Go on where `pause` began. Does nothing when nothing is paused."""

    def flush(self) -> None:
        """Silence at once: drop everything queued, paused or not. Playing resumes with the next `play`."""

    @property
    def played_seconds(self) -> float:
        """Seconds of queued voice that left the device since `start` (silence not counted)."""

    @property
    def queued_seconds(self) -> float:
        """Seconds of voice that are queued and not yet heard. 0.0 when the speaker is silent."""

    @property
    def underruns(self) -> int:
        """How often the device ran dry in the middle of a reply."""
