"""Fixtures for the tests of set-up and packaging."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fake_machine import PROJECT, Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A Linux machine of an ordinary user, with no package manager and no Python."""
    if os.name != "posix":
        pytest.skip("the set-up scripts are for Linux and macOS")
    return Machine(tmp_path / "machine")


@pytest.fixture
def project() -> Path:
    """The folder of the project."""
    return PROJECT
