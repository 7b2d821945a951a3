"""What the set-up does about system packages: nothing, install, or name the command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fake_machine import Machine
from s2s_desktop.runtime.linux_libraries import PLATFORM_LIBRARIES, PORTAUDIO


def table(project: Path) -> list[list[str]]:
    """Rows of the script's table: purpose, then the package for apt, dnf and pacman."""
    script = (project / "packaging" / "setup" / "system_libraries.sh").read_text()
    found = re.search(r"<<'TABLE'\n(.*?)\nTABLE\n", script, re.DOTALL)
    assert found is not None
    return [line.split() for line in found[1].splitlines()]


def database(project: Path, *, without: frozenset[str] = frozenset()) -> str:
    """A dpkg database in which everything of the table is installed but `without`."""
    packages = [row[1] for row in table(project) if row[1] not in without]
    return "".join(f"installed {package} \n" for package in packages)


def test_nothing_is_called_when_nothing_is_missing(machine: Machine, project: Path) -> None:
    machine.be("Linux", root_user=True)
    machine.have_apt(database(project))

    result = machine.run("system_libraries.sh", "tests")

    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert machine.calls() == []


def test_a_user_is_told_the_exact_command(machine: Machine, project: Path) -> None:
    machine.have_apt(database(project, without=frozenset({"libxcb-icccm4", "libportaudio2"})))

    result = machine.run("system_libraries.sh", "window")

    assert result.returncode == 1
    assert "    sudo apt-get install libportaudio2 libxcb-icccm4\n" in result.stderr
    assert machine.calls() == []


def test_root_gets_what_is_missing_installed(machine: Machine, project: Path) -> None:
    machine.be("Linux", root_user=True)
    machine.have_apt(
        database(project, without=frozenset({"xvfb"})), 'test "$DEBIAN_FRONTEND" = noninteractive'
    )

    result = machine.run("system_libraries.sh", "tests")

    assert result.returncode == 0
    assert "missing: xvfb\n" in result.stderr
    (call,) = machine.calls()
    assert call.startswith("apt-get install --yes ")
    assert call.endswith(" xvfb")


def test_nothing_is_removed_to_make_room(machine: Machine, project: Path) -> None:
    machine.be("Linux", root_user=True)
    machine.have_apt(database(project, without=frozenset({"pulseaudio"})))

    machine.run("system_libraries.sh", "tests")

    assert all("--no-remove" in call for call in machine.calls())


def test_package_lists_are_fetched_only_after_an_install_failed(
    machine: Machine, project: Path, tmp_path: Path
) -> None:
    machine.be("Linux", root_user=True)
    fetched = tmp_path / "fetched"
    machine.have_apt(
        database(project, without=frozenset({"libgomp1"})),
        f'case $1 in update) : >"{fetched}" ;; install) [ -e "{fetched}" ] ;; esac',
    )

    result = machine.run("system_libraries.sh", "talk")

    assert result.returncode == 0
    assert [call.split()[1] for call in machine.calls()] == ["install", "update", "install"]


def test_root_is_told_the_command_when_apt_fails(machine: Machine, project: Path) -> None:
    machine.be("Linux", root_user=True)
    machine.have_apt(database(project, without=frozenset({"libegl1"})), "echo no network >&2; exit 100")

    result = machine.run("system_libraries.sh", "window")

    assert result.returncode == 1
    assert "no network" in result.stderr
    assert "\n    apt-get install libegl1\n" in result.stderr


def test_a_package_counts_when_another_provides_it(machine: Machine, project: Path) -> None:
    renamed = "installed libglib2.0-0t64 libglib2.0-0 (= 2.84.4-3)\n"
    machine.have_apt(database(project, without=frozenset({"libglib2.0-0"})) + renamed)

    assert machine.run("system_libraries.sh", "window").returncode == 0


def test_a_removed_package_with_configuration_left_is_missing(machine: Machine, project: Path) -> None:
    left = "config-files libportaudio2 \n"
    machine.have_apt(database(project, without=frozenset({"libportaudio2"})) + left)

    assert "install libportaudio2\n" in machine.run("system_libraries.sh", "window").stderr


def test_the_command_line_needs_no_sound_card_and_no_window(machine: Machine) -> None:
    machine.have_apt("installed libgomp1 \n")

    assert machine.run("system_libraries.sh", "talk").returncode == 0


@pytest.mark.parametrize(("display", "missing"), [("", False), ("wayland-0", True)])
def test_wayland_libraries_are_for_wayland_sessions(
    machine: Machine, project: Path, display: str, missing: bool
) -> None:
    wayland = frozenset(row[1] for row in table(project) if row[0] == "wayland")
    machine.have_apt(database(project, without=wayland))
    machine.environment["WAYLAND_DISPLAY"] = display

    result = machine.run("system_libraries.sh", "window")

    assert ("libwayland-egl1" in result.stderr) is missing
    assert (result.returncode != 0) is missing


def test_fedora_is_told_its_own_names(machine: Machine) -> None:
    machine.be("Linux", root_user=True)
    machine.program("dnf", "exit 1")
    machine.program("rpm", 'echo "glib2-2.84"; echo "no package provides xcb-util-wm"; exit 1')

    result = machine.run("system_libraries.sh", "window")

    assert result.returncode == 1
    assert "\n    dnf install xcb-util-wm\n" in result.stderr


def test_arch_is_told_its_own_names(machine: Machine) -> None:
    machine.program("pacman", 'echo "xcb-util-wm"; exit 127')

    result = machine.run("system_libraries.sh", "window")

    assert result.returncode == 1
    assert "\n    sudo pacman -S --needed xcb-util-wm\n" in result.stderr


def test_an_unknown_distribution_is_told_what_is_needed_and_goes_on(machine: Machine) -> None:
    result = machine.run("system_libraries.sh", "window")

    assert result.returncode == 0
    assert "libportaudio2" in result.stderr


def test_macos_needs_nothing(machine: Machine) -> None:
    machine.be("Darwin", root_user=False)

    assert machine.run("system_libraries.sh", "window").returncode == 0


def test_a_user_without_rights_can_go_on(machine: Machine) -> None:
    machine.have_apt("")
    machine.environment["S2S_SKIP_SYSTEM_LIBRARIES"] = "1"

    assert machine.run("system_libraries.sh", "window").returncode == 0


def test_an_unknown_purpose_is_refused(machine: Machine) -> None:
    assert machine.run("system_libraries.sh", "tests ").returncode == 2


def test_the_set_up_installs_what_the_window_looks_for(project: Path) -> None:
    installed = {tuple(row[1:]) for row in table(project)}
    looked_for = {
        PORTAUDIO,
        *(package for plugin in PLATFORM_LIBRARIES.values() for package in plugin.values()),
    }

    assert looked_for <= installed
