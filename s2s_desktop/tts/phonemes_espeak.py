"""Phonemes read by espeak-ng, in the signs that Kokoro was trained on."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from s2s_desktop.tts.phonemes import known, tokens_of
from s2s_desktop.tts.scripts import LATIN, script_of

_log = logging.getLogger(__name__)

_READABLE = frozenset(
    {LATIN, "ARMENIAN", "BENGALI", "DEVANAGARI", "GEORGIAN", "GUJARATI", "GURMUKHI", "HANGUL", "KANNADA"}
    | {"MALAYALAM", "SINHALA", "TAMIL"}
)
"""Scripts whose words espeak-ng reads with every language, switching to one of theirs if need be. It spells
the others letter by letter: "Chinese letter, Chinese letter"
(https://github.com/thewh1teagle/kokoro-onnx/issues/82)."""

_ALSO_READABLE: Mapping[str, frozenset[str]] = {
    language: frozenset({"GREEK"}) for language in ("es", "fr-fr", "hi", "it", "pt-br")
}

MARKS = str.maketrans(
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
        "«": "“",
        "»": "”",
    }
)
"""Kokoro pauses at these marks only in their Latin form, and knows only these quotation marks."""

_TIE = "^"
"""What espeak-ng is told to join the two signs of one sound with."""

_ONE_SIGN = {
    "a^ɪ": "I",
    "a^ʊ": "W",
    "d^z": "ʣ",
    "d^ʒ": "ʤ",
    "e^ɪ": "A",
    "o^ʊ": "O",
    "ə^ʊ": "Q",
    "s^s": "S",
    "t^s": "ʦ",
    "t^ʃ": "ʧ",
    "ɔ^ɪ": "Y",
}
"""Diphthongs and affricates have one sign each in what Kokoro was trained on, which misaki wrote (its
`espeak.py`)."""

_SYLLABIC = re.compile(r"(\S)\u0329")

_ENGLISH = (
    ("ʔˌn\u0329", "ʔn"),
    ("ʔn\u0329", "ʔn"),
    ("ə^l", "ᵊl"),
    ("ʲo", "jo"),
    ("ʲə", "jə"),
    ("ʲ", ""),
    ("ɚɹ", "əɹ"),
    ("ɚ", "əɹ"),
    ("r", "ɹ"),
    ("x", "k"),
    ("ç", "k"),
    ("ɐ", "ə"),
    ("ɬ", "l"),
    ("\u0303", ""),
)
_AMERICAN = (("ɜːɹ", "ɜɹ"), ("ɜː", "ɜɹ"), ("ɪə", "iə"), ("ː", ""))
_BRITISH = (("e^ə", "ɛː"), ("iə", "ɪə"))
"""Further sounds of English that misaki writes differently, replaced before and after the single signs."""


class EspeakReader:
    """Reads one language with espeak-ng, which is process-wide: one thread at a time.

    Args:
        language: What espeak-ng calls it.

    Raises:
        OSError, RuntimeError: espeak-ng or its data cannot be loaded, or it does not know the language.
    """

    def __init__(self, language: str) -> None:
        import espeakng_loader
        from phonemizer.backend import EspeakBackend
        from phonemizer.backend.espeak.wrapper import EspeakWrapper

        data = Path(espeakng_loader.get_data_path())
        if not (data / "phontab").is_file():
            # espeak-ng would end the whole program.
            raise FileNotFoundError(f"the data of espeak-ng is not in {data}")
        EspeakWrapper.set_library(espeakng_loader.get_library_path())
        EspeakWrapper.set_data_path(str(data))
        self._language = language
        self._readable = _READABLE | _ALSO_READABLE.get(language, frozenset())
        quiet = logging.getLogger(f"{__name__}.espeak")
        quiet.setLevel(logging.ERROR)
        self._espeak: Any = EspeakBackend(
            language,
            preserve_punctuation=True,
            with_stress=True,
            tie=_TIE,
            # Kokoro would speak the flags: "(hi)namaste(en-us)".
            language_switch="remove-flags",
            logger=quiet,
        )

    def read(self, text: str) -> str:
        """See `Reader.read`."""
        sayable = self.readable_part(text)
        if not any(sign.isalnum() for sign in sayable):
            return ""
        return known(self._signs(" ".join(self._espeak.phonemize([sayable.translate(MARKS)], strip=True))))

    def tokens(self, phonemes: str) -> list[int]:
        """See `Reader.tokens`."""
        return tokens_of(phonemes)

    def readable_part(self, text: str) -> str:
        """Return a text with spaces for what is written in a script that cannot be read, which is logged."""
        return readable_part(text, self._readable, self._language)

    def _signs(self, phonemes: str) -> str:
        """Return what espeak-ng gave in the signs that Kokoro knows."""
        if not self._language.startswith("en"):
            # espeak-ng writes a hyphen between some syllables; Kokoro has no sign for it.
            return _replace(phonemes, _ONE_SIGN.items()).replace(_TIE, "").replace("-", "")
        plain = _SYLLABIC.sub(r"ᵊ\1", _replace(_replace(phonemes, _ENGLISH), _ONE_SIGN.items()))
        plain = _replace(plain, _AMERICAN if self._language == "en-us" else _BRITISH)
        # What remains of e and o are the first halves of no diphthong.
        return plain.replace(_TIE, "").replace("e", "A").replace("o", "ɔ").replace("ɾ", "T").replace("ʔ", "t")


def readable_part(text: str, readable: frozenset[str], language: str) -> str:
    """Return a text with spaces for the signs of scripts that are not `readable`; log that there are some.

    Args:
        text: Any text.
        readable: Scripts as `script_of` names them.
        language: For the log.
    """
    if all(script_of(sign) in readable for sign in text):
        return text
    _log.warning("The voice for %s cannot read a part of the reply: it is only shown", language)
    return "".join(sign if script_of(sign) in readable else " " for sign in text)


def _replace(phonemes: str, pairs: Iterable[tuple[str, str]]) -> str:
    for old, new in pairs:
        phonemes = phonemes.replace(old, new)
    return phonemes
