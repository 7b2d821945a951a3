"""What the conversation needs from speech-to-text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # NumPy takes longer to load than the window to appear
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class PartialTranscript:
    """What the user seems to be saying; may still change.

    Attributes:
        text: All of it.
        stable: How many characters at the beginning of `text` will hardly change any more.
    """

    text: str
    stable: int = 0


@dataclass(frozen=True, slots=True)
class FinalTranscript:
    """What the user said.

    Attributes:
        text: Trimmed; "" when the segment held no speech after all.
        language: ISO 639-1 code, or "" when unknown.
        language_probability: 0..1.
        seconds: Length of the audio.
        elapsed_s: Time the transcription took.
    """

    text: str
    language: str = ""
    language_probability: float = 0.0
    seconds: float = 0.0
    elapsed_s: float = 0.0


class Transcriber(Protocol):
    """A speech-to-text engine. Calls block: run them on the STT worker, never on the event loop."""

    name: str

    def load(self) -> None:
        """Load the model and run it once so that the first turn is not slower than the next.

        Raises:
            AssistantError: kind MODEL_MISSING when files are absent, INTERNAL when the engine refuses them.
        """

    def transcribe(self, audio: NDArray[np.float32], language: str = "") -> FinalTranscript:
        """Transcribe speech.

        Args:
            audio: shape (n,), float32, 16 kHz mono, -1..1.
            language: ISO 639-1 code; "" detects it.

        Raises:
            AssistantError: kind INTERNAL, with what the engine said.
        """

    def draft(self, audio: NDArray[np.float32], language: str = "") -> str:
        """Transcribe speech that is still going on, as fast as possible, for a caption.

        Args:
            audio: As for `transcribe`.
            language: As for `transcribe`.

        Returns:
            The text; "" where the engine makes no drafts or hears nothing.
        """

    def close(self) -> None:
        """Free the model."""
