"""The voices that ship with the program, and the languages they speak."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_VOICE = "af_heart"

VOICES_FILE = "voices/voices.npz"
"""Resource with a float32 array of shape (510, 1, 256) for each voice: one style per length of the text."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language of Kokoro.

    Attributes:
        name: For people.
        espeak: What espeak-ng calls it.
        code: ISO 639-1.
    """

    name: str
    espeak: str
    code: str


LANGUAGES = {
    "a": Language("American English", "en-us", "en"),
    "b": Language("British English", "en-gb", "en"),
    "e": Language("Spanish", "es", "es"),
    "f": Language("French", "fr-fr", "fr"),
    "h": Language("Hindi", "hi", "hi"),
    "i": Language("Italian", "it", "it"),
    "j": Language("Japanese", "ja", "ja"),
    "p": Language("Brazilian Portuguese", "pt-br", "pt"),
    "z": Language("Mandarin Chinese", "cmn", "zh"),
}
"""By the first letter of a voice's name, as Kokoro names its voices."""

VOICES = (
    "af_heart",
    "af_bella",
    "am_michael",
    "bf_emma",
    "bm_george",
    "ef_dora",
    "ff_siwis",
    "hf_alpha",
    "if_sara",
    "jf_alpha",
    "pf_dora",
    "zf_xiaobei",
)
"""The best graded voices of each language, from Kokoro-82M v1.0."""


def language_of(voice: str) -> Language:
    """Return the language of one of `VOICES`."""
    return LANGUAGES[voice[0]]
