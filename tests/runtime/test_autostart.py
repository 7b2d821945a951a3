"""The entry that starts the program with the login is one that each system understands."""

from __future__ import annotations

import plistlib
import subprocess
import sys
from pathlib import Path

import pytest

from s2s_desktop.errors import AssistantError
from s2s_desktop.runtime import autostart
from s2s_desktop.runtime.autostart import DesktopEntry, LaunchAgent, RunKey

COMMAND = ["/opt/My Apps/s2s", "-m", "s2s_desktop"]


class Registry:
    """Stands in for `winreg`: a key is a dictionary."""

    HKEY_CURRENT_USER = 1
    REG_SZ = 1

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def OpenKey(self, root: int, name: str) -> Registry:
        return self

    CreateKey = OpenKey

    def __enter__(self) -> Registry:
        return self

    def __exit__(self, *_: object) -> None: ...

    def QueryValueEx(self, key: Registry, name: str) -> tuple[str, int]:
        if name not in self.values:
            raise FileNotFoundError(name)
        return self.values[name], 1

    def SetValueEx(self, key: Registry, name: str, reserved: int, kind: int, value: str) -> None:
        self.values[name] = value

    def DeleteValue(self, key: Registry, name: str) -> None:
        del self.values[name]


def exec_arguments(entry: str) -> list[str]:
    """Read the Exec key as a desktop does: the string first, then the command line."""
    (line,) = [line for line in entry.splitlines() if line.startswith("Exec=")]
    value = line.removeprefix("Exec=").replace("\\\\", "\\")
    # The quoting rules are those of the shell between double quotes.
    printed = subprocess.check_output(["sh", "-c", f"printf '%s\\n' {value}"], text=True)
    return [argument.replace("%%", "%") for argument in printed.splitlines()]


@pytest.mark.parametrize("entry", [DesktopEntry, LaunchAgent])
def test_the_file_comes_and_goes(tmp_path: Path, entry: type[DesktopEntry] | type[LaunchAgent]) -> None:
    place = entry(tmp_path / "not there yet")
    assert not place.is_on()
    autostart.switch(True, place, COMMAND)
    assert place.is_on()
    autostart.switch(False, place, COMMAND)
    autostart.switch(False, place, COMMAND)
    assert not place.is_on()


def test_the_value_in_the_registry_comes_and_goes() -> None:
    registry = Registry()
    key = RunKey(registry)
    autostart.switch(True, key, [r"C:\Program Files\S2S\s2s.exe", "-m", "x"])
    assert key.is_on()
    assert list(registry.values.values()) == [r'"C:\Program Files\S2S\s2s.exe" -m x']
    autostart.switch(False, key)
    autostart.switch(False, key)
    assert not key.is_on()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize("path", ["/usr/s2s", "/a b/s2s", '/a$b`c"d/s2s', "/100%/s2s", "/back\\slash/s2s"])
def test_a_desktop_starts_exactly_the_command(path: str) -> None:
    assert exec_arguments(autostart.desktop_entry([path, "-m", "s2s_desktop"])) == [path, "-m", "s2s_desktop"]


def test_launchd_starts_exactly_the_command_at_login() -> None:
    agent = plistlib.loads(autostart.launch_agent(COMMAND))
    assert agent["ProgramArguments"] == COMMAND
    assert agent["RunAtLoad"] is True


def test_an_app_image_is_started_by_its_own_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPIMAGE", "/home/me/S2S.AppImage")
    assert autostart.own_command() == ["/home/me/S2S.AppImage"]


def test_a_system_that_refuses_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "autostart").write_text("in the way")
    with pytest.raises(AssistantError, match="refused"):
        autostart.switch(True, DesktopEntry(tmp_path), COMMAND)


def test_it_is_not_offered_for_a_home_that_only_a_variable_names(
    monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    assert not autostart.is_offered()
    monkeypatch.delenv("S2S_DESKTOP_HOME")
    assert autostart.is_offered()
