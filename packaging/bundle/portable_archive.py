"""The portable archive for Linux: one folder that runs from wherever it is unpacked."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from bundle import linux_files, tree
from bundle.project import ROOT, Project


def build(project: Project, program: Path, work: Path, out: Path, when: int, *, quick: bool = False) -> Path:
    """Make `<name>-<version>-linux-x86_64.tar.xz` and return its path.

    Args:
        project: What is packed.
        program: The folder that PyInstaller made.
        work: For what is only needed meanwhile.
        out: Where the archive goes.
        when: Time that every file gets, in seconds since 1970.
        quick: Compress less: some 10 % larger, in a quarter of the time.

    Raises:
        subprocess.CalledProcessError: tar failed.
    """
    stem = f"{project.name}-{project.version}"
    folder = work / "portable" / stem
    shutil.rmtree(folder.parent, ignore_errors=True)
    tree.linked_copy(program, folder)
    linux_files.write(project, folder / "share", when)
    shutil.copy(ROOT / "packaging" / "linux" / "add-to-menu.sh", folder)
    shutil.copy(ROOT / "docs" / "INSTALL.md", folder)
    archive = out / f"{stem}-linux-x86_64.tar.xz"
    command = [
        "tar",
        "--create",
        "--sort=name",
        f"--mtime=@{when}",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
    ]
    command += [
        f"--use-compress-program=xz -{1 if quick else 6} -T0",
        f"--file={archive}",
        f"--directory={folder.parent}",
        stem,
    ]
    subprocess.run(command, check=True)
    return archive
