"""The child ends when the app ends, however it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from llm.builtin_kit import process_is_gone, runs
from s2s_desktop.llm.builtin.child import ChildConfig, child_command

pytestmark = pytest.mark.models

_ROOT = Path(__file__).parents[3]

_PARENT = """
import asyncio, sys
from pathlib import Path
from s2s_desktop.llm.builtin.server import BuiltinServer, ServerState

async def main():
    server = BuiltinServer(Path(sys.argv[1]), Path(sys.argv[2]))
    if sys.argv[3] == "ready":
        await server.start()
    else:
        asyncio.get_running_loop().create_task(server.start())
        while server.pid is None:
            await asyncio.sleep(0.01)
    print(server.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


@pytest.fixture
def child(model_file: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A child that this process started by hand and that serves."""
    config = ChildConfig(
        model_file=str(model_file),
        api_key="key",
        marker="marker",
        context_tokens=512,
        threads=1,
        load_limit_s=60.0,
        parent_pid=os.getpid(),
    )
    with subprocess.Popen(
        child_command(), cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(config.to_line())
        child.stdin.flush()
        report = next(line for line in child.stdout if line.startswith(b"marker"))
        assert json.loads(report.removeprefix(b"marker"))["url"].startswith("http://127.0.0.1:")
        yield child
        child.kill()


@pytest.mark.parametrize("moment", ["ready", "loading"])
def test_the_child_dies_with_a_parent_that_is_killed(model_file: Path, log_file: Path, moment: str) -> None:
    command = [sys.executable, "-c", _PARENT, str(model_file), str(log_file), moment]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert runs(child)
        parent.kill()
    assert process_is_gone(child, 5.0)


def test_the_child_ends_when_its_standard_input_ends(child: subprocess.Popen[bytes]) -> None:
    """The way that works on every system: here the parent goes on living."""
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(5.0) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_is_for_the_parent_and_terminate_ends_the_child(child: subprocess.Popen[bytes]) -> None:
    child.send_signal(signal.SIGINT)
    child.terminate()
    assert child.wait(5.0) == -signal.SIGTERM


def test_a_child_that_nobody_configures_ends_at_once() -> None:
    ended = subprocess.run(child_command(), cwd=_ROOT, stdin=subprocess.DEVNULL, timeout=30.0)
    assert ended.returncode == 2
