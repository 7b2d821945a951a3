"""What is measured at the first start is remembered, and only for this computer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from s2s_desktop.engine import calibration as module
from s2s_desktop.engine.calibration import Calibration, Way, ways


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A clock that moves only when the test says."""
    now = [0.0]
    monkeypatch.setattr(module.time, "perf_counter", lambda: now[0])

    def pass_by(seconds: float) -> None:
        now[0] += seconds

    return pass_by


def measured(file: Path, clock: Callable[[float], None], seconds: dict[Way, float]) -> Way:
    return Calibration(file).measure("whisper", seconds, lambda way: lambda: clock(seconds[way]))


USUAL, OTHER = Way("int8", 2), Way("float32", 2)


def test_the_fastest_way_is_chosen_and_remembered(tmp_path: Path, clock: Callable[[float], None]) -> None:
    file = tmp_path / "calibration.json"
    assert measured(file, clock, {USUAL: 1.0, OTHER: 0.5}) == OTHER
    assert Calibration(file).best("whisper") == OTHER
    assert Calibration(file).best("kokoro") is None


def test_a_small_difference_is_noise(tmp_path: Path, clock: Callable[[float], None]) -> None:
    assert measured(tmp_path / "file", clock, {USUAL: 1.0, OTHER: 0.95}) == USUAL


def test_another_version_or_machine_is_measured_anew(
    tmp_path: Path, clock: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "calibration.json"
    measured(file, clock, {USUAL: 1.0})
    monkeypatch.setattr(module.os, "cpu_count", lambda: 999)
    assert Calibration(file).best("whisper") is None


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"a": 1}', '{"a": {"threads": "x", "compute_type": "int8"}}']
)
def test_a_damaged_file_counts_as_empty(tmp_path: Path, content: str) -> None:
    file = tmp_path / "calibration.json"
    file.write_text(content)
    assert Calibration(file).best("whisper") is None


def test_a_folder_that_cannot_be_written_costs_only_the_memory(
    tmp_path: Path, clock: Callable[[float], None]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert measured(tmp_path / "file" / "calibration.json", clock, {USUAL: 1.0}) == USUAL


@pytest.mark.parametrize(
    ("cores", "logical", "threads"), [(1, 1, {1}), (2, 2, {2}), (2, 4, {2, 4}), (8, 16, {4}), (4, 8, {4})]
)
def test_what_is_tried_are_cores_and_hyper_threads(cores: int, logical: int, threads: set[int]) -> None:
    tried = ways(["int8", "float32"], cores, logical)
    assert tried[0] == Way("int8", min(cores, 4))
    assert {way.threads for way in tried} == threads
    assert {way.compute_type for way in tried} == {"int8", "float32"}
