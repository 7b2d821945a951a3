"""What both backends share: everything but the request body and the way to read a reply."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import BackendConfig, BackendName, ToolSpec
from s2s_desktop.llm.events import LLMEvent, ReplyFinished
from s2s_desktop.llm.http.client import ProviderClient
from s2s_desktop.llm.http.endpoint import Endpoint
from s2s_desktop.llm.http.exchange import Exchange, Sleep
from s2s_desktop.llm.http.negotiation import OptionalField, Quirks, RequestDraft
from s2s_desktop.llm.items import Item
from s2s_desktop.llm.stream.reader import ReplyReader
from s2s_desktop.llm.stream.reply_builder import ReplyBuilder

if TYPE_CHECKING:
    import httpx2

_LOOP_SECONDS = 0.004
"""How long a flood of deltas may keep the loop before windows and other tasks get their turn."""


class HttpBackend(ABC):
    """A backend that speaks HTTP; `llm/protocol.py` says how it is used.

    Args:
        config: The endpoint and how to talk to it.
        http_client: Used instead of a client of our own, and not closed.
        quirks: What was learned about servers, shared by backends that should profit from it.
        sleep: Waits between attempts.
    """

    name: BackendName

    def __init__(
        self,
        config: BackendConfig,
        *,
        http_client: httpx2.AsyncClient | None = None,
        quirks: Quirks | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.config = config
        self._client = ProviderClient(config, self.name, http_client)
        self._quirks = quirks or Quirks()
        self._sleep = sleep

    async def prepare(self) -> None:
        """Import and set up what the first request needs, so that it is not slower than the others.

        Raises:
            AssistantError: The profile or the proxy cannot be used.
        """
        await self._client.prepare()

    async def reply(
        self, items: Sequence[Item], tools: Sequence[ToolSpec] = ()
    ) -> AsyncGenerator[LLMEvent, None]:
        """Stream the answer to a conversation; see `LLMBackend.reply`."""
        exchange = Exchange(
            self._client,
            lambda: self._draft(items, tools),
            self._reader,
            self._quirks,
            self.config.timeouts,
            self.config.max_retries,
            self._sleep,
        )
        loop = asyncio.get_running_loop()
        turn_began = loop.time()
        try:
            while not exchange.finished:
                if loop.time() - turn_began > _LOOP_SECONDS:
                    await asyncio.sleep(0)
                    turn_began = loop.time()
                for event in await exchange.advance():
                    if isinstance(event, ReplyFinished):
                        await exchange.drain()  # Readers leave at this event.
                    yield event
        finally:
            await exchange.aclose()

    async def aclose(self) -> None:
        """Close the HTTP client if this backend made it. Idempotent."""
        await self._client.aclose()

    @abstractmethod
    def _reader(self, builder: ReplyBuilder) -> ReplyReader:
        """Return a reader for one reply."""

    @abstractmethod
    def _request(
        self, items: Sequence[Item], tools: Sequence[ToolSpec], endpoint: Endpoint
    ) -> tuple[dict[str, object], list[OptionalField]]:
        """Return the request body and the fields of it that may be given up."""

    def _draft(self, items: Sequence[Item], tools: Sequence[ToolSpec]) -> RequestDraft:
        if not items:
            raise AssistantError(
                ErrorKind.BAD_REQUEST, "There is nothing to answer yet. Say or type something."
            )
        assert self._client.peer is not None
        body, optional = self._request(items, tools, self._client.peer.endpoint)
        extra = self.config.extra_body
        body = {key: value for key, value in {**body, **extra}.items() if value is not None}
        return RequestDraft(body, [field for field in optional if field.key not in extra])
