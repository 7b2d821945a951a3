"""The package for Debian, Ubuntu and their relatives."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from bundle import glibc, linux_files, tree
from bundle.project import Project

PREFIX = Path("opt/s2s-desktop")
"""Where programs with libraries of their own belong (Filesystem Hierarchy Standard 3.0, section 3.13)."""

DEPENDS = (
    # Sound: the distribution's PortAudio; ALSA's plugins lead to PipeWire and PulseAudio.
    "libportaudio2",
    "libegl1",
    "libgl1",
    "libdbus-1-3",
    "libfontconfig1",
    "libfreetype6",
    "libglib2.0-0t64 | libglib2.0-0",
    "libgssapi-krb5-2",
    "libstdc++6 (>= 12)",
    "libgcc-s1",
    "libx11-6",
    "libx11-xcb1",
    "libxcb1",
)
RECOMMENDS = ("libasound2-plugins", "libwayland-client0", "libwayland-cursor0", "libwayland-egl1")


def control(project: Project, installed_kib: int, libc: str) -> str:
    """Return the description of the package.

    Args:
        project: What is packed.
        installed_kib: Size when installed, in KiB.
        libc: The oldest version of glibc that serves.
    """
    return f"""\
Package: {project.name}
Version: {project.version}
Architecture: amd64
Maintainer: The S2S Desktop authors <noreply@invalid>
Installed-Size: {installed_kib}
Section: sound
Priority: optional
Depends: libc6 (>= {libc}), {", ".join(DEPENDS)}
Recommends: {", ".join(RECOMMENDS)}
Description: desktop voice assistant
 {project.summary}
 .
 Listening, understanding and speaking happen on this computer. The answers
 come from a small built-in model or from any provider that speaks the OpenAI
 protocols. Model files are fetched at the first start.
"""


def build(project: Project, program: Path, work: Path, out: Path, when: int, *, quick: bool = False) -> Path:
    """Make `<name>_<version>_amd64.deb` and return its path.

    Args:
        project: What is packed.
        program: The folder that PyInstaller made.
        work: For what is only needed meanwhile.
        out: Where the package goes.
        when: Time that every file gets, in seconds since 1970.
        quick: Compress less: some 10 % larger, in a quarter of the time.

    Raises:
        subprocess.CalledProcessError: dpkg-deb failed.
    """
    root = work / "deb"
    shutil.rmtree(root, ignore_errors=True)
    (root / PREFIX).parent.mkdir(parents=True)
    tree.linked_copy(program, root / PREFIX)
    linux_files.write(project, root / "usr/share", when)
    commands = root / "usr/bin"
    commands.mkdir(parents=True)
    (commands / project.name).symlink_to(Path("/") / PREFIX / project.name)
    documents = root / "usr/share/doc" / project.name
    documents.mkdir(parents=True)
    shutil.copy(program / "THIRD_PARTY.md", documents / "copyright")
    size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(control(project, size, glibc.needed(program)), encoding="utf-8")
    tree.set_times(root, when)
    package = out / f"{project.name}_{project.version}_amd64.deb"
    command = [
        "dpkg-deb",
        "--root-owner-group",
        "-Zxz",
        f"-z{1 if quick else 6}",
        "--build",
        str(root),
        str(package),
    ]
    subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(when)})
    return package
