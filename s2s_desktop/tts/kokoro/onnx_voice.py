"""A style of Kokoro spoken by the ONNX model, in pieces."""

from __future__ import annotations

from s2s_desktop.tts.kokoro.clause import Utterance
from s2s_desktop.tts.kokoro.model import KokoroModel
from s2s_desktop.tts.kokoro.pieces import SpokenPart, speak_in_pieces
from s2s_desktop.tts.kokoro.statistics import TypicalStatistics
from s2s_desktop.tts.voices import load_style, parse_voice


class OnnxVoice:
    """A voice or a blend with the loaded model; see `clause.Voice`."""

    def __init__(self, model: KokoroModel, voice: str) -> None:
        self._model = model
        self._styles = load_style(voice)
        self._statistics = TypicalStatistics(parse_voice(voice))

    def utter(self, tokens: list[int], sounding: tuple[int, int], speed: float) -> Utterance:
        """See `Voice.utter`."""
        plan = self._model.plan(tokens, self._styles[len(tokens) - 1], speed)
        # Token 0 is the silence ahead of the first phoneme.
        part = SpokenPart(plan, sounding[0] + 1, sounding[1] + 1)
        pieces = speak_in_pieces(self._model, part, self._statistics.of_length(len(tokens)))
        return Utterance(plan.edges, part.start, pieces)
