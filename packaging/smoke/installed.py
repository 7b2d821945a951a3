"""Packages of Linux, each put where a user would put it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER_NAME = "S2S Désktop ü"
"""Where portable packages are put: spaces and letters beyond ASCII have broken programs of others."""

NAME = "s2s-desktop"


@contextmanager
def installed(package: Path) -> Iterator[Path]:
    """Install a package, yield its program, and remove it again. Only root can do that with a .deb.

    Args:
        package: A .deb, .tar.xz or .AppImage, or a folder that PyInstaller made.

    Raises:
        ValueError: It is nothing of that.
        subprocess.CalledProcessError: It cannot be installed.
    """
    if package.is_dir():
        yield package / ("S2S Desktop.exe" if sys.platform == "win32" else NAME)
        return
    with tempfile.TemporaryDirectory(prefix="s2s-smoke-", ignore_cleanup_errors=True) as temporary:
        folder = Path(temporary, FOLDER_NAME)
        folder.mkdir()
        for each in (Path(temporary), folder):
            each.chmod(0o755)
        match package.suffix:
            case ".deb":
                with _as_deb(package, Path(temporary)) as program:
                    yield program
            case ".xz":
                _run("tar", "--extract", f"--file={package}", f"--directory={folder}", "--no-same-owner")
                yield next(folder.iterdir()) / NAME
            case ".AppImage":
                # Extracted, because mounting needs FUSE, which containers do not have.
                _run(str(package), "--appimage-extract", cwd=folder)
                (folder / "squashfs-root").chmod(0o755)
                yield folder / "squashfs-root" / "AppRun"
            case _:
                raise ValueError(f"{package.name} is no package that is known here")


@contextmanager
def _as_deb(package: Path, work: Path) -> Iterator[Path]:
    """Install over a lower version, and purge at the end; check that nothing of either is left."""
    older = _older_deb(work)
    _run("dpkg", "--install", str(older))
    _run("dpkg", "--install", str(package))
    if Path("/opt", NAME, "of-the-older-version").exists():
        raise ValueError("the upgrade left a file of the older version")
    try:
        yield Path("/usr/bin", NAME)
    finally:
        _run("dpkg", "--purge", NAME)
    left = [path for top in _SYSTEM for path in Path(top).glob(f"**/*{NAME}*")]
    if left:
        raise ValueError(f"the removal left {left}")


_SYSTEM = (
    "/opt",
    "/usr/bin",
    "/usr/share/applications",
    "/usr/share/icons/hicolor",
    "/usr/share/doc",
    "/etc",
)


def _older_deb(work: Path) -> Path:
    root = work / "older"
    (root / "opt" / NAME).mkdir(parents=True)
    (root / "opt" / NAME / "of-the-older-version").write_text("old\n")
    (root / "DEBIAN").mkdir()
    control = f"Package: {NAME}\nVersion: 0.0.1~smoke\nArchitecture: all\nMaintainer: test <t@invalid>\n"
    (root / "DEBIAN" / "control").write_text(control + "Description: an older version\n")
    package = work / "older.deb"
    _run("dpkg-deb", "--root-owner-group", "--build", str(root), str(package))
    return package


def _run(*command: str, cwd: Path | None = None) -> None:
    done = subprocess.run(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout}")
