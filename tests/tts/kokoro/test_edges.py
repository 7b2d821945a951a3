"""Silence around a voice that arrives in pieces."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.tts.kokoro.edges import CLAUSE_TAIL_S, FADE_S, LEAD_S, SENTENCE_TAIL_S, VoiceEdges

RATE = 24_000
VOICE = 0.5 * np.sin(np.arange(RATE) / 20).astype(np.float32)
SOUND = np.concatenate([np.zeros(7_000, np.float32), VOICE, np.zeros(9_000, np.float32)])


def taken(sound: np.ndarray, cuts: list[int], *, ends_sentence: bool = True) -> tuple[np.ndarray, VoiceEdges]:
    edges = VoiceEdges(RATE, ends_sentence=ends_sentence)
    pieces = np.split(sound, cuts)
    kept = [edges.take(piece, is_last=index == len(cuts)) for index, piece in enumerate(pieces)]
    return np.concatenate(kept), edges


def voice(seconds: float, ahead: float, behind: float) -> np.ndarray:
    """A loud tone between stretches of faint hiss."""
    hiss = np.random.default_rng(1).uniform(-1e-3, 1e-3, int((ahead + seconds + behind) * RATE))
    begin, end = int(ahead * RATE), int((ahead + seconds) * RATE)
    hiss[begin:end] += 0.5 * np.sin(np.arange(end - begin) * 0.3 + 1.0)
    return hiss.astype(np.float32)


def trimmed(sound: np.ndarray, *, ends_sentence: bool = True) -> np.ndarray:
    return taken(sound, [], ends_sentence=ends_sentence)[0]


@pytest.mark.parametrize(("ends_sentence", "tail"), [(True, SENTENCE_TAIL_S), (False, CLAUSE_TAIL_S)])
@pytest.mark.parametrize("behind", [0.0, 0.05, 2.0])
def test_a_short_lead_and_the_tail_of_its_end_are_kept(
    ends_sentence: bool, tail: float, behind: float
) -> None:
    kept = trimmed(voice(1.0, 0.4, behind), ends_sentence=ends_sentence)
    assert kept.size / RATE == pytest.approx(LEAD_S + 1.0 + tail, abs=0.002)


def test_the_ends_are_faded_so_that_clauses_join_without_a_click() -> None:
    kept = trimmed(voice(1.0, 0.0, 0.0))
    assert kept[0] == kept[-1] == 0
    assert np.abs(np.diff(kept[: int(FADE_S * RATE)])).max() < 0.2, "a cut tone starts softly"


def test_the_voice_itself_is_untouched() -> None:
    whole = voice(1.0, 0.4, 0.4)
    kept = trimmed(whole)
    begin = int((0.4 + FADE_S) * RATE)
    offset = int((0.4 - LEAD_S) * RATE)
    np.testing.assert_array_equal(kept[begin - offset : begin - offset + RATE], whole[begin : begin + RATE])


@pytest.mark.parametrize("samples", [np.zeros(0, np.float32), np.zeros(RATE, np.float32)])
def test_nothing_but_silence_is_nothing(samples: np.ndarray) -> None:
    assert trimmed(samples).size == 0


def test_what_is_given_is_not_changed() -> None:
    whole = voice(0.5, 0.0, 0.0)
    before = whole.copy()
    trimmed(whole, ends_sentence=False)
    np.testing.assert_array_equal(whole, before)


@pytest.mark.parametrize("cuts", [[20_000], [3_000, 9_000, 25_000], [10_000, 30_000]])
@pytest.mark.parametrize("ends_sentence", [True, False])
def test_pieces_are_trimmed_as_the_whole(cuts: list[int], ends_sentence: bool) -> None:
    kept, edges = taken(SOUND, cuts, ends_sentence=ends_sentence)
    np.testing.assert_allclose(kept, trimmed(SOUND, ends_sentence=ends_sentence), atol=1e-6)
    assert edges.dropped == pytest.approx(7_000 - LEAD_S * RATE, abs=5)


def test_a_voice_that_goes_on_to_the_last_sample_is_given_its_pause() -> None:
    kept, _ = taken(VOICE.copy(), [10_000])
    assert kept.size == pytest.approx(VOICE.size + SENTENCE_TAIL_S * RATE, abs=30)
    assert kept[-1] == 0.0


def test_silence_gives_nothing() -> None:
    kept, edges = taken(np.zeros(5_000, np.float32), [2_000])
    assert kept.size == 0
    assert edges.dropped == 5_000


def test_a_last_piece_of_silence_makes_the_pause_no_longer() -> None:
    sound = np.concatenate([VOICE, np.zeros(9_000, np.float32)])
    kept, _ = taken(sound, [RATE + 3_000])
    assert kept.size == pytest.approx(VOICE.size + SENTENCE_TAIL_S * RATE, abs=30)
