"""The sound of a turn, until it is written."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.conversation.store.records import Role, SavedTurn
from s2s_desktop.tts.protocol import VoiceChunk


class Recording(NamedTuple):
    """Sound of one side: float32, shape (n,), and its rate in Hz."""

    role: Role
    samples: Samples
    sample_rate: int


class TurnSound:
    """Collects what the user said and what the voice says.

    Args:
        speech: Pieces of the user's speech at 16 kHz; empty for a typed turn.
    """

    def __init__(self, speech: list[Samples]) -> None:
        self._speech = speech
        self._voice: list[Samples] = []
        self._voice_rate = PIPELINE_RATE

    def add_voice(self, chunk: VoiceChunk) -> None:
        """Take the next piece of the voice."""
        self._voice.append(chunk.samples)
        self._voice_rate = chunk.sample_rate

    def take(self, turn: SavedTurn) -> list[Recording]:
        """Return what is complete by now and forget it. Of an interrupted voice, what was played."""
        ready: list[Recording] = []
        if self._speech:
            ready.append(Recording(Role.USER, np.concatenate(self._speech), PIPELINE_RATE))
            self._speech = []
        if self._voice and turn.finished:
            samples = np.concatenate(self._voice)
            if turn.interrupted and turn.voice is not None:
                samples = samples[: (turn.voice.end - turn.voice.start) * self._voice_rate // 1000]
            ready.append(Recording(Role.ASSISTANT, samples, self._voice_rate))
            self._voice = []
        return ready
