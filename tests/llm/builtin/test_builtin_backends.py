"""To the rest of the app the built-in LLM is one more endpoint: both backends of the app talk to it."""

from __future__ import annotations

import pytest

from s2s_desktop.llm.builtin.server import REQUEST_HEADERS, BuiltinServer
from s2s_desktop.llm.config import BACKENDS, BackendConfig, BackendName, ToolSpec
from s2s_desktop.llm.events import FinishReason, LLMEvent, ReplyFinished, TextDelta, ToolCall, Usage
from s2s_desktop.llm.items import AssistantText, Item, SystemMessage, ToolOutput, UserMessage
from s2s_desktop.llm.registry import select_backend

pytestmark = pytest.mark.models

_CONVERSATION: list[Item] = [
    SystemMessage("You are a helpful assistant."),
    UserMessage.of("What time is it in Rome?"),
    ToolCall("call_1", "get_time", '{"city": "Rome"}'),
    ToolOutput("call_1", "12:00"),
    AssistantText("It is 12:00 in Rome."),
    UserMessage.of("What time is it in Paris?"),
]
_TOOL = ToolSpec(
    "get_time",
    "Current time in a city",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)


_WAYS = [(name, stream) for name in BACKENDS for stream in (True, False)]


async def _reply(
    server: BuiltinServer, name: BackendName, *, stream: bool, tools: list[ToolSpec], max_tokens: int
) -> list[LLMEvent]:
    await server.ensure_running()
    config = BackendConfig(
        base_url=server.base_url,
        model=server.model,
        api_key=server.api_key,
        headers=REQUEST_HEADERS,
        stream=stream,
        temperature=0.0,
        max_output_tokens=max_tokens,
        max_retries=0,
    )
    backend = select_backend(name, config)
    try:
        return [event async for event in backend.reply(_CONVERSATION, tools)]
    finally:
        await backend.aclose()


async def test_both_backends_get_answers(server: BuiltinServer) -> None:
    for name, stream in _WAYS:
        events = await _reply(server, name, stream=stream, tools=[], max_tokens=8)
        assert "".join(event.text for event in events if isinstance(event, TextDelta)).strip()
        usage = [event for event in events if isinstance(event, Usage)]
        assert usage[0].input_tokens > 30
        assert usage[0].output_tokens > 1
        finished = events[-1]
        assert isinstance(finished, ReplyFinished)
        assert finished.error is None


async def test_both_backends_get_tool_calls(server: BuiltinServer) -> None:
    for name, stream in _WAYS:
        events = await _reply(server, name, stream=stream, tools=[_TOOL], max_tokens=40)
        calls = [event for event in events if isinstance(event, ToolCall)]
        assert [(call.name, call.arguments) for call in calls] == [("get_time", '{"city": "Paris"}')]
        assert events[-1] == ReplyFinished(FinishReason.TOOL_CALLS)
