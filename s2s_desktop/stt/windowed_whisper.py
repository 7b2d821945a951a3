"""Whisper with an encoder window as long as the speech, not always 30 s.

faster-whisper pads every turn to 30 s, and the encoder takes most of the time of a short one. CTranslate2
takes fewer frames since 4.7. Too short a window costs words: at a floor of 8 s a command came out twice
(measured), at 1-3.5 s Korean suffers (https://github.com/OpenNMT/CTranslate2/issues/2100). The floor of 10 s
is that of https://github.com/handy-computer/transcribe.cpp/pull/149; the margin was measured here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.stt.decoding import Decoding
from s2s_desktop.stt.speech_evidence import RATE

FULL_WINDOW = 3000
"""Frames of 10 ms that Whisper was trained on."""

FLOOR = 1000
MARGIN = 400
"""Frames of silence behind the speech. With 200 one of 17 recordings lost a phrase, with 400 none did."""

DRAFT_MARGIN = 200
"""The same for a draft, which may lose a word. A lower floor would save more, but below 10 s one in ten to
twenty drafts of a few seconds was a loop, and decoding that takes longer than what encoding saves."""

MEASURED_LANGUAGES = frozenset({"de", "en", "es", "fr", "it", "ja", "pt", "zh"})
"""Languages in which the short window was found to make no more mistakes than the full one
(`tests/benchmarks/bench_stt.py`). The others get the full window."""

BEAM_SIZE = 5
"""As faster-whisper. Two take a quarter less time and gave the same text for 17 whole recordings but for a
hyphen, but cut as the VAD cuts it a command lost its first two words; a single one lost a phrase."""
TOKENS_PER_SECOND = 16
"""Speech has 3-8 tokens a second in scripts that the tokenizer knows well, twice that in others."""
TOKENS_FLOOR = 24
MAX_PROMPT_TOKENS = 220
"""Whisper was trained with at most 223 tokens of what was said before."""


class WindowedWhisper:
    """Decodes stretches of up to 28 s in one go, without timestamps.

    Args:
        model: A `faster_whisper.WhisperModel`.
        full_window: For a model that takes no shorter window.
    """

    def __init__(self, model: Any, *, full_window: bool = False) -> None:
        self._model = model
        self._full_window = full_window

    def encode(self, audio: NDArray[np.float32], language: str = "", margin: int = MARGIN) -> Any:
        """Encode speech; the result is for this object only.

        Args:
            audio: shape (n,), float32, 16 kHz; at most 28 s.
            language: One of Whisper's codes, or "" when it is to be detected first.
            margin: Frames of silence to add; the least that counts as a window is `FLOOR`.
        """
        from faster_whisper.audio import pad_or_trim

        features = self._model.feature_extractor(audio)[:, :-1]
        short = not self._full_window and (not language or language in MEASURED_LANGUAGES)
        frames = window_frames(features.shape[1], margin) if short else FULL_WINDOW
        return self._model.encode(pad_or_trim(features, frames))

    def rank_languages(self, encoded: Any) -> list[tuple[str, float]]:
        """Return all languages with the probability that encoded speech is in them, the likeliest first."""
        if not self._model.model.is_multilingual:
            return [("en", 1.0)]
        ranking = self._model.model.detect_language(encoded)[0]
        return [(token[2:-2], float(probability)) for token, probability in ranking]

    def decode(
        self, encoded: Any, language: str, seconds: float, *, prompt: str = "", beam_size: int = BEAM_SIZE
    ) -> Decoding:
        """Return the likeliest text.

        Args:
            encoded: From `encode`.
            language: One of Whisper's codes.
            seconds: Length of the speech; bounds how much text it can hold.
            prompt: What the decoder is told was said before.
            beam_size: 1 is the greedy and fastest.
        """
        from faster_whisper.transcribe import get_compression_ratio, get_suppressed_tokens

        model = self._model
        tokenizer = _tokenizer(model, language)
        told = _prompt_tokens(tokenizer, prompt)
        start = model.get_prompt(tokenizer, told, without_timestamps=True)
        limit = min(model.max_length - len(start), token_limit(seconds))
        result = model.model.generate(
            encoded,
            [start],
            beam_size=beam_size,
            max_length=len(start) + limit,
            return_scores=True,
            return_no_speech_prob=True,
            suppress_tokens=get_suppressed_tokens(tokenizer, [-1]),
        )[0]
        tokens = result.sequences_ids[0]
        text = tokenizer.decode(tokens)
        return Decoding(
            text=text,
            no_speech_prob=result.no_speech_prob,
            # CTranslate2 divides by the length, Whisper by the length with the end mark.
            avg_logprob=result.scores[0] * len(tokens) / (len(tokens) + 1),
            compression_ratio=get_compression_ratio(text.strip()) if text.strip() else 0.0,
            truncated=len(tokens) >= limit,
            tokens=len(tokens),
        )


def window_frames(content_frames: int, margin: int = MARGIN) -> int:
    """Return how many frames the encoder is given; even, because it halves them."""
    frames = max(FLOOR, content_frames + margin)
    return min(FULL_WINDOW, frames + frames % 2)


def token_limit(seconds: float) -> int:
    """Return the most tokens that speech of this length is given; a loop stops there."""
    return TOKENS_FLOOR + int(seconds * TOKENS_PER_SECOND)


def _tokenizer(model: Any, language: str) -> Any:
    from faster_whisper.tokenizer import Tokenizer

    return Tokenizer(model.hf_tokenizer, model.model.is_multilingual, task="transcribe", language=language)


def _prompt_tokens(tokenizer: Any, prompt: str) -> list[int]:
    """Return what the decoder is told; of a prompt that is too long its end."""
    tokens: list[int] = tokenizer.encode(f" {prompt}")[-MAX_PROMPT_TOKENS:] if prompt else []
    return tokens


def decode_carefully(
    model: Any, sound: NDArray[np.float32], language: str, prompt: str = ""
) -> list[Decoding]:
    """Decode with the full 30 s window, timestamps, and sampling when the text loops or is unlikely.

    Args:
        model: A `faster_whisper.WhisperModel`.
        sound: shape (n,), float32, 16 kHz.
        language: One of Whisper's codes.
        prompt: As for `WindowedWhisper.decode`.
    """
    tokenizer = _tokenizer(model, language)
    # faster-whisper tells `hotwords` to every window, `initial_prompt` only to the first one.
    told = tokenizer.decode(_prompt_tokens(tokenizer, prompt))
    limit = min(model.max_length // 2, token_limit(sound.size / RATE))
    segments, _ = model.transcribe(
        sound,
        language=language,
        beam_size=BEAM_SIZE,
        temperature=[0.0, 0.2, 0.4],
        condition_on_previous_text=False,
        hotwords=told or None,
        max_new_tokens=limit,
    )
    return [
        Decoding(
            text=segment.text,
            no_speech_prob=segment.no_speech_prob,
            avg_logprob=segment.avg_logprob,
            compression_ratio=segment.compression_ratio,
        )
        for segment in segments
    ]
