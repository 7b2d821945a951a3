"""Cutting the silence around a voice."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.tts.silence import CLAUSE_TAIL_S, FADE_S, LEAD_S, SENTENCE_TAIL_S, trim

RATE = 24_000


def voice(seconds: float, ahead: float, behind: float) -> np.ndarray:
    """A loud tone between stretches of faint hiss."""
    hiss = np.random.default_rng(1).uniform(-1e-3, 1e-3, int((ahead + seconds + behind) * RATE))
    begin, end = int(ahead * RATE), int((ahead + seconds) * RATE)
    hiss[begin:end] += 0.5 * np.sin(np.arange(end - begin) * 0.3 + 1.0)
    return hiss.astype(np.float32)


@pytest.mark.parametrize(("ends_sentence", "tail"), [(True, SENTENCE_TAIL_S), (False, CLAUSE_TAIL_S)])
@pytest.mark.parametrize("behind", [0.0, 0.05, 2.0])
def test_a_short_lead_and_the_tail_of_its_end_are_kept(
    ends_sentence: bool, tail: float, behind: float
) -> None:
    cut = trim(voice(1.0, 0.4, behind), RATE, ends_sentence=ends_sentence)
    assert cut.size / RATE == pytest.approx(LEAD_S + 1.0 + tail, abs=0.002)


def test_the_ends_are_faded_so_that_pieces_join_without_a_click() -> None:
    cut = trim(voice(1.0, 0.0, 0.0), RATE, ends_sentence=True)
    assert cut[0] == cut[-1] == 0
    assert np.abs(np.diff(cut[: int(FADE_S * RATE)])).max() < 0.2, "a cut tone starts softly"


def test_the_voice_itself_is_untouched() -> None:
    whole = voice(1.0, 0.4, 0.4)
    cut = trim(whole, RATE, ends_sentence=True)
    begin = int((0.4 + FADE_S) * RATE)
    offset = int((0.4 - LEAD_S) * RATE)
    np.testing.assert_array_equal(cut[begin - offset : begin - offset + RATE], whole[begin : begin + RATE])


@pytest.mark.parametrize("samples", [np.zeros(0, np.float32), np.zeros(RATE, np.float32)])
def test_nothing_but_silence_is_nothing(samples: np.ndarray) -> None:
    assert trim(samples, RATE, ends_sentence=True).size == 0


def test_what_is_given_is_not_changed() -> None:
    whole = voice(0.5, 0.0, 0.0)
    before = whole.copy()
    trim(whole, RATE, ends_sentence=False)
    np.testing.assert_array_equal(whole, before)
