"""From text to the phonemes that Kokoro speaks, read by espeak-ng."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_log = logging.getLogger(__name__)

_READABLE = frozenset(
    {"LATIN", "ARMENIAN", "BENGALI", "DEVANAGARI", "GEORGIAN", "GUJARATI", "GURMUKHI", "HANGUL", "KANNADA"}
    | {"MALAYALAM", "SINHALA", "TAMIL"}
)
"""Scripts whose words espeak-ng reads with every language, switching to one of theirs if need be. It spells
the others letter by letter: "Chinese letter, Chinese letter"
(https://github.com/thewh1teagle/kokoro-onnx/issues/82)."""

_ALSO_READABLE: Mapping[str, frozenset[str]] = {
    "ja": frozenset({"HIRAGANA", "KATAKANA"}),
    "cmn": frozenset({"CJK"}),
    **{language: frozenset({"GREEK"}) for language in ("es", "fr-fr", "hi", "it", "pt-br")},
}

_SAME_SCRIPT = {
    "COMBINING": "LATIN",
    "MODIFIER": "LATIN",
    "FULLWIDTH": "LATIN",
    "HALFWIDTH": "KATAKANA",
    "KATAKANA-HIRAGANA": "KATAKANA",
    "IDEOGRAPHIC": "CJK",
}

_MARKS = str.maketrans(
    {
        "。": ". ",
        "，": ", ",
        "、": ", ",
        "！": "! ",
        "？": "? ",
        "：": ": ",
        "；": "; ",
        "।": ".",
        "॥": ".",
        "؟": "?",
    }
)
"""Kokoro pauses at these marks only in their Latin form."""


class PhonemeReader:
    """Reads text in one language. espeak-ng is process-wide: one thread at a time.

    Args:
        language: What espeak-ng calls it.

    Raises:
        OSError, RuntimeError: espeak-ng or its data cannot be loaded, or it does not know the language.
    """

    def __init__(self, language: str) -> None:
        import espeakng_loader
        from kokoro_onnx.tokenizer import Tokenizer
        from phonemizer.backend import EspeakBackend

        data = Path(espeakng_loader.get_data_path())
        if not (data / "phontab").is_file():
            # espeak-ng would end the whole program.
            raise FileNotFoundError(f"the data of espeak-ng is not in {data}")
        # Makes the espeak-ng of the espeakng-loader package the one that phonemizer uses.
        self._vocabulary: dict[str, int] = Tokenizer().vocab
        self._readable = _READABLE | _ALSO_READABLE.get(language, frozenset())
        self._language = language
        quiet = logging.getLogger(f"{__name__}.espeak")
        quiet.setLevel(logging.ERROR)
        self._espeak: Any = EspeakBackend(
            language,
            preserve_punctuation=True,
            with_stress=True,
            # Kokoro would speak the flags: "(hi)namaste(en-us)".
            language_switch="remove-flags",
            logger=quiet,
        )

    def read(self, text: str) -> str:
        """Return the phonemes of a text, all of them in the vocabulary; "" when there is nothing to say.

        Words in a script that the language cannot read are left out, with a line in the log.
        """
        sayable = self._sayable(text)
        if not any(sign.isalnum() for sign in sayable):
            return ""
        phonemes = " ".join(self._espeak.phonemize([sayable.translate(_MARKS)], strip=True)).split()
        known = "".join(sign for sign in " ".join(phonemes) if sign in self._vocabulary).strip()
        return known if any(sign.isalpha() for sign in known) else ""

    def tokens(self, phonemes: str) -> list[int]:
        """Return the tokens of phonemes that `read` gave, one each."""
        return [self._vocabulary[sign] for sign in phonemes]

    def _sayable(self, text: str) -> str:
        unreadable = {_script(sign) for sign in text} - self._readable
        if not unreadable:
            return text
        _log.warning("The voice for %s cannot read a part of the reply: it is only shown", self._language)
        if self._language == "ja":
            return ""  # Japanese without its Chinese characters says something else.
        return "".join(" " if _script(sign) in unreadable else sign for sign in text)


def _script(sign: str) -> str:
    """Return the script of a letter or mark: the first word of its name, as in `CYRILLIC SMALL LETTER A`.

    Everything else, and what belongs to no script in particular, counts as `LATIN`.
    """
    if sign < "\u0250" or unicodedata.category(sign)[0] not in "LM":
        return "LATIN"
    first = unicodedata.name(sign, "").split(" ")[0]
    return _SAME_SCRIPT.get(first, first)
