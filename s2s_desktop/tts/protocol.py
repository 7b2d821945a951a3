"""What the conversation needs from text-to-speech."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # NumPy takes longer to load than the window to appear
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class WordTime:
    """When a word of the reply is heard.

    Attributes:
        text: The word as it is written in the speakable text, with its punctuation ("$5,"). A run of words
            that are said as one ("Jan 1, 1980.") counts as one.
        start: Seconds from the first sample of the chunk to the first of the word.
        end: Seconds to the end of the word; may lie in the next chunk of the same clause.
    """

    text: str
    start: float
    end: float


@dataclass(frozen=True, slots=True, eq=False)
class VoiceChunk:
    """A piece of the reply as sound.

    Attributes:
        samples: shape (n,), float32 mono, within -1..1; n > 0.
        sample_rate: In Hz.
        text: The part of the speakable text whose words begin in these samples; "" where none does.
        words: When each word of `text` is heard; empty where the engine does not know.
    """

    samples: NDArray[np.float32]
    sample_rate: int
    text: str
    words: tuple[WordTime, ...] = ()


class Synthesizer(Protocol):
    """A text-to-speech engine. Calls block: run them on the TTS worker, never on the event loop."""

    name: str

    def load(self) -> None:
        """Load the model and run it once.

        Raises:
            AssistantError: kind MODEL_MISSING when files are absent, INTERNAL when the engine refuses them.
        """

    def synthesize(self, text: str, language: str = "") -> Iterator[VoiceChunk]:
        """Speak a clause, chunk by chunk: the next one is worked on when it is asked for.

        The samples of all chunks in a row are the sound of the clause, and their texts in a row its text.

        Args:
            text: Speakable text of any length; text without anything to say gives no chunk.
            language: ISO 639-1 code of the text; "" is the language of the chosen voice. The chosen voice
                speaks its own language; another language is spoken by the default voice of that one.

        Raises:
            AssistantError: kind INTERNAL, with what the engine said.
        """

    def close(self) -> None:
        """Free the model."""
