"""The voices that ship with the program, the languages they speak, and blends of them."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.resources import resource_path

DEFAULT_VOICE = "af_heart"

VOICES_FILE = "voices/voices.npz"
"""Resource with an int16 array of shape (256, 510) for each voice: one style of 256 values for each length of
the text in phonemes. A style hardly differs from the one of the next length, so what is kept is the
difference of the bit patterns of their values as float16: a tenth of the size of float32. The rounding
changes the sound as little as a change of the style by a millionth does: 1.3 dB in bands of the spectrum,
which is the noise that the int8 model makes of any change. packaging/pack_voices.py writes it."""

LENGTHS, STYLE_SIZE = 510, 256

_PART = re.compile(r"\s*(?P<name>[a-z]{2}_[a-z0-9]+)\s*(?:\(\s*(?P<weight>[0-9]+(?:\.[0-9]+)?)\s*\))?\s*")

_log = logging.getLogger(__name__)


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


@dataclass(frozen=True, slots=True)
class Voice:
    """A shipped voice.

    Attributes:
        name: What the settings store, and Kokoro calls it.
        language: What it speaks.
    """

    name: str
    language: Language

    @property
    def title(self) -> str:
        """The name for people, for example "Heart (female), American English"."""
        given = self.name[3:].capitalize()
        return f"{given} ({'female' if self.name[1] == 'f' else 'male'}), {self.language.name}"


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

_NAMES = {
    "af": "heart bella nicole aoede kore sarah nova sky alloy jessica river",
    "am": "michael fenrir puck echo eric liam onyx adam santa",
    "bf": "emma isabella alice lily",
    "bm": "george fable daniel lewis",
    "ef": "dora",
    "em": "alex santa",
    "ff": "siwis",
    "hf": "alpha beta",
    "hm": "omega psi",
    "if": "sara",
    "im": "nicola",
    "jf": "alpha gongitsune tebukuro nezumi",
    "jm": "kumo",
    "pf": "dora",
    "pm": "alex santa",
    "zf": "xiaobei xiaoni xiaoxiao xiaoyi",
    "zm": "yunxi yunjian yunxia yunyang",
}
"""All voices of Kokoro-82M v1.0, the best graded of each kind first, as its authors grade them
(https://huggingface.co/hexgrad/Kokoro-82M/blob/main/VOICES.md)."""

VOICES: Mapping[str, Voice] = {
    f"{kind}_{given}": Voice(f"{kind}_{given}", LANGUAGES[kind[0]])
    for kind, names in _NAMES.items()
    for given in names.split()
}
"""By name, the default of a language first."""


def default_voice(code: str) -> str | None:
    """Return the best voice of a language; None when no voice speaks it.

    Args:
        code: ISO 639-1.
    """
    return next((name for name, voice in VOICES.items() if voice.language.code == code), None)


def parse_voice(voice: str) -> dict[str, float]:
    """Return the share of each voice in a voice or a blend, in the order in which they are written.

    Args:
        voice: A name of `VOICES`, or several joined by "+", each with its weight in brackets:
            "af_heart(2)+bf_emma(1)" is two thirds Heart. A weight that is not written is 1.

    Returns:
        Shares by name; their sum is 1.

    Raises:
        AssistantError: BAD_REQUEST when it is written differently, names an unknown voice, or weighs nothing.
    """
    weights: dict[str, float] = {}
    for part in voice.split("+"):
        found = _PART.fullmatch(part)
        if not found:
            raise _refusal(
                voice, "Write a name like “af_heart”, or a blend of some like “af_heart(2)+bf_emma(1)”."
            )
        name = found["name"]
        if name not in VOICES:
            raise _refusal(voice, f"There is no voice “{name}”. Choose another one in the settings.")
        weights[name] = weights.get(name, 0.0) + float(found["weight"] or 1)
    total = sum(weights.values())
    if not 0 < total < math.inf:
        raise _refusal(voice, "Give at least one voice of the blend a weight above 0.")
    return {name: weight / total for name, weight in weights.items() if weight}


def voice_or_default(voice: str) -> str:
    """Return the voice or blend if it can be spoken with; else a default, with a line in the log.

    The default is the one of the language that the first letter of the name stands for, so that settings with
    a voice that is gone keep their language; where it stands for none, it is `DEFAULT_VOICE`.
    """
    try:
        parse_voice(voice)
    except AssistantError as error:
        language = LANGUAGES.get(voice.strip()[:1]) if re.match(r"\s*[a-z][fm]_", voice) else None
        default = next((v.name for v in VOICES.values() if v.language is language), DEFAULT_VOICE)
        _log.warning("%s %s speaks instead.", error.message, default)
        return default
    return voice


def language_of(voice: str) -> Language:
    """Return the language of a voice; that of a blend is the language of the first voice in it.

    Raises:
        AssistantError: See `parse_voice`.
    """
    return VOICES[next(iter(parse_voice(voice)))].language


def load_style(voice: str) -> NDArray[np.float32]:
    """Return the styles of a voice, or the mean of those of a blend.

    Args:
        voice: See `parse_voice`.

    Returns:
        shape (510, 1, 256), float32: row n - 1 is for a text of n phonemes.

    Raises:
        AssistantError: See `parse_voice`.
    """
    shares = parse_voice(voice)
    blend = np.zeros((LENGTHS, STYLE_SIZE), np.float32)
    for name, share in shares.items():
        blend += np.float32(share) * _styles(name)
    return blend[:, np.newaxis, :]


def _styles(name: str) -> NDArray[np.float32]:
    """Return the styles of one shipped voice, shape (510, 256)."""
    with np.load(resource_path(VOICES_FILE)) as packed:
        patterns = np.cumsum(packed[name], axis=1, dtype=np.int16)  # wraps around, as the differences did
    return patterns.view(np.float16).T.astype(np.float32)


def _refusal(voice: str, what_to_do: str) -> AssistantError:
    return AssistantError(ErrorKind.BAD_REQUEST, f"The voice “{voice}” cannot be used. {what_to_do}")
