"""English words that espeak-ng reads differently from misaki's lexicon, the most frequent first.

    python tests/benchmarks/bench_pronunciations.py MODELS_FOLDER [--accent en-us] [--words 3000] [--loose]

The words are those of Whisper's vocabulary, which is ordered by frequency.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from s2s_desktop.tts.phonemes_english import EnglishReader
from s2s_desktop.tts.phonemes_espeak import EspeakReader
from s2s_desktop.tts.pronunciations import Lexicon
from s2s_desktop.tts.word_uses import Context

_SAME = str.maketrans({"ˌ": "", "ᵊ": "ə", "ᵻ": "ə", "ɪ": "ə", "ʊ": "ə", "i": "ə", "u": "ə", "ɑ": "ɔ"})
"""Weak stress, weak vowels and the vowels of "cot" and "caught", in which speakers differ as well."""


def main() -> None:
    """Print the list and how long it is."""
    parser = argparse.ArgumentParser()
    parser.add_argument("models", type=Path)
    parser.add_argument("--accent", default="en-us", choices=("en-us", "en-gb"))
    parser.add_argument("--words", type=int, default=3000)
    parser.add_argument(
        "--loose", action="store_true", help="leave out differences that hardly anybody hears"
    )
    options = parser.parse_args()
    lexicon, espeak = Lexicon(options.accent), EspeakReader(options.accent)
    reader = EnglishReader(options.accent)
    words = [word for word in _frequent_words(options.models) if lexicon.find(word, Context())][
        : options.words
    ]
    different = 0
    for word in words:
        ours, theirs = reader.read(word), espeak.read(word)
        if ours != theirs and not (options.loose and ours.translate(_SAME) == theirs.translate(_SAME)):
            different += 1
            print(f"{word:20}{theirs:24}{ours}")
    print(f"{different} of {len(words)} words differ")


def _frequent_words(models: Path) -> list[str]:
    tokenizer = json.loads((models / "whisper-base" / "tokenizer.json").read_text("utf-8"))
    tokens: dict[str, int] = tokenizer["model"]["vocab"]
    # A token that begins a word begins with this letter, which stands for the space.
    return [word[1:] for word in sorted(tokens, key=tokens.__getitem__) if re.fullmatch("Ġ[a-z]{3,}", word)]


if __name__ == "__main__":
    main()
