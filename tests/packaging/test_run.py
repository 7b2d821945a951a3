"""What `make run` starts, with and without a display."""

from __future__ import annotations

import pytest

from fake_machine import Machine

TALK = "s2s-desktop talk --input s2s_desktop/resources/audio/sample_question.wav --output build/reply.wav"


@pytest.fixture
def ready(machine: Machine) -> Machine:
    """A machine of an unknown distribution with everything installed."""
    machine.have_python("python3", "sys.version_info = (3, 12, 4)")
    machine.run("environment.sh")
    machine.calls()
    return machine


def failing(machine: Machine, command: str) -> None:
    """Let one command of the program fail from now on."""
    machine.program(
        "s2s-desktop", f'echo "s2s-desktop $*" >>"$HOME/calls.log"\n[ "$1" != {command} ] || exit 7'
    )


@pytest.mark.parametrize("variable", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_with_a_display_the_window_opens(ready: Machine, variable: str) -> None:
    ready.environment[variable] = ":0"

    assert ready.run("run.sh", "--model", "llama3.2").returncode == 0
    assert ready.calls() == ["s2s-desktop models get", "s2s-desktop --model llama3.2"]


def test_without_a_display_a_sample_conversation_is_held(ready: Machine) -> None:
    result = ready.run("run.sh", "--model", "llama3.2")

    assert result.returncode == 0
    assert "no display" in result.stderr
    assert "build/reply.wav" in result.stderr
    assert ready.calls() == ["s2s-desktop models get", f"{TALK} --model llama3.2"]


def test_macos_always_has_a_display(ready: Machine) -> None:
    ready.be("Darwin", root_user=False)

    ready.run("run.sh")

    assert ready.calls()[-1] == "s2s-desktop "


def test_the_window_opens_while_models_are_missing(machine: Machine) -> None:
    machine.have_python("python3", "sys.version_info = (3, 12, 4)")
    failing(machine, "models")
    machine.environment["DISPLAY"] = ":0"

    result = machine.run("run.sh")

    assert result.returncode == 0
    assert "not complete" in result.stderr
    assert machine.calls()[-1] == "s2s-desktop "


@pytest.mark.parametrize("command", ["models", "talk"])
def test_a_failed_sample_conversation_fails_the_command(machine: Machine, command: str) -> None:
    machine.have_python("python3", "sys.version_info = (3, 12, 4)")
    failing(machine, command)

    result = machine.run("run.sh")

    assert result.returncode == 7
    assert "spoken reply is in" not in result.stderr


def test_missing_libraries_are_named_before_anything_is_downloaded(machine: Machine) -> None:
    machine.have_python("python3", "sys.version_info = (3, 12, 4)")
    machine.have_apt("installed libgomp1 \n")
    machine.environment["DISPLAY"] = ":0"

    result = machine.run("run.sh")

    assert result.returncode == 1
    assert "sudo apt-get install" in result.stderr
    assert machine.calls() == []
