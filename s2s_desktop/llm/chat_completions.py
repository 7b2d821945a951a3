"""The backend `chat-completions`: POST /chat/completions."""

from __future__ import annotations

from collections.abc import Sequence

from s2s_desktop.llm.backend import HttpBackend
from s2s_desktop.llm.config import BackendName, ToolSpec
from s2s_desktop.llm.history.serialize import chat_messages, chat_tools
from s2s_desktop.llm.http import request_fields as fields
from s2s_desktop.llm.http.endpoint import Endpoint
from s2s_desktop.llm.http.negotiation import OptionalField
from s2s_desktop.llm.items import AudioPart, Item, UserMessage
from s2s_desktop.llm.stream.chat_reader import ChatReader
from s2s_desktop.llm.stream.reader import ReplyReader
from s2s_desktop.llm.stream.reply_builder import ReplyBuilder


class ChatCompletionsBackend(HttpBackend):
    """Asks servers that speak Chat Completions, which most local and hosted servers do."""

    name: BackendName = "chat-completions"

    def _reader(self, builder: ReplyBuilder) -> ReplyReader:
        return ChatReader(builder)

    def _request(
        self, items: Sequence[Item], tools: Sequence[ToolSpec], endpoint: Endpoint
    ) -> tuple[dict[str, object], list[OptionalField]]:
        config = self.config
        with_audio = any(_has_audio(item) for item in items)
        limit = config.audio_max_tokens if with_audio else config.max_output_tokens
        effort = config.reasoning_effort
        body: dict[str, object] = {
            "model": config.model.strip(),
            "messages": chat_messages(items, config.audio_content_type),
            "stream": True if config.stream else None,
            "stream_options": {"include_usage": True} if config.stream else None,
            "max_tokens": limit,
            "temperature": config.audio_temperature if with_audio else config.temperature,
        }
        if tools:
            body |= {"tools": chat_tools(tools), "tool_choice": "auto"}
        if effort:
            body["reasoning_effort"] = effort
        elif config.disable_thinking:
            body |= {"reasoning_effort": "none"} if endpoint.is_openai else fields.NO_THINKING
        return body, [
            fields.effort_field("reasoning_effort", chosen=bool(effort)),
            fields.TEMPLATE,
            fields.STREAM_OPTIONS,
            fields.TOOL_CHOICE,
            fields.TOOLS,
            fields.MAX_TOKENS,
            fields.AUDIO_TEMPERATURE if with_audio else fields.TEMPERATURE,
            fields.STREAM,
        ]


def _has_audio(item: Item) -> bool:
    return isinstance(item, UserMessage) and any(isinstance(part, AudioPart) for part in item.parts)
