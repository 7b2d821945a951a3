"""Build the program with PyInstaller and the packages of this system around it.

usage: build_packages.py [--out FOLDER] [--work FOLDER] [--only KIND] [--quick]

Run by `make package` and by the workflow, with a Python that has S2S Desktop and PyInstaller installed.
Linux: .deb, portable .tar.xz, AppImage.  Windows and macOS: only the program itself; what makes the installer
of it is in packaging/windows and packaging/macos.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from bundle import appimage, deb, licenses, portable_archive, project, sizes, stripping

_LINUX_PACKAGES = {"tar": portable_archive.build, "deb": deb.build, "appimage": appimage.build}


def main() -> int:
    """Build what the command line asks for."""
    parser = argparse.ArgumentParser(description="Build the packages of S2S Desktop for this system.")
    parser.add_argument("--out", type=Path, default=project.ROOT / "dist", help="where the packages go")
    parser.add_argument(
        "--work", type=Path, default=project.ROOT / "build" / "package", help="for everything else"
    )
    parser.add_argument("--only", choices=["program", *_LINUX_PACKAGES], action="append", help="default: all")
    parser.add_argument("--quick", action="store_true", help="compress less, to try things out")
    options = parser.parse_args()
    out, work = options.out.resolve(), options.work.resolve()
    app = project.read()
    when = _source_time()
    program = _freeze(app, work, when)
    out.mkdir(parents=True, exist_ok=True)
    packages = []
    if sys.platform == "linux":
        wanted = options.only or list(_LINUX_PACKAGES)
        packages = [
            build(app, program, work, out, when, quick=options.quick)
            for kind, build in _LINUX_PACKAGES.items()
            if kind in wanted
        ]
    _describe(app, program, packages, out)
    return 0


def _freeze(app: project.Project, work: Path, when: int) -> Path:
    """Run PyInstaller and return the folder with the program, or on macOS the .app."""
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN"]
    command += ["--distpath", str(work / "program"), "--workpath", str(work / "pyinstaller")]
    command.append(str(project.ROOT / "packaging" / "s2s_desktop.spec"))
    # Both make two builds of the same source alike: PyInstaller's own time stamps, and the order of sets.
    subprocess.run(
        command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(when), "PYTHONHASHSEED": "0"}
    )
    if sys.platform == "darwin":
        program = work / "program" / f"{app.title}.app"
        texts = program / "Contents" / "Resources"
    else:
        program = texts = work / "program" / app.name
    licenses.collect(texts)
    if sys.platform == "linux":
        stripping.strip(program)
    return program


def _source_time() -> int:
    """Return the time of the last commit, or what SOURCE_DATE_EPOCH says, in seconds since 1970."""
    chosen = os.environ.get("SOURCE_DATE_EPOCH")
    if chosen:
        return int(chosen)
    command = ["git", "log", "-1", "--format=%ct"]
    return int(subprocess.run(command, cwd=project.ROOT, check=True, capture_output=True, text=True).stdout)


def _describe(app: project.Project, program: Path, packages: list[Path], out: Path) -> None:
    """Write down what was built and from what, and print the sizes."""
    versions = sorted({f"{each.name}=={each.version}" for each in metadata.distributions()}, key=str.lower)
    built_from = [f"Python {sys.version.split()[0]}", *versions]
    (out / f"{app.name}-{app.version}-built-from.txt").write_text(
        "\n".join(built_from) + "\n", encoding="utf-8"
    )
    sums = [f"{_sha256(package)}  {package.name}\n" for package in packages]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    print(sizes.report(program, packages))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    sys.exit(main())
