"""A real llama.cpp server with the trial model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio

from s2s_desktop.llm.builtin.server import REQUEST_HEADERS, BuiltinServer, ServerState


class StateWatch:
    """Keeps the states that a server reports, in order."""

    def __init__(self) -> None:
        self.seen: list[ServerState] = []
        self._changed = asyncio.Event()

    def note(self, state: ServerState) -> None:
        self.seen.append(state)
        self._changed.set()

    async def wait_for(self, state: ServerState, *, times: int = 1) -> None:
        """Wait until `state` was reported `times` times."""
        async with asyncio.timeout(60.0):
            while self.seen.count(state) < times:
                self._changed.clear()
                await self._changed.wait()


@pytest.fixture(scope="session")
def model_file(models_dir: Path) -> Path:
    return models_dir / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    return tmp_path / "logs" / "builtin-llm.log"


@pytest.fixture
def states() -> StateWatch:
    """What `server` reported."""
    return StateWatch()


@pytest_asyncio.fixture
async def server(model_file: Path, log_file: Path, states: StateWatch) -> AsyncIterator[BuiltinServer]:
    """A server of the test's own; not started."""
    server = BuiltinServer(model_file, log_file, on_state=states.note)
    yield server
    await server.stop()


@pytest.fixture(scope="module")
def shared_server(model_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BuiltinServer]:
    """A running server for the requests of one module, whose tests are not async."""
    server = BuiltinServer(model_file, tmp_path_factory.mktemp("logs") / "builtin-llm.log")
    with asyncio.Runner() as runner:
        runner.run(server.start())
        yield server
        runner.run(server.stop())


@pytest.fixture
def client(shared_server: BuiltinServer) -> Iterator[httpx2.Client]:
    """A client that holds the key of `shared_server`."""
    headers = {"Authorization": f"Bearer {shared_server.api_key}", **REQUEST_HEADERS}
    with httpx2.Client(
        base_url=shared_server.base_url, headers=headers, timeout=100.0, trust_env=False
    ) as client:
        yield client
