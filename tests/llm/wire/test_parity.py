"""The same reply gives the same events with both backends."""

from __future__ import annotations

import json

import pytest

from llm.fake_provider import FakeProvider, Reply
from llm.streams import (
    DONE,
    call_item,
    chat_delta,
    chat_reply,
    chat_text,
    chat_tool,
    message_item,
    response_call,
    response_end,
    response_event,
    response_message,
    response_reply,
    sse,
)
from llm.wire_kit import collect
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.events import (
    AssistantMessage,
    FinishReason,
    LLMEvent,
    ReasoningDelta,
    ReplyFinished,
    TextDelta,
    ToolCall,
    Usage,
)

ZONE = '{"zone": "UTC"}'
CITY = '{"city": "Oslo"}'


def usage_chunk(read: int, written: int) -> bytes:
    return sse({"choices": [], "usage": {"prompt_tokens": read, "completion_tokens": written}})


def truncated() -> AssistantError:
    return AssistantError(
        ErrorKind.TRUNCATED, "The connection ended early, so the reply is not complete. Ask again."
    )


def json_body(value: object) -> bytes:
    return json.dumps(value).encode()


CASES: dict[str, tuple[bytes, bytes, list[LLMEvent]]] = {
    "text": (
        chat_reply("Hello", " there.", usage=(31, 3)),
        response_reply("Hello", " there.", usage=(31, 3)),
        [
            TextDelta("Hello"),
            TextDelta(" there."),
            AssistantMessage("Hello there."),
            Usage(31, 3),
            ReplyFinished(FinishReason.STOP),
        ],
    ),
    "refusal": (
        chat_delta({"refusal": "I can't"}) + chat_delta({"refusal": " help."}, finish="stop") + DONE,
        response_message("I can't", " help.", kind="refusal")
        + response_end(message_item("I can't help.", kind="refusal")),
        [
            TextDelta("I can't"),
            TextDelta(" help."),
            AssistantMessage("I can't help."),
            ReplyFinished(FinishReason.STOP),
        ],
    ),
    "text, two parallel calls": (
        chat_text("Let me look.")
        + chat_tool("time", ZONE[:5], index=0, call_id="call_1")
        + chat_tool("weather", CITY[:3], index=1, call_id="call_2")
        + chat_tool(arguments=ZONE[5:], index=0)
        + chat_tool(arguments=CITY[3:], index=1)
        + chat_delta({}, finish="tool_calls")
        + usage_chunk(9, 8)
        + DONE,
        response_message("Let me look.")
        + response_call("time", ZONE[:5], ZONE[5:])
        + response_call("weather", CITY[:3], CITY[3:], index=2, call_id="call_2", item_id="fc_2")
        + response_end(call_item("time", ZONE), usage=(9, 8)),
        [
            TextDelta("Let me look."),
            AssistantMessage("Let me look."),
            ToolCall("call_1", "time", ZONE),
            ToolCall("call_2", "weather", CITY),
            Usage(9, 8),
            ReplyFinished(FinishReason.TOOL_CALLS),
        ],
    ),
    "text, call, text": (
        chat_text("One moment.")
        + chat_tool("time", ZONE, call_id="call_1")
        + chat_text(" Still here.")
        + chat_delta({}, finish="stop")
        + DONE,
        response_message("One moment.")
        + response_call("time", ZONE)
        + response_message(" Still here.", index=2, item_id="msg_2")
        + response_end(),
        [
            TextDelta("One moment."),
            AssistantMessage("One moment."),
            ToolCall("call_1", "time", ZONE),
            TextDelta(" Still here."),
            AssistantMessage(" Still here."),
            ReplyFinished(FinishReason.TOOL_CALLS),
        ],
    ),
    "a call without arguments": (
        chat_tool("stop", index=0, call_id="call_1") + chat_delta({}, finish="tool_calls") + DONE,
        response_call("stop") + response_end(),
        [ToolCall("call_1", "stop", "{}"), ReplyFinished(FinishReason.TOOL_CALLS)],
    ),
    "thoughts in their own field": (
        chat_delta({"reasoning_content": "Hm."}) + chat_reply("Yes."),
        response_event("reasoning_summary_text.delta", delta="Hm.") + response_reply("Yes."),
        [
            ReasoningDelta("Hm."),
            TextDelta("Yes."),
            AssistantMessage("Yes."),
            ReplyFinished(FinishReason.STOP),
        ],
    ),
    "thoughts between tags": (
        chat_reply("<th", "ink>Hm.</think>", "\n\nYes."),
        response_reply("<th", "ink>Hm.</think>", "\n\nYes."),
        [
            ReasoningDelta("Hm."),
            TextDelta("Yes."),
            AssistantMessage("Yes."),
            ReplyFinished(FinishReason.STOP),
        ],
    ),
    "an emoji cut in halves": (
        rb'data: {"choices":[{"delta":{"content":"Hi \ud83d"}}]}' + b"\n\n"
        rb'data: {"choices":[{"delta":{"content":"\ude42!"},"finish_reason":"stop"}]}' + b"\n\n" + DONE,
        rb'data: {"type":"response.output_text.delta","item_id":"a","delta":"Hi \ud83d"}' + b"\n\n"
        rb'data: {"type":"response.output_text.delta","item_id":"a","delta":"\ude42!"}'
        + b"\n\n"
        + response_end(),
        [
            TextDelta("Hi "),
            TextDelta("\U0001f642!"),
            AssistantMessage("Hi \U0001f642!"),
            ReplyFinished(FinishReason.STOP),
        ],
    ),
    "length limit": (
        chat_text("Turn left") + chat_delta({}, finish="length") + DONE,
        response_message("Turn left")
        + response_end(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
        [
            TextDelta("Turn left"),
            AssistantMessage("Turn left"),
            ReplyFinished(FinishReason.LENGTH, notice="The reply was cut by the length limit."),
        ],
    ),
    "length limit inside a call": (
        chat_text("Look.") + chat_tool("time", '{"zo', call_id="c") + chat_delta({}, finish="length") + DONE,
        response_message("Look.")
        + response_event("output_item.added", output_index=1, item=call_item("time", ""))
        + response_event("function_call_arguments.delta", item_id="fc_1", output_index=1, delta='{"zo')
        + response_end(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
        [
            TextDelta("Look."),
            AssistantMessage("Look."),
            ReplyFinished(FinishReason.LENGTH, notice="The reply was cut by the length limit."),
        ],
    ),
    "content filter after text": (
        chat_text("It is") + chat_delta({}, finish="content_filter") + DONE,
        response_event("output_text.delta", item_id="a", delta="It is")
        + response_end(status="incomplete", incomplete_details={"reason": "content_filter"}),
        [
            TextDelta("It is"),
            ReplyFinished(
                FinishReason.CONTENT_FILTER,
                AssistantError(
                    ErrorKind.CONTENT_FILTER,
                    "The provider withheld the reply because of its content rules. Try other words.",
                ),
            ),
        ],
    ),
    "dropped in the middle": (
        chat_text("It is"),
        response_event("output_text.delta", item_id="a", delta="It is"),
        [TextDelta("It is"), ReplyFinished(FinishReason.TRUNCATED, truncated())],
    ),
    "empty": (
        chat_reply(),
        response_reply(),
        [
            ReplyFinished(
                FinishReason.ERROR,
                AssistantError(ErrorKind.EMPTY, "The answer was empty. Ask again, or choose another model."),
            )
        ],
    ),
    "a whole document": (
        json_body(
            {
                "choices": [
                    {
                        "index": 0,
                        "message": {
                            "role": "assistant",
                            "content": "<think>Hm.</think>Yes.",
                            "tool_calls": [
                                {
                                    "id": "call_1",
                                    "type": "function",
                                    "function": {"name": "time", "arguments": ZONE},
                                }
                            ],
                        },
                        "finish_reason": "tool_calls",
                    }
                ],
                "usage": {"prompt_tokens": 5, "completion_tokens": 6},
            }
        ),
        json_body(
            {
                "id": "resp_1",
                "object": "response",
                "status": "completed",
                "error": None,
                "output": [
                    {"type": "reasoning", "id": "rs_1", "summary": []},
                    message_item("<think>Hm.</think>Yes."),
                    call_item("time", ZONE),
                ],
                "usage": {"input_tokens": 5, "output_tokens": 6},
            }
        ),
        [
            ReasoningDelta("Hm."),
            TextDelta("Yes."),
            AssistantMessage("Yes."),
            ToolCall("call_1", "time", ZONE),
            Usage(5, 6),
            ReplyFinished(FinishReason.TOOL_CALLS),
        ],
    ),
}


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
@pytest.mark.parametrize("name", CASES)
async def test_both_backends_deliver_the_same_events(
    make_backend, provider: FakeProvider, name: str, stream: bool
) -> None:
    chat, responses, expected = CASES[name]
    content_type = "application/json" if chat.startswith(b"{") else "text/event-stream"

    for backend, body in (("chat-completions", chat), ("responses-api", responses)):
        provider.script(Reply(body, content_type=content_type))
        assert await collect(make_backend(backend, stream=stream)) == expected, backend


async def test_a_failure_reported_in_the_stream_is_the_same_too(make_backend, provider: FakeProvider) -> None:
    chat = chat_text("The tallest") + sse({"error": {"code": 502, "message": "worker went away"}}) + DONE
    responses = response_event("output_text.delta", item_id="a", delta="The tallest") + response_event(
        "failed", response={"status": "failed", "error": {"code": "502", "message": "worker went away"}}
    )
    events = []
    for backend, body in (("chat-completions", chat), ("responses-api", responses)):
        provider.script(Reply(body))
        events.append(await collect(make_backend(backend)))

    assert events[0] == events[1]
    assert events[0][0] == TextDelta("The tallest")
    assert isinstance(events[0][1], ReplyFinished)
    assert events[0][1].error is not None
    assert "worker went away" in events[0][1].error.message
    assert len(provider.requests) == 2, "a reply that has begun is not asked for again"
