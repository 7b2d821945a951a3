"""The built-in LLM as one more OpenAI-compatible endpoint: started, watched and restarted by the app."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.builtin import errors as builtin_errors
from s2s_desktop.llm.builtin.child import ChildConfig
from s2s_desktop.llm.builtin.health import answers, obeys
from s2s_desktop.llm.builtin.log import ChildLog
from s2s_desktop.llm.builtin.process import ChildProcess

_log = logging.getLogger(__name__)

START_LIMIT_S = 120.0
"""A model of several gigabytes on a slow disk loads in this time."""

RESTART_DELAYS_S = (0.0, 1.0, 5.0)
"""Pauses before the restarts when crashes follow each other; one more crash and it stays down."""

CRASH_MEMORY_S = 60.0
"""Crashes longer ago than this do not count."""

REQUEST_HEADERS: Mapping[str, str] = MappingProxyType({"Connection": "close"})
"""Goes with every request. llama.cpp closes the connection after a stream without having said so; a request
that follows at once, such as the answer to a tool call, would be lost on it."""

_STOP_LIMIT_S = 5.0


class ServerState(StrEnum):
    """Where the server is in its life."""

    STOPPED = "stopped"
    STARTING = "starting"
    READY = "ready"
    CRASHED = "crashed"


class BuiltinServer:
    """llama.cpp in a child process of the app.

    Loopback only; port and key are new with every process, so what runs on an old port later sees nothing.
    Read `base_url` and `api_key` after each `ensure_running`. All methods belong to one event loop.
    """

    def __init__(
        self,
        model_file: Path,
        log_file: Path,
        *,
        context_tokens: int = 4096,
        threads: int = 0,
        prompt_folder: Path | None = None,
        on_state: Callable[[ServerState], None] | None = None,
    ) -> None:
        """Remember what to run; `start` runs it.

        Args:
            model_file: A GGUF file.
            log_file: Where the output of llama.cpp goes.
            context_tokens: Room for prompt and reply together.
            threads: Threads for the model; 0 takes the physical cores.
            prompt_folder: Where `PromptMemory` keeps its file; None keeps none.
            on_state: Called on the loop with each new state.
        """
        self.model_file = model_file.absolute()
        self.state = ServerState.STOPPED
        self._context_tokens = context_tokens
        self._threads = threads
        self.prompt_folder = prompt_folder
        self._on_state = on_state
        self.log_file = log_file
        self._child_log = ChildLog(log_file)
        self._lock = asyncio.Lock()
        self._child: ChildProcess | None = None
        self._stops = 0
        self._url = ""
        self._api_key = ""
        self._crashes: deque[tuple[float, int | None]] = deque(maxlen=len(RESTART_DELAYS_S) + 1)
        self._restart: asyncio.Task[None] | None = None

    @property
    def base_url(self) -> str:
        """The base URL for both backends, ending in `/v1`; "" while no server runs."""
        return f"{self._url}/v1" if self._url else ""

    @property
    def api_key(self) -> str:
        """The key of the running server; "" while none runs."""
        return self._api_key

    @property
    def model(self) -> str:
        """The model's name in requests."""
        return self.model_file.stem

    @property
    def pid(self) -> int | None:
        """The process id of the child, None while none runs."""
        return self._child.pid if self._child is not None else None

    async def start(self) -> None:
        """Load the model and wait until the server answers. Does nothing when it runs.

        Forgets earlier crashes: somebody asked for a new attempt.

        Raises:
            AssistantError: MODEL_MISSING or INTERNAL; the server cannot run.
        """
        stops = self._stops
        async with self._lock:
            if not self._is_ready():
                self._crashes.clear()
                await self._launch(stops)

    async def ensure_running(self) -> None:
        """Make sure that the server answers; to be called before each request.

        Costs a millisecond when it does; starts it again when it died or hangs.

        Raises:
            AssistantError: MODEL_MISSING or INTERNAL; the server cannot run, or it has crashed too often
                within a minute.
        """
        stops = self._stops
        silent = None
        if self._is_ready():
            silent = self._child
            if await answers(self._url, self._api_key):
                return
        async with self._lock:
            if self._is_ready() and self._child is not silent:
                return  # another request has started it again
            if self._child is not None:
                await self._end(self._child)
                self._note_crash()
            if self._crashes_too_often():
                raise builtin_errors.keeps_crashing(
                    self.model_file, self._crashes[-1][1], self._child_log.tail
                )
            await self._launch(stops)

    async def slot(self, action: str, file_name: str) -> bool:
        """Let the running server `save` what the model has read, or `restore` it; return whether it did.

        Args:
            action: One of the two.
            file_name: In the prompt folder.
        """
        route = f"/slots/0?action={action}"
        return await obeys(self._url, self._api_key, route, {"filename": file_name})

    async def stop(self) -> None:
        """End the process and wait until it is gone. Also ends a start that is under way. Idempotent."""
        self._stops += 1
        await self._cancel_restart()
        if self._child is not None:
            self._child.kill()
        async with self._lock:
            child, self._child = self._child, None
            if child is not None:
                await self._end(child)
            self._url = self._api_key = ""
            self._set_state(ServerState.STOPPED)

    def _is_ready(self) -> bool:
        return self.state is ServerState.READY and self._child is not None and self._child.alive

    async def _launch(self, stops: int) -> None:
        """Start one child and wait for it; the caller holds the lock and counted `stops` before it waited."""
        if self._stops != stops:
            raise builtin_errors.stopped_while_starting()
        builtin_errors.check_model_file(self.model_file)
        config = self._make_config()
        self._set_state(ServerState.STARTING)
        self._child_log.begin(f"starting {config}")
        self._child = child = ChildProcess(config, self._child_log, self._on_exit)
        try:
            report = await asyncio.wait_for(asyncio.shield(child.started), START_LIMIT_S)
        except TimeoutError:
            tail = self._child_log.tail
            raise builtin_errors.start_took_too_long(self.model_file, START_LIMIT_S, tail) from None
        else:
            if self._stops != stops:
                raise builtin_errors.stopped_while_starting()
            if not (report.url and await answers(report.url, config.api_key)):
                raise builtin_errors.explain_failed_start(
                    self.model_file, report.error, report.exit_code, self._child_log.tail
                )
            self._url, self._api_key = report.url, config.api_key
            self._set_state(ServerState.READY)
            if not child.alive:
                self._note_crash()
        finally:
            if self.state is ServerState.STARTING:
                self._child = None
                await self._end(child)
                self._set_state(ServerState.CRASHED if self._stops == stops else ServerState.STOPPED)

    async def _end(self, child: ChildProcess) -> None:
        if not await child.end(_STOP_LIMIT_S):
            _log.warning("the built-in language model (process %s) does not end", child.pid)

    def _make_config(self) -> ChildConfig:
        return ChildConfig(
            model_file=str(self.model_file),
            api_key=secrets.token_urlsafe(32),
            marker=secrets.token_hex(16),
            context_tokens=self._context_tokens,
            threads=self._threads,
            load_limit_s=START_LIMIT_S,
            parent_pid=os.getpid(),
            prompt_folder="" if self.prompt_folder is None else os.path.join(self.prompt_folder, ""),
        )

    def _on_exit(self, child: ChildProcess) -> None:
        if child is self._child:
            self._note_crash()

    def _note_crash(self) -> None:
        """Restart a server that died on its own, unless it does so again and again."""
        if self._child is None or self.state is not ServerState.READY:
            return
        exit_code, self._child = self._child.exit_code, None
        _log.warning("the built-in language model ended with code %s", exit_code)
        self._url = self._api_key = ""
        self._crashes.append((asyncio.get_running_loop().time(), exit_code))
        self._set_state(ServerState.CRASHED)
        if self._crashes_too_often():
            _log.error("the built-in language model keeps stopping; see %s", self.log_file)
            return
        if self._restart is None or self._restart.done():
            delay = RESTART_DELAYS_S[len(self._crashes) - 1]
            self._restart = asyncio.get_running_loop().create_task(
                self._restart_after(delay), name="restart-builtin-llm"
            )

    def _crashes_too_often(self) -> bool:
        now = asyncio.get_running_loop().time()
        while self._crashes and now - self._crashes[0][0] > CRASH_MEMORY_S:
            self._crashes.popleft()
        return len(self._crashes) > len(RESTART_DELAYS_S)

    async def _restart_after(self, delay: float) -> None:
        await asyncio.sleep(delay)
        try:
            await self.ensure_running()
        except AssistantError as error:
            _log.error("the built-in language model did not come back: %s\n%s", error.message, error.details)

    async def _cancel_restart(self) -> None:
        restart, self._restart = self._restart, None
        if restart is not None:
            restart.cancel()
            await asyncio.gather(restart, return_exceptions=True)

    def _set_state(self, state: ServerState) -> None:
        if state is self.state:
            return
        self.state = state
        if state in (ServerState.STOPPED, ServerState.CRASHED):
            self._child_log.close()
        if self._on_state is not None:
            self._on_state(state)
