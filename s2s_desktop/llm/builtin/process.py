"""One child process of the built-in LLM and the thread that looks after it.

`asyncio.create_subprocess_exec` is no choice: the Qt event loop offers no subprocesses. The thread starts the
process itself and lives as long as it does, because on Linux the kernel ends the child when the thread that
started it ends (PR_SET_PDEATHSIG, prctl(2)).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import s2s_desktop
from s2s_desktop.llm.builtin.child import ChildConfig, child_command
from s2s_desktop.llm.builtin.log import ChildLog

_PACKAGE_ROOT = Path(s2s_desktop.__file__).parents[1]
"""Where `python -m` finds the package, installed or not."""

_LONGEST_LINE = 65_536


@dataclass(frozen=True, slots=True)
class StartReport:
    """How a start went.

    Attributes:
        url: Where the server listens, without `/v1`; "" when it does not.
        error: What the child or the system said about a failure.
        exit_code: How the process ended if it did not start; negative is a signal.
    """

    url: str = ""
    error: str = ""
    exit_code: int | None = None


class ChildProcess:
    """Starts `child_command` at once; made on the loop that shall hear of its end.

    Attributes:
        started: Settled once the server listens, or cannot.
        ended: Settled once the process is gone.
    """

    def __init__(self, config: ChildConfig, log: ChildLog, on_exit: Callable[[ChildProcess], None]) -> None:
        """Start the process.

        Args:
            config: Goes through the pipe, so that neither the command line nor the environment holds the key.
            log: Gets what the process prints.
            on_exit: Called on the loop when the process is gone.
        """
        self._config = config
        self._log = log
        self._on_exit = on_exit
        self._loop = asyncio.get_running_loop()
        self.started: asyncio.Future[StartReport] = self._loop.create_future()
        self.ended: asyncio.Future[None] = self._loop.create_future()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = False
        self._closed = False
        self._error = ""
        self._thread = threading.Thread(target=self._run, name="builtin-llm", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the process runs, as the system says this moment."""
        return self._process is not None and not self._closed and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The process id, once there is one."""
        return self._process.pid if self._process is not None else None

    @property
    def exit_code(self) -> int | None:
        """How the process ended; negative is a signal. None while it runs."""
        return self._process.returncode if self._process is not None else None

    def kill(self) -> None:
        """End the process at once, also one that is only about to start. It has no data to save."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    async def end(self, limit_s: float) -> bool:
        """Kill the process and wait until it and its thread are gone.

        Returns:
            False when the system has not ended the process after `limit_s` seconds.
        """
        self.kill()
        try:
            await asyncio.wait_for(asyncio.shield(self.ended), limit_s)
        except TimeoutError:
            return False
        self._thread.join()  # word of the end was its last act
        return True

    def _run(self) -> None:
        try:
            with self._start() as process:
                self._serve_pipes(process)
                self._closed = True
        except OSError as error:
            self._error = f"{type(error).__name__}: {error}"
        finally:
            self._post(self._settle_end)

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            child_command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=_PACKAGE_ROOT,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        with self._lock:
            self._process = process
            if self._killed:
                process.kill()
        return process

    def _serve_pipes(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError):  # it died at once; the exit code says so
            # Past the buffer of `stdin`, which would try again, and fail, when it is closed.
            os.write(process.stdin.fileno(), self._config.to_line())
        marker, key = self._config.marker.encode(), self._config.api_key.encode()
        while line := process.stdout.readline(_LONGEST_LINE):
            if line.startswith(marker):
                self._read_report(json.loads(line[len(marker) :]))
            else:
                self._log.write(line.replace(key, b"[key]"))

    def _read_report(self, message: dict[str, str]) -> None:
        """Pass success on. A failure waits for the end of the process, when the log is complete."""
        if "url" in message:
            self._post(self._settle_start, StartReport(url=message["url"]))
        else:
            self._error = message["error"]

    def _post(self, call: Callable[..., None], *args: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the app is gone, nobody waits
            self._loop.call_soon_threadsafe(call, *args)

    def _settle_start(self, report: StartReport) -> None:
        if not self.started.done():
            self.started.set_result(report)

    def _settle_end(self) -> None:
        self._settle_start(StartReport(error=self._error, exit_code=self.exit_code))
        if not self.ended.done():
            self.ended.set_result(None)
        self._on_exit(self)
