"""What a decoder says about a stretch of sound, before anybody judges it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decoding:
    """Text with the evidence for and against it.

    Attributes:
        text: As decoded, not trimmed.
        no_speech_prob: 0..1, how likely the sound holds no speech.
        avg_logprob: Mean log-probability of a token; 0 is certain.
        compression_ratio: Bytes of the text by its zlib size; loops compress well. About 1 for one sentence.
        truncated: Decoding was stopped at its limit of tokens.
        tokens: How many tokens the text has; None where nobody counted them.
    """

    text: str
    no_speech_prob: float = 0.0
    avg_logprob: float = 0.0
    compression_ratio: float = 1.0
    truncated: bool = False
    tokens: int | None = None
