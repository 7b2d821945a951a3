"""Starts the program with the login of the user: an entry in the place where each system looks for it."""

from __future__ import annotations

import importlib
import os
import plistlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.paths import HOME_VARIABLE

_LABEL = "s2s-desktop"
_RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
_MUST_BE_QUOTED = frozenset(" \t\n\"'\\><~|&;$*?#()`")
"""Desktop Entry Specification 1.5, "The Exec key": reserved characters."""


class Autostart(Protocol):
    """The entry of one system."""

    def is_on(self) -> bool:
        """Return whether the entry is there."""

    def switch(self, on: bool, command: Sequence[str]) -> None:
        """Write the entry, or remove it.

        Raises:
            OSError: It cannot be written.
        """


class DesktopEntry:
    """Linux: a file in the autostart folder (Desktop Application Autostart Specification 0.5)."""

    def __init__(self, config_home: Path) -> None:
        self._file = config_home / "autostart" / f"{_LABEL}.desktop"

    def is_on(self) -> bool:
        """Return whether the file is there."""
        return self._file.is_file()

    def switch(self, on: bool, command: Sequence[str]) -> None:
        """Write the file, or remove it."""
        _write(self._file, desktop_entry(command).encode() if on else None)


class LaunchAgent:
    """macOS: a property list in the user's LaunchAgents (`man launchd.plist`)."""

    def __init__(self, home: Path) -> None:
        self._file = home / "Library" / "LaunchAgents" / f"{_LABEL}.plist"

    def is_on(self) -> bool:
        """Return whether the file is there."""
        return self._file.is_file()

    def switch(self, on: bool, command: Sequence[str]) -> None:
        """Write the file, or remove it."""
        _write(self._file, launch_agent(command) if on else None)


class RunKey:
    """Windows: a value of the user's Run key."""

    def __init__(self, registry: Any = None) -> None:
        self._registry = registry or importlib.import_module("winreg")

    def is_on(self) -> bool:
        """Return whether the value is there."""
        registry = self._registry
        try:
            with registry.OpenKey(registry.HKEY_CURRENT_USER, _RUN_KEY) as key:
                registry.QueryValueEx(key, _LABEL)
        except FileNotFoundError:
            return False
        return True

    def switch(self, on: bool, command: Sequence[str]) -> None:
        """Write the value, or remove it."""
        registry = self._registry
        with registry.CreateKey(registry.HKEY_CURRENT_USER, _RUN_KEY) as key:
            if on:
                registry.SetValueEx(key, _LABEL, 0, registry.REG_SZ, windows_command_line(command))
            elif self.is_on():
                registry.DeleteValue(key, _LABEL)


def switch(on: bool, autostart: Autostart | None = None, command: Sequence[str] | None = None) -> None:
    """Start the program with the login from now on, or no longer. Blocks for a moment.

    Args:
        on: Whether to start.
        autostart: The entry; None is that of this system.
        command: What to start; None is this program.

    Raises:
        AssistantError: kind PERMISSION: the system refuses the entry.
    """
    entry = autostart or of_this_system()
    try:
        if on or entry.is_on():
            entry.switch(on, command or own_command())
    except OSError as error:
        raise AssistantError(
            ErrorKind.PERMISSION,
            "Starting with the login could not be changed: the system refused to write the entry.",
            str(error),
        ) from error


def is_offered() -> bool:
    """Return whether the entry would start the program with the folders it uses now.

    A home folder that a variable of this session names is not known at the next login.
    """
    return not os.environ.get(HOME_VARIABLE, "").strip()


def of_this_system() -> Autostart:
    """Return the entry of the system the program runs on."""
    if sys.platform == "win32":
        return RunKey()
    if sys.platform == "darwin":
        return LaunchAgent(Path.home())
    config = os.environ.get("XDG_CONFIG_HOME", "")
    return DesktopEntry(Path(config) if config else Path.home() / ".config")


def own_command() -> list[str]:
    """Return how this program is started again."""
    if bundle := os.environ.get("APPIMAGE"):  # the program inside is mounted anew at each start
        return [bundle]
    if getattr(sys, "frozen", False):
        return [sys.executable]
    return [sys.executable, "-m", "s2s_desktop"]


def desktop_entry(command: Sequence[str]) -> str:
    """Return the text of the autostart file."""
    return (
        "[Desktop Entry]\n"
        "Type=Application\n"
        "Name=S2S Desktop\n"
        f"Exec={' '.join(_exec_argument(argument) for argument in command)}\n"
        f"Icon={_LABEL}\n"
        "Terminal=false\n"
    )


def launch_agent(command: Sequence[str]) -> bytes:
    """Return the property list of the launch agent."""
    return plistlib.dumps({"Label": _LABEL, "ProgramArguments": list(command), "RunAtLoad": True})


def windows_command_line(command: Sequence[str]) -> str:
    """Return the value of the Run key. Paths on Windows hold no quotation marks."""
    return " ".join(f'"{argument}"' if " " in argument else argument for argument in command)


def _exec_argument(argument: str) -> str:
    text = argument.replace("%", "%%")
    if not _MUST_BE_QUOTED & set(text):
        return text
    for character in '\\"`$':
        text = text.replace(character, "\\" + character)
    # The value is a string of the file as well, in which a backslash is written as two.
    return '"' + text.replace("\\", "\\\\") + '"'


def _write(file: Path, content: bytes | None) -> None:
    if content is None:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
