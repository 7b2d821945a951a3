"""From a profile to a backend that can be asked, on this computer or anywhere else."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
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

    async def backend(self) -> LLMBackend:
        """Return the backend for the next request, starting the server (again) where it is not running.

        Raises:
            AssistantError: The server cannot be started.
        """
        await self._server.ensure_running()
        # Port and key are new with every child.
        if self._backend is None or self._backend.config.api_key != self._server.api_key:
            if self._backend is not None:
                await self._backend.aclose()
            profile = self._profile.model_copy(update={"base_url": self._server.base_url})
            config = replace(
                backend_config(profile, self._server.api_key),
                model=self._server.model,
                headers=REQUEST_HEADERS,
                extra_body=self._extra_body,
            )
            self._backend = select_backend(profile.backend, config, quirks=self._quirks)
        return self._backend

    async def warm_up(self, items: Sequence[Item]) -> None:
        """Let the server read what every request begins with, so that the first question need not wait.

        What an earlier start made of it is taken from disk; then the request only wakes the model.
        A failure is only logged: the first question will say what is wrong.
        """
        backend = await self.backend()
        memory = PromptMemory(self._server, repr(list(items)))
        recalled = await memory.recall()
        once = select_backend(backend.name, replace(backend.config, max_output_tokens=1), quirks=self._quirks)
        try:
            async for event in once.reply(items):
                if isinstance(event, ReplyFinished) and event.error is not None:
                    _log.warning("the warm-up failed: %s", event.error.message)
                    return
        finally:
            await once.aclose()
        if not recalled:
            await memory.remember()

    async def close(self) -> None:
        """Close the connections and end the server."""
        if self._backend is not None:
            await self._backend.aclose()
        await self._server.stop()
