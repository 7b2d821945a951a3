"""What the conversation needs from text-to-speech."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class VoiceChunk:
    """A piece of the reply as sound.

    Attributes:
        samples: shape (n,), float32 mono, within -1..1; n may be 0 when there was nothing to say.
        sample_rate: In Hz.
        text: The speakable text that these samples say.
    """

    samples: NDArray[np.float32]
    sample_rate: int
    text: str


class Synthesizer(Protocol):
    """A text-to-speech engine. Calls block: run them on the TTS worker, never on the event loop."""

    name: str

    def load(self) -> None:
        """Load the model and run it once.

        Raises:
            AssistantError: kind MODEL_MISSING when files are absent, INTERNAL when the engine refuses them.
        """

    def synthesize(self, text: str) -> VoiceChunk:
        """Speak a clause.

        Args:
            text: Speakable text of any length; text without anything to say gives an empty chunk.

        Raises:
            AssistantError: kind INTERNAL, with what the engine said.
        """

    def close(self) -> None:
        """Free the model."""
