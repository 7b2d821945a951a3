"""One program for one home folder; another start is heard by the first."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from s2s_desktop.runtime import single_instance
from s2s_desktop.runtime.single_instance import RemoteCommand, SingleInstance, ask_running
from s2s_desktop.settings.paths import Paths, find_paths


@pytest.fixture
def first(qtbot: QtBot) -> Iterator[SingleInstance]:
    instance = SingleInstance(find_paths())
    yield instance
    instance.close()


def start(code: str) -> subprocess.Popen[str]:
    """Run another process that shares the home folder."""
    imports = (
        "from s2s_desktop.runtime.single_instance import *\n"
        "from s2s_desktop.settings.paths import find_paths\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", imports + code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def output(qtbot: QtBot, process: subprocess.Popen[str]) -> str:
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=20_000)
    return process.communicate()[0].strip()


def test_the_first_start_is_the_first(first: SingleInstance) -> None:
    assert first.is_first


def test_a_second_start_is_not(qtbot: QtBot, first: SingleInstance) -> None:
    assert output(qtbot, start("print(SingleInstance(find_paths()).is_first)")) == "False"


@pytest.mark.parametrize("command", list(RemoteCommand))
def test_another_process_is_heard_and_told_so(
    qtbot: QtBot, first: SingleInstance, command: RemoteCommand
) -> None:
    with qtbot.waitSignal(first.asked, timeout=20_000) as asked:
        process = start(f"print(ask_running(find_paths(), RemoteCommand({str(command)!r})))")
    assert asked.args == [str(command)]
    assert output(qtbot, process) == "True"


def test_nobody_is_asked_when_nothing_runs(qtbot: QtBot) -> None:
    assert not ask_running(find_paths(), RemoteCommand.TOGGLE_MIC)


def test_another_home_is_another_program(qtbot: QtBot, first: SingleInstance, tmp_path: Path) -> None:
    elsewhere = replace(find_paths(), state=tmp_path / "other" / "state")
    second = SingleInstance(elsewhere)
    assert second.is_first
    second.close()


def test_the_next_start_is_the_first_again_when_the_program_has_ended(qtbot: QtBot) -> None:
    SingleInstance(find_paths()).close()
    again = SingleInstance(find_paths())
    assert again.is_first
    again.close()


def test_the_next_start_is_the_first_when_the_program_was_killed(qtbot: QtBot) -> None:
    process = start("i = SingleInstance(find_paths()); print(i.is_first, flush=True); input()")
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "True"
    process.kill()
    process.communicate()
    again = SingleInstance(find_paths())
    assert again.is_first
    assert again.is_listening
    again.close()


@pytest.mark.parametrize("bytes_sent", [b"quit\n", b"\xff\xfe\n", b"x" * 5000, b"\n"])
def test_what_is_no_command_is_refused(qtbot: QtBot, first: SingleInstance, bytes_sent: bytes) -> None:
    asked: list[str] = []
    first.asked.connect(asked.append)
    socket = QLocalSocket()
    socket.connectToServer(single_instance.server_name(find_paths()))
    socket.write(bytes_sent)
    with qtbot.waitSignal(socket.disconnected, timeout=5000):
        pass
    assert bytes(socket.readAll().data()) == b"unknown\n"
    assert asked == []


def test_a_home_that_cannot_be_written_does_not_keep_the_program_from_starting(
    qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    blocked: Paths = replace(find_paths(), state=tmp_path / "file" / "state")
    instance = SingleInstance(blocked)
    assert instance.is_first
    instance.close()
