"""From text to the phonemes that Kokoro speaks: the reader of each language."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import Protocol

from s2s_desktop.tts.voices import Language

_log = logging.getLogger(__name__)


class Reader(Protocol):
    """Reads text in one language. espeak-ng is process-wide: one thread at a time, whatever the reader."""

    def read(self, text: str) -> str:
        """Return the phonemes of a text, all of them in the vocabulary; "" when there is nothing to say.

        Words in a script that the language cannot read are left out, with a line in the log.
        """

    def tokens(self, phonemes: str) -> list[int]:
        """Return the tokens of phonemes that `read` gave, one each."""


def make_reader(language: Language) -> Reader:
    """Return the reader of a language.

    English is looked up in a lexicon and the rest read by espeak-ng, Japanese and Mandarin are read by
    misaki, the other languages by espeak-ng. Importing and loading takes 0.1 to 0.3 s, for Mandarin about 1 s
    (two cores): do it on the worker of the voice.

    Raises:
        OSError, RuntimeError: espeak-ng or its data cannot be loaded, or it does not know the language.
        AssistantError: Japanese or Mandarin is asked for, and what reads it is not installed.
    """
    if language.code == "en":
        from s2s_desktop.tts.phonemes_english import EnglishReader

        return EnglishReader(language.espeak)
    if language.code == "ja":
        from s2s_desktop.tts.phonemes_misaki import JapaneseReader

        return JapaneseReader()
    if language.code == "zh":
        from s2s_desktop.tts.phonemes_misaki import MandarinReader

        return MandarinReader()
    from s2s_desktop.tts.phonemes_espeak import EspeakReader

    return EspeakReader(language.espeak)


@cache
def vocabulary() -> Mapping[str, int]:
    """Return the token of each phoneme that Kokoro v1.0 knows."""
    from kokoro_onnx.config import DEFAULT_VOCAB

    return dict(DEFAULT_VOCAB)


def known(phonemes: str) -> str:
    """Return the phonemes that Kokoro knows, with single spaces; "" when none of them is a sound."""
    kept = " ".join("".join(sign for sign in part if sign in vocabulary()) for part in phonemes.split())
    kept = " ".join(kept.split())
    return kept if any(sign.isalpha() for sign in kept) else ""


def tokens_of(phonemes: str) -> list[int]:
    """Return the token of each phoneme."""
    return [vocabulary()[sign] for sign in phonemes]
