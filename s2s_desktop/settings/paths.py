"""Where settings, models, conversations and logs are kept."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP_NAME = "s2s-desktop"
HOME_VARIABLE = "S2S_DESKTOP_HOME"

PORTABLE_NAME = "portable"
"""A folder of this name beside a packaged program keeps everything, so that it travels with the program."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders of one installation; none is made before it is used.

    Attributes:
        settings_file: The settings (TOML).
        data: Conversations.
        models: Model files, one folder a model.
        logs: Log files.
        state: What can be lost without harm: partial downloads, remembered server quirks, lock files, and
            what makes the next start quicker.
    """

    settings_file: Path
    data: Path
    models: Path
    logs: Path
    state: Path


def find_paths() -> Paths:
    """Return the folders.

    All are below `S2S_DESKTOP_HOME` when it is set, else below the folder `portable` beside a packaged
    program where somebody has made one, else in the platform's own places.
    """
    home = os.environ.get(HOME_VARIABLE, "").strip()
    root = Path(home).expanduser().absolute() if home else _portable_folder()
    if root is not None:
        return Paths(root / "settings.toml", root / "data", root / "models", root / "logs", root / "state")
    dirs = platformdirs.PlatformDirs(APP_NAME, appauthor=False)
    return Paths(
        dirs.user_config_path / "settings.toml",
        dirs.user_data_path,
        dirs.user_cache_path / "models",
        dirs.user_log_path,
        dirs.user_state_path,
    )


def program_folder() -> Path | None:
    """Return the folder in which a packaged program stands for its user; None when it runs from Python.

    That of the AppImage or of the macOS .app, not the one inside.
    """
    if not getattr(sys, "frozen", False):
        return None
    program = Path(sys.executable).resolve()
    app_image, mounted = os.environ.get("APPIMAGE", ""), os.environ.get("APPDIR", "")
    # Programs that another AppImage starts inherit these variables.
    if app_image and mounted and program.is_relative_to(Path(mounted).resolve()):
        return Path(app_image).resolve().parent
    bundle = next((folder for folder in program.parents if folder.suffix == ".app"), program)
    return bundle.parent


def _portable_folder() -> Path | None:
    folder = program_folder()
    if folder is None or not (folder / PORTABLE_NAME).is_dir():
        return None
    return folder / PORTABLE_NAME
