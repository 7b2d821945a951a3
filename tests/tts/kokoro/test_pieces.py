"""Pieces of a clause put together are the clause."""

from __future__ import annotations

from itertools import pairwise
from typing import cast

import numpy as np
import pytest

from s2s_desktop.tts.kokoro.model import HALF_SAMPLES, KokoroModel, Plan
from s2s_desktop.tts.kokoro.pieces import (
    BEFORE_SPEECH,
    CONTEXT,
    FIRST,
    FIRST_REST,
    LONGEST,
    SpokenPart,
    cut_points,
    speak_in_pieces,
)

SOME = [np.zeros((2, 1, 1), np.float32)]


class CountingModel:
    """Every sample is its own position; as in the generator, what is near an end of the window is wrong."""

    def __init__(self) -> None:
        self.windows: list[tuple[int, int]] = []

    def sound(self, plan: Plan, start: int, end: int, statistics: object) -> np.ndarray:
        self.windows.append((start, end))
        sound = np.arange(start * HALF_SAMPLES, end * HALF_SAMPLES, dtype=np.float32)
        reach = CONTEXT * HALF_SAMPLES - 200
        if start > 0:
            sound[:reach] = np.nan
        if end < plan.halves:
            sound[-reach:] = np.nan
        return sound


def part(halves: int, first: int = 26, tail: int = 40) -> SpokenPart:
    edges = np.array([0, first, (first + halves - tail) // 2, halves - tail, halves])
    plan = Plan(edges, np.zeros((1, 1, halves), np.float32), np.zeros((1, 0), np.float32), SOME[0])
    return SpokenPart(plan, 1, 3)


def spoken(spoken_part: SpokenPart, statistics: list[np.ndarray] | None) -> tuple[np.ndarray, CountingModel]:
    model = CountingModel()
    pieces = list(speak_in_pieces(cast(KokoroModel, model), spoken_part, statistics))
    assert [is_last for _, is_last in pieces] == [False] * (len(pieces) - 1) + [True]
    return np.concatenate([piece for piece, _ in pieces]), model


@pytest.mark.parametrize("halves", [70, 120, 200, 640, 1_500])
def test_they_give_every_sample_once_and_none_from_near_a_cut(halves: int) -> None:
    clause = part(halves)
    sound, _ = spoken(clause, SOME)
    expected = np.arange(clause.start * HALF_SAMPLES, clause.end * HALF_SAMPLES, dtype=np.float32)
    heard = BEFORE_SPEECH * HALF_SAMPLES  # what is before the first phoneme is silence, near a cut or not
    assert sound.size == expected.size
    np.testing.assert_allclose(sound[heard:], expected[heard:], rtol=1e-6)


def test_the_silence_ahead_and_behind_is_not_computed() -> None:
    clause = part(640, first=30, tail=60)
    _, model = spoken(clause, SOME)
    assert model.windows[0][0] > 0
    assert model.windows[-1][1] < 640


def test_the_first_piece_is_short_and_the_next_ones_grow() -> None:
    lengths = [end - start for start, end in pairwise(cut_points(part(2_000)))]
    assert lengths[0] == FIRST
    assert all(one <= two for one, two in pairwise(lengths[:-1]))
    assert max(lengths) <= LONGEST + FIRST


def test_a_short_clause_begins_as_soon_as_a_long_one() -> None:
    clause = part(97)
    assert FIRST + FIRST_REST < clause.end - clause.start < 2 * FIRST
    points = cut_points(clause)
    assert points[1] - points[0] == FIRST


def test_no_piece_is_too_short_for_a_join() -> None:
    for halves in range(60, 900, 7):
        lengths = [end - start for start, end in pairwise(cut_points(part(halves, first=10, tail=4)))]
        assert len(lengths) == 1 or lengths[0] == FIRST
        assert len(lengths) == 1 or lengths[-1] >= (FIRST_REST if len(lengths) == 2 else FIRST)


def test_without_typical_statistics_the_clause_is_computed_as_a_whole() -> None:
    clause = part(640)
    sound, model = spoken(clause, None)
    assert model.windows == [(0, 640)]
    assert sound.size == (clause.end - clause.start) * HALF_SAMPLES
