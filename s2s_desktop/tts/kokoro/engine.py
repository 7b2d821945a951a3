"""What the engines that run Kokoro have in common: speakers, speed, and how a clause is asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from copy import copy
from typing import Generic, Self, TypeVar

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.tts.kokoro.clause import Voice, speak_clause
from s2s_desktop.tts.kokoro.speakers import Speakers, usable_speed
from s2s_desktop.tts.protocol import VoiceChunk

M = TypeVar("M")


class KokoroEngine(ABC, Generic[M]):
    """Speaks with one voice at one speed once a model is loaded. Not thread-safe: espeak-ng is process-wide.

    Args:
        voice: A voice or a blend, see `voices.parse_voice`; one that cannot be used takes a default voice and
            is logged.
        speed: Clamped to 0.5-2.0; a speed that is no number takes 1.0 and is logged.
    """

    def __init__(self, voice: str, speed: float) -> None:
        self._speed = usable_speed(speed)
        self._speakers = Speakers(voice, self._speak_with)
        self._model: M | None = None

    def synthesize(self, text: str, language: str = "") -> Iterator[VoiceChunk]:
        """Speak a clause, piece by piece; see `Synthesizer.synthesize`.

        Words in a script that the voice cannot read are left out, with a line in the log.

        Raises:
            AssistantError: INTERNAL, with what the engine said.
        """
        if self._model is None:
            raise AssistantError(ErrorKind.INTERNAL, "The voice is not loaded.")
        try:
            yield from speak_clause(self._speakers.of_language(language), text, self._speed)
        except AssistantError:
            raise
        except Exception as error:  # whatever the engine raises is one failed clause
            raise AssistantError(
                ErrorKind.INTERNAL, "A part of the reply could not be spoken.", str(error)
            ) from error

    def with_voice(self, voice: str, speed: float) -> Self:
        """Return another voice on the same loaded model, which is freed with the last of them."""
        other = copy(self)
        KokoroEngine.__init__(other, voice, speed)
        other._model = self._model
        return other

    def close(self) -> None:
        """Free the model."""
        self._model = None
        self._speakers.clear()

    def _take(self, model: M) -> None:
        """Use a model that was loaded, and speak a word with it: the first one is slower than the next."""
        self._model = model
        try:
            list(self.synthesize("Hello."))
        except AssistantError:
            self.close()
            raise

    @abstractmethod
    def _make_voice(self, model: M, voice: str) -> Voice:
        """Return a loaded model with the style of a voice or blend."""

    def _speak_with(self, voice: str) -> Voice:
        if self._model is None:
            raise AssistantError(ErrorKind.INTERNAL, "The voice is not loaded.")
        return self._make_voice(self._model, voice)
