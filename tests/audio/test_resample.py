from __future__ import annotations

import numpy as np
import pytest
import soxr
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_desktop.audio.protocol import Samples
from s2s_desktop.audio.resample import GaplessResampler, QuickResampler, StreamResampler

SOUND = np.cumsum(np.random.default_rng(2).standard_normal(12_000)).astype(np.float32)
SOUND /= np.max(np.abs(SOUND))
RATES = [(24_000, 48_000), (24_000, 44_100), (22_050, 48_000), (24_000, 16_000), (24_000, 24_000)]


def pieces(sound: Samples, sizes: list[int]) -> list[Samples]:
    cuts = [cut for cut in np.cumsum(sizes) if cut < len(sound)]
    return np.split(sound, cuts)


@pytest.mark.parametrize("rates", RATES)
@settings(max_examples=20, deadline=None)
@given(sizes=st.lists(st.integers(1, 4000), max_size=12))
def test_pieces_give_the_same_as_the_whole_however_they_are_cut(
    rates: tuple[int, int], sizes: list[int]
) -> None:
    resampler = GaplessResampler(*rates)
    settled: list[Samples] = []
    tail = np.zeros(0, np.float32)
    for piece in pieces(SOUND, sizes):
        fresh, tail = resampler.push(piece)
        settled.append(fresh)

    whole = soxr.resample(SOUND, *rates, quality="HQ") if rates[0] != rates[1] else SOUND
    joined = np.concatenate([*settled, tail])
    assert len(joined) == len(whole)
    assert np.max(np.abs(joined - whole)) < 1e-4


@pytest.mark.parametrize("rates", RATES)
def test_nothing_is_held_back_behind_a_piece(rates: tuple[int, int]) -> None:
    settled, tail = GaplessResampler(*rates).push(SOUND)

    assert len(settled) + len(tail) == round(len(SOUND) * rates[1] / rates[0])
    assert len(tail) <= 0.006 * rates[1]


@pytest.mark.parametrize("rate", [8_000, 44_100, 48_000, 192_000])
def test_a_stream_keeps_its_length_and_tells_what_it_holds_back(rate: int) -> None:
    resampler = StreamResampler(rate, 16_000)
    produced = 0
    for _ in range(100):
        produced += len(resampler.push(np.zeros(rate // 50, np.float32)))
        pushed = 100 * rate // 50
    held_back = resampler.held_back_s

    assert produced + held_back * 16_000 == pytest.approx(pushed * 16_000 / rate, abs=2)
    assert produced + len(resampler.finish()) == pytest.approx(pushed * 16_000 / rate, abs=2)
    assert resampler.held_back_s == 0.0


def test_equal_rates_pass_through() -> None:
    resampler = StreamResampler(16_000, 16_000)

    assert resampler.push(SOUND) is SOUND
    assert (resampler.finish().size, resampler.held_back_s) == (0, 0.0)


@pytest.mark.parametrize("rate", [8_000, 16_000, 24_000, 44_100, 48_000, 96_000])
def test_the_quick_one_holds_nothing_back(rate: int) -> None:
    resampler = QuickResampler(rate, 16_000)
    sound = np.sin(2 * np.pi * 440 * np.arange(rate) / rate).astype(np.float32)

    pieces = []
    for start in range(0, rate, rate // 100):
        pieces.append(resampler.push(sound[start : start + rate // 100]))
        assert abs(sum(map(len, pieces)) - 16_000 * (start + rate // 100) / rate) <= 4

    joined = np.concatenate(pieces)
    place = np.arange(len(joined)) / 16_000
    error = min(
        float(np.std(joined[500:] - np.sin(2 * np.pi * 440 * (place - late / 48_000))[500:]))
        for late in range(60)
    )
    assert error < 0.03


@pytest.mark.parametrize("rate", [24_000, 44_100, 48_000])
def test_the_quick_one_keeps_aliases_low(rate: int) -> None:
    sound = np.sin(2 * np.pi * 10_500 * np.arange(rate) / rate).astype(np.float32)

    aliases = QuickResampler(rate, 16_000).push(sound)

    assert float(np.std(aliases[500:])) < 0.03


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_the_quick_one_hears_no_edge_where_silence_begins_and_ends(rate: int) -> None:
    """Silence goes past the filter, but only once nothing of the sound before is left in it."""
    sound = np.random.default_rng(1).normal(0.0, 0.1, rate // 100).astype(np.float32)
    silence = np.zeros(rate // 100, np.float32)
    pieces = [sound, silence, silence, sound, silence]
    resampler = QuickResampler(rate, 16_000)

    cut = np.concatenate([resampler.push(piece) for piece in pieces])

    assert np.allclose(cut, QuickResampler(rate, 16_000).push(np.concatenate(pieces)), atol=1e-6)
