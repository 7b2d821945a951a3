"""From a profile to a backend that can be asked, on this computer or anywhere else."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from types import MappingProxyType

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.builtin.prompt_memory import PromptMemory
from s2s_desktop.llm.builtin.server import REQUEST_HEADERS, BuiltinServer
from s2s_desktop.llm.config import BackendConfig, Timeouts
from s2s_desktop.llm.events import ReplyFinished
from s2s_desktop.llm.http.negotiation import Quirks
from s2s_desktop.llm.items import Item
from s2s_desktop.llm.protocol import LLMBackend
from s2s_desktop.llm.registry import select_backend
from s2s_desktop.settings.schema import Profile

_log = logging.getLogger(__name__)

READ_AHEAD_LIMIT_S = 1.0
"""The model may be busy with something else. What it has not read by then it reads with the question."""


def backend_config(profile: Profile, api_key: str = "") -> BackendConfig:
    """Return the configuration that a profile describes."""
    return BackendConfig(
        base_url=profile.base_url,
        model=profile.model,
        api_key=api_key,
        stream=profile.stream,
        disable_thinking=profile.disable_thinking,
        reasoning_effort=profile.reasoning_effort,
        temperature=profile.temperature,
        max_output_tokens=profile.max_output_tokens,
        headers=MappingProxyType(dict(profile.headers)),
        query=MappingProxyType(dict(profile.query)),
        audio_content_type=profile.audio_content_type,
        audio_max_tokens=profile.audio_max_tokens,
        audio_temperature=profile.audio_temperature,
        timeouts=Timeouts(profile.connect_timeout_s, profile.first_token_timeout_s, profile.idle_timeout_s),
    )


class RemoteLanguageModel:
    """A model behind somebody's server."""

    def __init__(self, profile: Profile, config: BackendConfig, quirks: Quirks) -> None:
        if not config.model:
            raise AssistantError(
                ErrorKind.BAD_REQUEST,
                f"The profile “{profile.name}” names no model. Choose one with --model.",
            )
        self._backend = select_backend(profile.backend, config, quirks=quirks)

    async def backend(self) -> LLMBackend:
        """Return the backend for the next request."""
        return self._backend

    async def read_ahead(self, items: Sequence[Item]) -> None:
        """Do nothing: reading is paid for, and what was read may be forgotten before it is asked."""

    async def close(self) -> None:
        """Close the connections."""
        await self._backend.aclose()


class BuiltinLanguageModel:
    """The model in a llama.cpp child process; to everything behind it one more OpenAI-compatible endpoint."""

    def __init__(
        self, server: BuiltinServer, profile: Profile, extra_body: Mapping[str, object], quirks: Quirks
    ) -> None:
        self._server = server
        self._profile = profile
        self._extra_body = extra_body
        self._quirks = quirks
        self._backend: LLMBackend | None = None
        self._reader: LLMBackend | None = None
        """Asks for a single word, so that the model reads the rest."""

    async def backend(self) -> LLMBackend:
        """Return the backend for the next request, starting the server (again) where it is not running.

        Raises:
            AssistantError: The server cannot be started.
        """
        await self._server.ensure_running()
        # Port and key are new with every child.
        if self._backend is None or self._backend.config.api_key != self._server.api_key:
            await self._close_backends()
            profile = self._profile.model_copy(update={"base_url": self._server.base_url})
            config = replace(
                backend_config(profile, self._server.api_key),
                model=self._server.model,
                headers=REQUEST_HEADERS,
                extra_body=self._extra_body,
            )
            self._backend = select_backend(profile.backend, config, quirks=self._quirks)
            one_word = replace(config, max_output_tokens=1)
            self._reader = select_backend(profile.backend, one_word, quirks=self._quirks)
        return self._backend

    async def read_ahead(self, items: Sequence[Item]) -> None:
        """Let the server read, unless it is just being started again."""
        reader = self._reader
        if reader is not None and reader.config.api_key == self._server.api_key:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(READ_AHEAD_LIMIT_S):
                    await _read(reader, items)

    async def warm_up(self, items: Sequence[Item]) -> None:
        """Let the server read what every request begins with, so that the first question need not wait.

        What an earlier start made of it is taken from disk; then the request only wakes the model.
        A failure is only logged: the first question will say what is wrong.
        """
        await self.backend()
        assert self._reader is not None
        memory = PromptMemory(self._server, repr(list(items)))
        recalled = await memory.recall()
        if await _read(self._reader, items) and not recalled:
            await memory.remember()

    async def close(self) -> None:
        """Close the connections and end the server."""
        await self._close_backends()
        await self._server.stop()

    async def _close_backends(self) -> None:
        for backend in (self._backend, self._reader):
            if backend is not None:
                await backend.aclose()


async def _read(reader: LLMBackend, items: Sequence[Item]) -> bool:
    """Let a server read a conversation and return whether it did. Why not is only logged."""
    async with aclosing(reader.reply(items)) as events:
        async for event in events:
            if isinstance(event, ReplyFinished) and event.error is not None:
                _log.warning("the built-in language model could not read: %s", event.error.message)
                return False
    return True
