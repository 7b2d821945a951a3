"""The files by which a Linux desktop knows a program: menu entry, description, icons."""

from __future__ import annotations

import datetime
from pathlib import Path

from bundle import icons
from bundle.project import ROOT, Project

_TEMPLATES = ROOT / "packaging" / "linux"


def write(project: Project, share: Path, when: int) -> None:
    """Write the files below a `share` folder.

    Args:
        project: What they describe.
        share: Such as `/usr/share`.
        when: Time of the release, in seconds since 1970.
    """
    for size in icons.LINUX_SIZES:
        _write(
            share / "icons/hicolor" / f"{size}x{size}" / "apps" / f"{project.name}.png",
            icons.png(project.icon, size),
        )
    _write(share / "icons/hicolor/scalable/apps" / f"{project.name}.svg", project.icon.read_bytes())
    entry = f"{project.name}.desktop"
    _write(share / "applications" / entry, (_TEMPLATES / entry).read_bytes())
    description = f"{project.identifier}.metainfo.xml"
    _write(share / "metainfo" / description, _described(_TEMPLATES / description, project, when).encode())


def _described(template: Path, project: Project, when: int) -> str:
    date = datetime.datetime.fromtimestamp(when, datetime.UTC).date().isoformat()
    return template.read_text(encoding="utf-8").replace("@VERSION@", project.version).replace("@DATE@", date)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
