"""Removes what only debuggers read from the libraries of a Linux bundle: some wheels carry 150 MB of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

_ELF = b"\x7fELF"

_NOT_TO_TOUCH = ("*openblas*", "libgfortran*", "libquadmath*")
"""`patchelf` has moved parts of these files, and `strip` would then break them
(https://github.com/pypa/manylinux/issues/119)."""


def libraries(folder: Path) -> list[Path]:
    """Return the libraries and programs below a folder, each once."""
    return sorted(path for path in folder.rglob("*") if not path.is_symlink() and _is_elf(path))


def strip(folder: Path) -> int:
    """Strip the libraries below a folder, and return the bytes that this saved.

    Raises:
        subprocess.CalledProcessError: `strip` (binutils) failed.
    """
    saved = 0
    for path in libraries(folder / "_internal"):
        if any(path.match(pattern) for pattern in _NOT_TO_TOUCH):
            continue
        before = path.stat().st_size
        subprocess.run(["strip", "--strip-unneeded", str(path)], check=True)
        saved += before - path.stat().st_size
    return saved


def _is_elf(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == _ELF
