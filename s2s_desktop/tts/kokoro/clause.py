"""Speaks one clause with one voice: read, planned, and given out piece by piece with the words in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.tts.kokoro.edges import VoiceEdges
from s2s_desktop.tts.kokoro.model import HALF_SAMPLES, SAMPLE_RATE
from s2s_desktop.tts.kokoro.word_times import Word, locate_words
from s2s_desktop.tts.phonemes import Reader
from s2s_desktop.tts.protocol import VoiceChunk, WordTime
from s2s_desktop.tts.verbalize import verbalize

MAX_PHONEMES = 300
"""Phonemes planned in one go, about 18 s. The model takes 510, but needs 0.9 GB for that."""

KNEE = 0.85
"""Amplitude above which peaks are pressed together below 1, rather than cut off."""

_SENTENCE_END = re.compile(r"[.!?…。！？।][\"'”’»)\]」』）\s]*$|\n\s*$")


@dataclass(frozen=True, slots=True, eq=False)
class Utterance:
    """The sound of some phonemes.

    Attributes:
        edges: shape (tokens + 3,), int64: where each token begins, in halves of 300 samples, and where the
            last one ends; with the silent tokens around those of the phonemes.
        start: The half at which the pieces begin.
        pieces: The sound, float32, and of each piece whether it is the last one.
    """

    edges: NDArray[np.int64]
    start: int
    pieces: Iterator[tuple[NDArray[np.float32], bool]]


class Voice(Protocol):
    """A model with a style. Calls block."""

    def utter(self, tokens: list[int], sounding: tuple[int, int], speed: float) -> Utterance:
        """Speak phonemes.

        Args:
            tokens: One for each phoneme, at most 510.
            sounding: The first phoneme that is heard, and behind the last one: there may be pauses around.
            speed: 0.5-2.0.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Speaker:
    """A voice and what reads for it.

    Attributes:
        language: ISO 639-1 code of what it speaks.
        reader: Reads that language.
        voice: Says it.
    """

    language: str
    reader: Reader
    voice: Voice


def speak_clause(speaker: Speaker, text: str, speed: float) -> Iterator[VoiceChunk]:
    """Yield the voice for a text of any length; nothing when there is nothing to say."""
    from kokoro_onnx.chunker import split_phonemes

    tokens = verbalize(text, speaker.language)
    read = speaker.reader.read
    phonemes = read(" ".join(token.spoken for token in tokens if token.spoken))
    if not phonemes:
        return
    words = locate_words(text, [(token.source, token.spoken) for token in tokens], phonemes, read)
    parts = split_phonemes(phonemes, MAX_PHONEMES)
    said, position = 0, 0
    for index, part in enumerate(parts):
        offset = phonemes.index(part, position)
        position = offset + len(part)
        is_last = index == len(parts) - 1
        behind = len(words) if is_last else _first_behind(words, position)
        clause = _Part(speaker, part, offset, words[said:behind])
        ends_sentence = bool(_SENTENCE_END.search(text if is_last else part))
        text_start = words[said].start if said else 0
        text_end = words[behind].start if behind < len(words) else len(text)
        yield from clause.speak(text, text_start, text_end, speed, ends_sentence=ends_sentence)
        said = behind


def _first_behind(words: Sequence[Word], position: int) -> int:
    return next((index for index, word in enumerate(words) if word.first >= position), len(words))


class _Part:
    """Phonemes that are planned in one go, and the words whose first phoneme is among them."""

    def __init__(self, speaker: Speaker, phonemes: str, offset: int, words: Sequence[Word]) -> None:
        self._speaker = speaker
        self._phonemes = phonemes
        self._offset = offset
        self._words = words

    def speak(
        self, text: str, text_start: int, text_end: int, speed: float, *, ends_sentence: bool
    ) -> Iterator[VoiceChunk]:
        """Yield the voice of text[text_start:text_end]."""
        tokens = self._speaker.reader.tokens(self._phonemes)
        heard = [index for index, sign in enumerate(self._phonemes) if sign.isalpha()]
        utterance = self._speaker.voice.utter(tokens, (heard[0], heard[-1] + 1), speed)
        edges = VoiceEdges(SAMPLE_RATE, ends_sentence=ends_sentence)
        begun, written, given_out = 0, text_start, 0
        for piece, is_last in utterance.pieces:
            samples = edges.take(piece, is_last=is_last)
            if not samples.size:
                continue
            times = self._times(utterance, edges.dropped)
            end = given_out + samples.size
            behind = (
                len(times)
                if is_last
                else next((word for word in range(begun, len(times)) if times[word][0] >= end), len(times))
            )
            text_behind = text_end if behind == len(times) else self._words[behind].start
            here = tuple(
                WordTime(
                    word.text,
                    max(0, start - given_out) / SAMPLE_RATE,
                    max(0, stop - given_out) / SAMPLE_RATE,
                )
                for word, (start, stop) in zip(self._words[begun:behind], times[begun:behind], strict=True)
            )
            yield VoiceChunk(soften_peaks(samples), SAMPLE_RATE, text[written:text_behind], here)
            begun, written, given_out = behind, text_behind, end

    def _times(self, utterance: Utterance, dropped: int) -> list[tuple[int, int]]:
        """Return first sample and sample behind the last of each word, from the first one heard."""
        last = len(self._phonemes)
        origin = utterance.start * HALF_SAMPLES + dropped
        found = []
        for word in self._words:
            first = min(word.first - self._offset, last)
            behind = min(word.last - self._offset, last)
            # Token 0 is the silence ahead of the first phoneme.
            start, stop = (
                int(utterance.edges[1 + index]) * HALF_SAMPLES - origin for index in (first, behind)
            )
            found.append((max(0, start), max(0, start, stop)))
        return found


def soften_peaks(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return samples within -1..1: what is above the knee is bent below 1, the rest is left as it is."""
    loud = np.abs(samples) > KNEE
    if loud.any():
        above = (np.abs(samples[loud]) - KNEE) / (1.0 - KNEE)
        samples[loud] = np.sign(samples[loud]) * (KNEE + (1.0 - KNEE) * np.tanh(above)).astype(np.float32)
    return samples
