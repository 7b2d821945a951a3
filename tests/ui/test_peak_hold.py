"""The mark of the meter: it waits at the loudest moment, then falls."""

from __future__ import annotations

import pytest

from s2s_desktop.ui.peak_hold import FLOOR_DBFS, PeakHold


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_peak_stays_for_a_second_and_then_falls() -> None:
    clock = Clock()
    peak = PeakHold(clock)
    peak.take(-10.0)
    clock.now += 1.0
    assert peak.dbfs == -10.0
    clock.now += 0.5
    assert peak.dbfs == pytest.approx(-25.0)


def test_a_quieter_block_does_not_move_it_and_a_louder_one_does() -> None:
    clock = Clock()
    peak = PeakHold(clock)
    peak.take(-10.0)
    peak.take(-30.0)
    assert peak.dbfs == -10.0
    clock.now += 1.5
    peak.take(-20.0)
    assert peak.dbfs == -20.0


def test_nothing_is_left_when_the_microphone_is_closed() -> None:
    peak = PeakHold(Clock())
    peak.take(-10.0)
    peak.clear()
    assert peak.dbfs <= FLOOR_DBFS
