"""A provider on loopback and a backend that asks it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from llm.fake_provider import FakeProvider
from s2s_desktop.llm.backend import HttpBackend
from s2s_desktop.llm.config import BackendConfig, Timeouts
from s2s_desktop.llm.registry import select_backend


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with FakeProvider() as provider:
        yield provider


@pytest.fixture
def config(provider: FakeProvider) -> BackendConfig:
    timeouts = Timeouts(connect=5.0, first_token=5.0, idle=5.0)
    return BackendConfig(base_url=provider.base_url, model="m", timeouts=timeouts, max_retries=0)


@pytest_asyncio.fixture
async def backend(config: BackendConfig) -> AsyncIterator[HttpBackend]:
    backend = select_backend("chat-completions", config)
    yield backend
    await backend.aclose()
