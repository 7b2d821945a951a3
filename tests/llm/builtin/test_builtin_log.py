"""The log of the child is bounded and never in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s_desktop.llm.builtin import log as builtin_log
from s2s_desktop.llm.builtin.log import ChildLog


def test_the_files_stay_small_and_hold_the_newest(log_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtin_log, "MAX_BYTES", 4_000)
    log = ChildLog(log_file)
    for number in range(500):
        log.write(b"line %d of the server\n" % number)
    log.close()
    files = sorted(log_file.parent.iterdir())
    assert [file.name for file in files] == ["builtin-llm.log", "builtin-llm.log.1"]
    assert all(file.stat().st_size <= 4_000 for file in files)
    assert "line 499 of" in log_file.read_text()


def test_the_tail_belongs_to_the_current_process(log_file: Path) -> None:
    log = ChildLog(log_file)
    log.begin("first")
    log.write(b"old\n")
    log.begin("second")
    log.write(b"\xffnew\r\n")
    log.write(b"\n")
    log.close()
    assert log.tail == "\ufffdnew"
    assert [line.split()[-1] for line in log_file.read_text().splitlines()] == [
        "first",
        "old",
        "second",
        "\ufffdnew",
    ]


def test_a_folder_that_cannot_be_made_costs_the_file_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "logs").write_text("a file where the folder should be")
    log = ChildLog(tmp_path / "logs" / "builtin-llm.log")
    log.write(b"hello\n")
    assert log.tail == "hello"
    assert "no log" in caplog.text
