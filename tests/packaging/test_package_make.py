"""`make package`: what it runs, and what it says when something it needs is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_package_builds_and_tries_out(project: Path) -> None:
    inherited = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
    environment = {name: value for name, value in os.environ.items() if name not in inherited}

    done = subprocess.run(
        ["make", "--dry-run", "package", "PACKAGE_ARGS=--only deb"],
        cwd=project,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    assert done.stdout.splitlines() == [
        "packaging/setup/system_libraries.sh tests",
        "packaging/build.sh --only deb",
    ]


@pytest.mark.skipif(os.name != "posix", reason="a script for Linux")
def test_a_tool_that_is_missing_is_named_with_its_package(project: Path, tmp_path: Path) -> None:
    for tool in ("sh", "dirname", "xz", "dpkg-deb"):
        if (found := shutil.which(tool)) is not None:
            (tmp_path / tool).symlink_to(found)

    done = subprocess.run(
        ["sh", str(project / "packaging" / "build.sh")],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 1
    assert "strip is missing" in done.stderr
    assert "binutils" in done.stderr
