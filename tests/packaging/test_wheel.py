"""What `pip install .` installs; the editable installation of the tests would hide a file left behind."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

PARTS = ("pyproject.toml", "README.md", "LICENSE", "THIRD_PARTY.md", "s2s_desktop")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.Path:
    """The wheel, built from a copy of the project: a build leaves files in its folder."""
    project = Path(__file__).resolve().parents[2]
    source = tmp_path_factory.mktemp("source")
    for part in PARTS:
        if (project / part).is_dir():
            shutil.copytree(project / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(project / part, source)
    target = tmp_path_factory.mktemp("wheel")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(target),
    ]
    built = subprocess.run([*pip, str(source)], capture_output=True, text=True, check=False, timeout=150)
    assert built.returncode == 0, built.stdout + built.stderr
    (file,) = target.glob("s2s_desktop-*.whl")
    return zipfile.Path(file)


def test_the_wheel_holds_every_file_of_the_package(wheel: zipfile.Path, project: Path) -> None:
    package = project / "s2s_desktop"
    files = {path.relative_to(project).as_posix() for path in package.rglob("*") if path.is_file()}
    wanted = {name for name in files if "__pycache__" not in name}

    assert wanted - set(wheel.root.namelist()) == set()


def test_the_wheel_holds_the_license_and_the_notice(wheel: zipfile.Path) -> None:
    names = wheel.root.namelist()

    assert any(name.endswith("/licenses/LICENSE") for name in names)
    assert any(name.endswith("/licenses/THIRD_PARTY.md") for name in names)
