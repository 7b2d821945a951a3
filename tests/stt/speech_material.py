"""The recordings of the `speech_dir` fixture, and how transcripts are compared."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import jiwer
import numpy as np
import soundfile
from numpy.typing import NDArray

RATE = 16_000

_SAME_WORDS = ((r"\bhe's\b", "he is"), (r"\bmr\b", "mister"), (r"\bmrs\b", "misses"), (r"\b10\b", "ten"))
"""Spellings that a listener cannot tell apart."""

IN_CHARACTERS = ("hi", "ja", "zh")
"""Languages whose errors are counted in characters: two are written without spaces, and Whisper spells a word
of Hindi in many ways."""


@dataclass(frozen=True, eq=False)
class Recording:
    """A recording with what is said in it; "" and no language when nothing is."""

    name: str
    audio: NDArray[np.float32]
    language: str
    transcript: str


def recordings(folder: Path, *, speech: bool) -> list[Recording]:
    """Read the recordings with speech, or those without."""
    lines = (folder / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    chosen = [entry for entry in map(json.loads, lines) if (entry["kind"] == "speech") is speech]
    return [
        Recording(
            entry["file"],
            soundfile.read(folder / entry["file"], dtype="float32")[0],
            entry["language"] or "",
            entry["transcript"],
        )
        for entry in chosen
    ]


def errors(said: str, heard: str, language: str) -> tuple[int, int]:
    """Return the wrong words (characters in `IN_CHARACTERS`) and how many were said."""
    reference = _words(said, language)
    result = jiwer.process_words(reference, _words(heard, language) or "-")
    return result.substitutions + result.deletions + result.insertions, len(reference.split())


def _words(text: str, language: str) -> str:
    kept = "".join(
        sign if sign == "'" or unicodedata.category(sign)[0] in "LNM" else " " for sign in text.lower()
    )
    for spelling, same in _SAME_WORDS:
        kept = re.sub(spelling, same, kept)
    return " ".join("".join(kept.split()) if language in IN_CHARACTERS else kept.split())
