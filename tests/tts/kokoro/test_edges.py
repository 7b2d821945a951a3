"""Silence around a voice that arrives in pieces."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.tts.kokoro.edges import VoiceEdges
from s2s_desktop.tts.silence import trim

RATE = 24_000
VOICE = 0.5 * np.sin(np.arange(RATE) / 20).astype(np.float32)
SOUND = np.concatenate([np.zeros(7_000, np.float32), VOICE, np.zeros(9_000, np.float32)])


def taken(sound: np.ndarray, cuts: list[int], *, ends_sentence: bool = True) -> tuple[np.ndarray, VoiceEdges]:
    edges = VoiceEdges(RATE, ends_sentence=ends_sentence)
    pieces = np.split(sound, cuts)
    kept = [edges.take(piece, is_last=index == len(cuts)) for index, piece in enumerate(pieces)]
    return np.concatenate(kept), edges


@pytest.mark.parametrize("cuts", [[], [20_000], [3_000, 9_000, 25_000], [10_000, 30_000]])
@pytest.mark.parametrize("ends_sentence", [True, False])
def test_pieces_are_trimmed_as_the_whole(cuts: list[int], ends_sentence: bool) -> None:
    kept, edges = taken(SOUND, cuts, ends_sentence=ends_sentence)
    np.testing.assert_allclose(kept, trim(SOUND, RATE, ends_sentence=ends_sentence), atol=1e-6)
    assert edges.dropped == pytest.approx(7_000 - 0.03 * RATE, abs=5)


def test_a_voice_that_goes_on_to_the_last_sample_is_given_its_pause() -> None:
    kept, _ = taken(VOICE.copy(), [10_000])
    assert kept.size == pytest.approx(VOICE.size + 0.25 * RATE, abs=30)
    assert kept[-1] == 0.0


def test_silence_gives_nothing() -> None:
    kept, edges = taken(np.zeros(5_000, np.float32), [2_000])
    assert kept.size == 0
    assert edges.dropped == 5_000


def test_a_last_piece_of_silence_makes_the_pause_no_longer() -> None:
    sound = np.concatenate([VOICE, np.zeros(9_000, np.float32)])
    kept, _ = taken(sound, [RATE + 3_000])
    assert kept.size == pytest.approx(VOICE.size + 0.25 * RATE, abs=30)
