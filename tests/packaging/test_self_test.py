"""The self-test of an installation: what it reports, and that its steps look at the real thing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from s2s_desktop.cli.self_test import conversation
from s2s_desktop.cli.self_test.command import self_test
from s2s_desktop.cli.self_test.step import Outcome, Step, StepSkippedError, take
from s2s_desktop.cli.self_test.steps import all_steps
from s2s_desktop.settings.paths import Paths


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """An installation without models."""
    root = tmp_path / "home ü"
    return Paths(root / "settings.toml", root / "data", root / "models", root / "logs", root / "state")


def fails() -> str:
    raise OSError("libmissing.so: cannot open shared object file")


def is_skipped() -> str:
    raise StepSkippedError("no models here")


STEPS = [Step("good", lambda: "fine"), Step("bad", fails), Step("worse", fails), Step("none", is_skipped)]


def test_the_exit_code_is_the_number_of_failed_steps(paths: Paths, tmp_path: Path) -> None:
    report = tmp_path / "report.json"

    assert self_test(["--json", str(report)], paths, STEPS) == 2

    document = json.loads(report.read_text(encoding="utf-8"))
    assert document["failed"] == 2
    assert document["finished"] is True
    assert [step["outcome"] for step in document["steps"]] == ["ok", "failed", "failed", "skipped"]
    assert "libmissing.so" in document["steps"][1]["finding"]


def test_a_step_that_takes_the_process_down_is_the_one_after_the_last_in_the_report(
    paths: Paths, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"

    def dies() -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        self_test(["--json", str(report)], paths, [STEPS[0], Step("deadly", dies)])

    document = json.loads(report.read_text(encoding="utf-8"))
    assert document["finished"] is False
    assert [step["name"] for step in document["steps"]] == ["good"]


def test_without_a_console_it_reports_to_the_file(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)

    assert self_test(["--json", str(tmp_path / "report.json")], paths, STEPS[:2]) == 1
    assert (tmp_path / "report.json").exists()


def test_nothing_is_written_where_the_user_keeps_things(paths: Paths) -> None:
    self_test([], paths, [step for step in all_steps(paths) if step.name in {"settings", "conversations"}])

    assert not paths.settings_file.parent.exists()


@pytest.mark.parametrize(
    "name", ["resources", "settings", "conversations", "network security", "sound files", "speech detector"]
)
def test_a_step_passes_on_a_complete_installation(name: str, paths: Paths) -> None:
    step = next(step for step in all_steps(paths) if step.name == name)

    result = take(step)

    assert result.outcome is Outcome.OK, result.finding


def test_a_file_that_is_missing_from_the_installation_is_named(
    paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frozen build without the data of a package (S63, S64)."""
    monkeypatch.setattr("s2s_desktop.resources._ROOT", tmp_path)
    step = next(step for step in all_steps(paths) if step.name == "resources")

    result = take(step)

    assert result.outcome is Outcome.FAILED
    assert "silero_vad.onnx" in result.finding


def test_without_models_the_conversation_is_skipped_and_says_what_is_missing(paths: Paths) -> None:
    with pytest.raises(StepSkippedError, match="whisper-base"):
        conversation.hold(paths)


@pytest.mark.models
def test_with_models_everything_works(models_dir: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "models").symlink_to(models_dir)
    report, picture = tmp_path / "report.json", tmp_path / "picture.png"
    command = [sys.executable, "-m", "s2s_desktop", "--self-test"]
    command += ["--json", str(report), "--screenshot", str(picture)]
    environment = {**os.environ, "S2S_DESKTOP_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}

    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=150, check=False, encoding="utf-8"
    )

    assert done.returncode == 0, done.stdout + done.stderr
    document = json.loads(report.read_text(encoding="utf-8"))
    assert {step["outcome"] for step in document["steps"]} == {"ok"}
    assert picture.read_bytes().startswith(b"\x89PNG")
