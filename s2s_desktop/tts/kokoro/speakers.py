"""Who speaks which language: the chosen voice its own, the default voice of each other language the rest."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.tts.kokoro.clause import Speaker, Voice
from s2s_desktop.tts.phonemes import make_reader
from s2s_desktop.tts.voices import default_voice, language_of, voice_or_default

SLOWEST, FASTEST = 0.5, 2.0
"""What Kokoro was made for."""

_log = logging.getLogger(__name__)


class Speakers:
    """Makes speakers when they are needed: what reads a language takes up to a second to load.

    Args:
        voice: A voice or a blend, see `voices.parse_voice`; one that cannot be used takes a default voice and
            is logged.
        make_voice: Gives the model with the style of a voice or blend.
    """

    def __init__(self, voice: str, make_voice: Callable[[str], Voice]) -> None:
        self.voice = voice_or_default(voice)
        self._own_language = language_of(self.voice).code
        self._make_voice = make_voice
        self._made: dict[str, Speaker] = {}

    def of_language(self, language: str) -> Speaker:
        """Return who speaks a language; the chosen voice also speaks those for which there is no voice.

        Args:
            language: ISO 639-1 code, in which regions are ignored; "" is the language of the chosen voice.

        Raises:
            AssistantError: INTERNAL when what reads the language cannot be loaded.
        """
        code = language.lower().replace("_", "-").split("-")[0] or self._own_language
        if code not in self._made:
            voice = self.voice if code == self._own_language else default_voice(code)
            if voice is None:
                _log.warning("there is no voice for the language %r; %s speaks it", code, self.voice)
            self._made[code] = self._make(voice) if voice else self.of_language("")
        return self._made[code]

    def clear(self) -> None:
        """Free them."""
        self._made.clear()

    def _make(self, voice: str) -> Speaker:
        language = language_of(voice)
        try:
            reader = make_reader(language)
        except (OSError, RuntimeError) as error:
            raise AssistantError(
                ErrorKind.INTERNAL,
                "The voice cannot read text, because a part of S2S Desktop (espeak-ng) is missing. "
                "Install S2S Desktop again.",
                str(error),
            ) from error
        return Speaker(language.code, reader, self._make_voice(voice))


def usable_speed(speed: float) -> float:
    """Return a speed within what Kokoro can do; for one that is no number 1.0, with a line in the log."""
    if math.isnan(speed):
        _log.warning("the speed is not a number; 1.0 is used")
        return 1.0
    return min(max(speed, SLOWEST), FASTEST)
