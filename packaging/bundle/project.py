"""What is known about the program: read from pyproject.toml, so that it is written down once."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

IDENTIFIER = "org.s2sdesktop.S2SDesktop"
"""One name for macOS, AppStream and whoever else wants a name in reverse order."""


@dataclass(frozen=True, slots=True)
class Project:
    """The program as the packages present it.

    Attributes:
        name: Of the command, the folder and the packages.
        title: For people.
        version: Such as `1.2.3`.
        summary: One sentence.
        identifier: In reverse domain order.
        icon: The picture (SVG).
    """

    name: str
    title: str
    version: str
    summary: str
    identifier: str
    icon: Path


def read(root: Path = ROOT) -> Project:
    """Read the project's own file.

    Args:
        root: The folder of the project.
    """
    table = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Project(
        name=table["name"],
        title="S2S Desktop",
        version=table["version"],
        summary=table["description"],
        identifier=IDENTIFIER,
        icon=root / "s2s_desktop" / "resources" / "icons" / "app.svg",
    )


def mac_properties(project: Project) -> dict[str, object]:
    """Return what macOS must know of the program (Info.plist).

    Without `NSMicrophoneUsageDescription` it is ended, or hears silence, when it opens the microphone.
    """
    return {
        "CFBundleDisplayName": project.title,
        "CFBundleShortVersionString": project.version,
        "LSApplicationCategoryType": "public.app-category.productivity",
        "LSMinimumSystemVersion": "13.0",
        "NSHighResolutionCapable": True,
        "NSMicrophoneUsageDescription": (
            "S2S Desktop listens to your questions. The sound is turned into text on this Mac."
        ),
        "NSHumanReadableCopyright": "Apache-2.0; the bundle is distributed under the terms of GPL-3.0.",
    }
