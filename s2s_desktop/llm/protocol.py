"""The interface behind which both backends live."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from s2s_desktop.llm.config import BackendConfig, BackendName, ToolSpec
from s2s_desktop.llm.events import LLMEvent
from s2s_desktop.llm.items import Item


class LLMBackend(Protocol):
    """A way to ask a language model."""

    name: BackendName
    config: BackendConfig

    def reply(self, items: Sequence[Item], tools: Sequence[ToolSpec] = ()) -> AsyncGenerator[LLMEvent, None]:
        """Stream the answer to a conversation.

        Args:
            items: The whole conversation, system message first.
            tools: Tools the model may call; empty offers none.

        Yields:
            Events as `llm/events.py` describes; the last is `ReplyFinished`, also when the request failed:
            failures are events, not exceptions. Closing the generator (or cancelling the task that reads it)
            closes the connection at once.
        """

    async def aclose(self) -> None:
        """Close the HTTP client if this backend made it. Idempotent."""
