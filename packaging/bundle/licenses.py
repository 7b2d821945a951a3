"""The license texts that travel with a bundle."""

from __future__ import annotations

import shutil
import sysconfig
from importlib import metadata
from pathlib import Path

from bundle import project

FOLDER = "licenses"

_NAMES = ("licen", "copying", "notice", "authors", "thirdparty")
_NOT_IN_THE_BUNDLE = frozenset(
    {"altgraph", "av", "pip", "pyinstaller", "pyinstaller-hooks-contrib", "setuptools"}
)


def collect(target: Path, root: Path = project.ROOT) -> int:
    """Write our own license, those the bundle is distributed under, and those of all packages in it.

    Args:
        target: The bundle's folder.
        root: The folder of the project.

    Returns:
        How many packages have brought texts of their own.
    """
    for name in ("LICENSE", "THIRD_PARTY.md"):
        shutil.copy(root / name, target)
    folder = target / FOLDER
    shutil.copytree(root / "packaging" / "licenses", folder, dirs_exist_ok=True)
    python = Path(sysconfig.get_path("stdlib"), "LICENSE.txt")
    if python.is_file():
        shutil.copy(python, folder / "Python.txt")
    count = 0
    for package in metadata.distributions():
        name = package.name.lower().replace("_", "-")
        if name in _NOT_IN_THE_BUNDLE or name == "s2s-desktop":
            continue
        texts = [file for file in package.files or () if _is_license(file)]
        for file in texts:
            source = Path(str(file.locate()))
            if source.is_file():
                own = folder / name
                own.mkdir(exist_ok=True)
                shutil.copy(source, own / "-".join(file.parts[1:]))
        count += bool(texts)
    return count


def _is_license(file: metadata.PackagePath) -> bool:
    name = file.name.lower()
    return file.suffix not in {".py", ".pyc", ".pyi"} and name.startswith(_NAMES)
