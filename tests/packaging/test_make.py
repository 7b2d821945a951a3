"""The two commands, and that the check of every change is nothing weaker."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def dry_run(project: Path, *arguments: str) -> str:
    """Return what make would run."""
    # Under `make test` these would make it a sub-make of the outer one.
    inherited = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "S2S_TEST_MODELS"}
    environment = {name: value for name, value in os.environ.items() if name not in inherited}
    return subprocess.run(
        ["make", "--dry-run", *arguments],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout


@needs_make
def test_make_test_runs_every_check_and_every_test(project: Path) -> None:
    commands = dry_run(project, "test").splitlines()

    assert commands == [
        "packaging/setup/system_libraries.sh tests",
        "packaging/setup/environment.sh dev",
        ".venv/bin/ruff check",
        ".venv/bin/ruff format --check",
        ".venv/bin/mypy",
        ".venv/bin/lint-imports",
        "packaging/setup/environment.sh",
        ".venv/bin/s2s-desktop models get",
        ".venv/bin/python -m pytest ",
    ]


@needs_make
def test_options_are_passed_on(project: Path) -> None:
    assert (
        dry_run(project, "run", "ARGS=--model llama3.2").strip() == "packaging/setup/run.sh --model llama3.2"
    )
    assert ".venv/bin/python -m pytest -k vad\n" in dry_run(project, "test", "PYTEST_ARGS=-k vad")


@pytest.mark.skipif(os.name != "posix", reason="a script for Linux and macOS")
@pytest.mark.parametrize("exit_code", [0, 2])
def test_ci_is_make_test(project: Path, tmp_path: Path, exit_code: int) -> None:
    log = tmp_path / "log"
    make = tmp_path / "make"
    make.write_text(f'#!/bin/sh\necho "$PWD: make $*" >>"{log}"\nexit {exit_code}\n')
    make.chmod(0o755)

    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        [str(project / ".ci" / "run")], cwd=tmp_path, env={"PATH": path}, check=False, timeout=60
    )

    assert result.returncode == exit_code
    assert log.read_text() == f"{project}: make test\n"
