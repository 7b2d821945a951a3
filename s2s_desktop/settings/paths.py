"""Where settings, models, conversations and logs are kept."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP_NAME = "s2s-desktop"
HOME_VARIABLE = "S2S_DESKTOP_HOME"


@dataclass(frozen=True, slots=True)
class Paths:
    """The folders of one installation; none is made before it is used.

    Attributes:
        settings_file: The settings (TOML).
        data: Conversations.
        models: Model files, one folder a model.
        logs: Log files.
        state: What can be lost without harm: partial downloads, remembered server quirks, lock files.
    """

    settings_file: Path
    data: Path
    models: Path
    logs: Path
    state: Path


def find_paths() -> Paths:
    """Return the folders: all below `S2S_DESKTOP_HOME` when it is set, else the platform's own places."""
    home = os.environ.get(HOME_VARIABLE, "").strip()
    if home:
        root = Path(home).expanduser().absolute()
        return Paths(root / "settings.toml", root / "data", root / "models", root / "logs", root / "state")
    dirs = platformdirs.PlatformDirs(APP_NAME, appauthor=False)
    return Paths(
        dirs.user_config_path / "settings.toml",
        dirs.user_data_path,
        dirs.user_cache_path / "models",
        dirs.user_log_path,
        dirs.user_state_path,
    )
