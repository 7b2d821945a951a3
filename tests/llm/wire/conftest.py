"""A provider to script and a way to ask it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Protocol

import pytest

from llm.fake_provider import FakeProvider
from llm.wire_kit import BACKENDS, QUICK
from s2s_desktop.llm.backend import HttpBackend
from s2s_desktop.llm.config import BackendConfig


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with FakeProvider() as provider:
        yield provider


@pytest.fixture(params=["responses-api", "chat-completions"])
def backend_name(request: pytest.FixtureRequest) -> str:
    """Run the test with both backends."""
    return str(request.param)


class Naps:
    """Takes the place of sleeping between attempts and notes how long each pause would be."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def naps() -> Naps:
    return Naps()


class MakeBackend(Protocol):
    def __call__(self, name: str, base_url: str | None = None, **options: Any) -> HttpBackend: ...


@pytest.fixture
async def make_backend(provider: FakeProvider, naps: Naps) -> AsyncIterator[MakeBackend]:
    """Make backends that are closed after the test; `http_client`, `quirks` and `sleep` are their own."""
    made: list[HttpBackend] = []

    def make(name: str, base_url: str | None = None, **options: Any) -> HttpBackend:
        own = {key: options.pop(key) for key in ("http_client", "quirks", "sleep") if key in options}
        url = provider.base_url if base_url is None else base_url
        config = BackendConfig(**{"base_url": url, "model": "demo", "timeouts": QUICK, **options})
        backend = BACKENDS[name](config, **{"sleep": naps, **own})
        made.append(backend)
        return backend

    yield make
    for backend in made:
        await backend.aclose()
