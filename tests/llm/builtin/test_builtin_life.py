"""Start, crash, restart and stop of the built-in server."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest

from llm.builtin_kit import ask, process_is_gone, runs
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.builtin import health as builtin_health
from s2s_desktop.llm.builtin import server as builtin_server
from s2s_desktop.llm.builtin.server import BuiltinServer, ServerState

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from llm.builtin.conftest import StateWatch

pytestmark = pytest.mark.models

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="kills by POSIX signals")


def _read(file: str | Path) -> bytes:
    return Path(file).read_bytes()


def _suspend(pid: int) -> None:
    """Stop the child `pid` and wait until its last thread stands still."""
    os.kill(pid, signal.SIGSTOP)
    os.waitpid(pid, os.WUNTRACED)


def _pid(server: BuiltinServer) -> int:
    assert server.pid is not None
    return server.pid


async def test_start_is_idempotent_and_says_what_it_does(server: BuiltinServer, states: StateWatch) -> None:
    assert server.base_url == ""
    await server.start()
    pid, url, key = server.pid, server.base_url, server.api_key
    await server.start()
    await server.ensure_running()
    assert (server.pid, server.base_url, server.api_key) == (pid, url, key)
    assert states.seen == [ServerState.STARTING, ServerState.READY]
    assert await ask(server)


@pytest.mark.skipif(sys.platform == "win32", reason="niceness is a number on POSIX only")
async def test_the_model_lets_the_voice_go_first(server: BuiltinServer) -> None:
    await server.start()
    threads = {thread.id for thread in psutil.Process(_pid(server)).threads()}
    assert len(threads) > 1
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert own == 19 or all(os.getpriority(os.PRIO_PROCESS, thread) > own for thread in threads)


async def test_ensure_running_starts_a_server_once_for_all_who_ask(
    server: BuiltinServer, states: StateWatch
) -> None:
    await asyncio.gather(*(server.ensure_running() for _ in range(3)))
    assert states.seen == [ServerState.STARTING, ServerState.READY]


@needs_signals
async def test_the_turn_after_a_kill_works(server: BuiltinServer) -> None:
    await server.start()
    pid, url, key = _pid(server), server.base_url, server.api_key
    os.kill(pid, signal.SIGKILL)
    await server.ensure_running()
    assert server.pid != pid
    assert server.base_url != url
    assert server.api_key != key
    assert await ask(server)


@needs_signals
async def test_a_killed_server_comes_back_by_itself(server: BuiltinServer, states: StateWatch) -> None:
    await server.start()
    pid = _pid(server)
    os.kill(pid, signal.SIGKILL)
    await states.wait_for(ServerState.READY, times=2)
    assert states.seen[2:] == [ServerState.CRASHED, ServerState.STARTING, ServerState.READY]
    assert await ask(server)


@needs_signals
async def test_a_server_that_hangs_is_replaced(
    server: BuiltinServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.start()
    pid = _pid(server)
    _suspend(pid)
    with monkeypatch.context() as context:
        context.setattr(builtin_health, "ANSWER_LIMIT_S", 0.5)
        ensured = asyncio.create_task(server.ensure_running())
        await asyncio.sleep(0)  # it has asked the old server; the new one may take its time
    await ensured
    assert server.pid != pid
    assert process_is_gone(pid, 5.0)
    assert await ask(server)


@needs_signals
async def test_a_server_that_crashes_again_and_again_stays_down_and_says_so(
    server: BuiltinServer,
    states: StateWatch,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(builtin_server, "RESTART_DELAYS_S", (0.0,))
    await server.start()
    for count in (1, 2):
        os.kill(_pid(server), signal.SIGKILL)
        await states.wait_for(ServerState.CRASHED, times=count)
        if count == 1:
            await states.wait_for(ServerState.READY, times=2)
    with pytest.raises(AssistantError) as caught:
        await server.ensure_running()
    assert caught.value.kind is ErrorKind.INTERNAL
    assert "keeps stopping" in caught.value.message
    assert "signal 9" in caught.value.details
    assert states.seen.count(ServerState.STARTING) == 2
    assert any(record.levelno == logging.ERROR for record in caplog.records)
    await server.start()  # somebody pressed "try again"
    assert await ask(server)


async def test_stop_leaves_no_process_and_no_thread(server: BuiltinServer, states: StateWatch) -> None:
    await server.start()
    pid = _pid(server)
    await server.stop()
    assert not runs(pid)
    assert server.base_url == ""
    assert server.api_key == ""
    assert states.seen[-1] is ServerState.STOPPED
    assert not [thread for thread in threading.enumerate() if thread.name == "builtin-llm"]
    await server.stop()


async def test_stop_ends_a_start_that_is_under_way(server: BuiltinServer, states: StateWatch) -> None:
    start = asyncio.create_task(server.start())
    await states.wait_for(ServerState.STARTING)
    waiting = asyncio.create_task(server.ensure_running())
    await asyncio.sleep(0)
    await server.stop()
    for task in (start, waiting):
        with pytest.raises(AssistantError, match="stopped while it was starting"):
            await task
    assert states.seen == [ServerState.STARTING, ServerState.STOPPED]
    assert server.pid is None


async def test_a_cancelled_start_leaves_no_process(server: BuiltinServer, states: StateWatch) -> None:
    start = asyncio.create_task(server.start())
    await states.wait_for(ServerState.STARTING)
    await asyncio.sleep(0)
    start.cancel()
    with pytest.raises(asyncio.CancelledError):
        await start
    assert server.pid is None
    assert not [thread for thread in threading.enumerate() if thread.name == "builtin-llm"]


async def test_runs_on_the_loop_of_the_window(qapp: QApplication, server: BuiltinServer) -> None:
    await server.start()
    assert await ask(server)
    if sys.platform != "win32":
        os.kill(_pid(server), signal.SIGKILL)
    await server.ensure_running()
    assert await ask(server)
    pid = _pid(server)
    await server.stop()
    assert not runs(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_the_key_and_what_was_said_are_in_no_log_command_line_or_environment(
    server: BuiltinServer, log_file: Path
) -> None:
    await server.start()
    await ask(server, "My secret is zanzibar-4711.")
    key = server.api_key.encode()
    cmdline, environ = (_read(f"/proc/{server.pid}/{name}") for name in ("cmdline", "environ"))
    assert cmdline
    assert key not in cmdline + environ
    await server.stop()
    log = _read(log_file)
    assert b"model loaded" in log
    assert key not in log
    assert b"zanzibar" not in log
