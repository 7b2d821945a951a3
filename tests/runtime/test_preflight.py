"""The checks say what is missing and how to mend it, and never need Qt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from s2s_desktop.runtime import linux_libraries
from s2s_desktop.runtime.linux_libraries import PLATFORM_LIBRARIES, install_command
from s2s_desktop.runtime.preflight import check_display, check_portaudio

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="other systems bring their window libraries")


class Linker:
    """Stands in for the dynamic linker of a machine on which some libraries are not installed."""

    def __init__(self, *missing: str) -> None:
        self._missing = missing

    def __call__(self, name: str) -> object:
        if name in self._missing:
            raise OSError(f"{name}: cannot open shared object file: No such file or directory")
        if Path(name).name.startswith("libq") and self._missing:
            raise OSError(f"{self._missing[0]}: cannot open shared object file: No such file or directory")
        return object()


@pytest.fixture(params=["apt-get", "dnf", "pacman"])
def package_manager(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    name: str = request.param
    monkeypatch.setattr(
        linux_libraries.shutil, "which", lambda program: f"/usr/bin/{program}" if program == name else None
    )
    return name


def test_without_a_graphical_session_the_finding_says_what_to_do_instead() -> None:
    finding = check_display({}, Linker(), platform="linux")
    assert not finding.ok
    assert "no graphical session" in finding.sentence
    assert "s2s-desktop talk" in finding.sentence


@linux_only
def test_the_offscreen_platform_needs_no_session() -> None:
    assert check_display({"QT_QPA_PLATFORM": "offscreen"}).ok


@linux_only
def test_an_unknown_platform_is_named() -> None:
    finding = check_display({"QT_QPA_PLATFORM": "holodeck"})
    assert not finding.ok
    assert "holodeck" in finding.sentence


@linux_only
def test_all_missing_libraries_are_named_at_once_with_the_command_that_brings_them(
    package_manager: str,
) -> None:
    linker = Linker("libxcb-icccm.so.4", "libxcb-keysyms.so.1")
    finding = check_display({"DISPLAY": ":0"}, linker, platform="linux")
    assert not finding.ok
    assert "libxcb-icccm.so.4, libxcb-keysyms.so.1" in finding.sentence
    assert (
        finding.command
        == {
            "apt-get": "sudo apt install libxcb-icccm4 libxcb-keysyms1",
            "dnf": "sudo dnf install xcb-util-wm xcb-util-keysyms",
            "pacman": "sudo pacman -S xcb-util-wm xcb-util-keysyms",
        }[package_manager]
    )


@linux_only
def test_a_library_outside_the_table_is_still_named(monkeypatch: pytest.MonkeyPatch) -> None:
    finding = check_display({"DISPLAY": ":0"}, Linker("libunheard-of.so.9"), platform="linux")
    assert not finding.ok
    assert "libunheard-of.so.9" in finding.sentence
    assert finding.command == ""


@linux_only
def test_x_is_good_enough_when_wayland_lacks_a_library() -> None:
    environment = {"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}
    assert check_display(environment, Linker(), platform="linux").ok

    def only_x(name: str) -> object:
        if "wayland" in name:
            raise OSError("libwayland-cursor.so.0: cannot open shared object file")
        return object()

    assert check_display(environment, only_x, platform="linux").ok


@linux_only
def test_an_x_display_that_does_not_answer_is_found_before_qt_aborts() -> None:
    finding = check_display({"DISPLAY": ":4711"})
    assert not finding.ok
    assert "':4711'" in finding.sentence or finding.command


@linux_only
def test_a_wayland_display_that_does_not_answer_is_found(tmp_path: Path) -> None:
    environment = {"WAYLAND_DISPLAY": "wayland-7", "XDG_RUNTIME_DIR": str(tmp_path)}
    finding = check_display(environment, Linker(), platform="linux")
    assert not finding.ok
    assert "wayland-7" in finding.sentence


def test_other_systems_need_no_check() -> None:
    assert check_display({}, platform="darwin").ok
    assert check_display({}, platform="win32").ok


@pytest.mark.parametrize("platform", sorted(PLATFORM_LIBRARIES))
def test_every_library_has_a_package_for_every_distribution(platform: str) -> None:
    for library, packages in PLATFORM_LIBRARIES[platform].items():
        assert ".so." in library
        assert all(name and " " not in name for name in packages)


@linux_only
def test_the_table_knows_what_the_installed_plugin_loads() -> None:
    from s2s_desktop.runtime.preflight import _plugin_path

    plugin = _plugin_path("xcb")
    assert plugin is not None
    listing = subprocess.run(["ldd", str(plugin)], capture_output=True, text=True, check=True).stdout
    needed = {line.split()[0] for line in listing.splitlines() if line.strip()}
    graphical = {name for name in needed if name.startswith(("libxcb", "libxkb", "libX11", "libEGL"))}
    assert graphical <= set(PLATFORM_LIBRARIES["xcb"])


def test_one_package_is_asked_for_once(package_manager: str) -> None:
    libraries = PLATFORM_LIBRARIES["xcb"]
    command = install_command([libraries["libglib-2.0.so.0"], libraries["libgthread-2.0.so.0"]])
    assert len(command.split()) == 4


def test_without_a_known_package_manager_no_command_is_invented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linux_libraries.shutil, "which", lambda program: None)
    assert install_command(PLATFORM_LIBRARIES["xcb"].values()) == ""


def test_missing_portaudio_leaves_typed_chat_and_names_the_package(package_manager: str) -> None:
    def load() -> object:
        raise OSError("PortAudio library not found")

    finding = check_portaudio(load)
    assert not finding.ok
    assert "Typed chat works" in finding.sentence
    assert "portaudio" in finding.command


def test_portaudio_is_found_when_it_loads() -> None:
    assert check_portaudio(lambda: object()).ok


def test_the_checks_do_not_import_qt() -> None:
    program = "import sys, s2s_desktop.runtime.preflight; sys.exit('PySide6.QtCore' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
