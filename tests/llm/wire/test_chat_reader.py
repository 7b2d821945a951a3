"""What chat completion streams hold beside the ordinary."""

from __future__ import annotations

import json

import pytest

from llm.streams import DONE, chat_delta, chat_reply, chat_text, chat_tool, sse
from llm.wire_kit import end_of, error_of, read_stream, text_of
from s2s_desktop.errors import ErrorKind
from s2s_desktop.llm.events import (
    AssistantMessage,
    FinishReason,
    LLMEvent,
    ReasoningDelta,
    ToolCall,
    Usage,
)
from s2s_desktop.llm.stream.reader import ReportedFailure
from s2s_desktop.llm.stream.reply_body import UnreadableReply

ZONE = '{"zone": "UTC"}'
CITY = '{"city": "Oslo"}'
TOOLS_END = chat_delta({}, finish="tool_calls") + DONE


def read(body: bytes) -> list[LLMEvent]:
    return read_stream("chat-completions", body)


def calls(body: bytes) -> list[tuple[str, str]]:
    return [(event.name, event.arguments) for event in read(body) if isinstance(event, ToolCall)]


@pytest.mark.parametrize(
    "chunk",
    [
        sse({"choices": None}),
        sse({"choices": [None]}),
        sse({"choices": [{}]}),
        sse({"choices": [{"index": None, "delta": None, "finish_reason": None}]}),
        sse({"choices": [{"delta": {"content": None, "tool_calls": None, "refusal": None}}]}),
        sse({"choices": [{"delta": {"tool_calls": [None, {}, {"function": None}]}}]}),
        sse({"choices": [{"delta": {"content": 7}, "finish_reason": 7}]}),
        sse({"choices": [{"delta": []}]}),
        sse({"usage": None, "id": None}),
        sse({"usage": {"prompt_tokens": None, "completion_tokens": "many"}}),
        sse({"usage": {"prompt_tokens": -1}}),
        sse({"error": None, "choices": []}),
        sse({"choices": [{"index": 1, "delta": {"content": "another choice"}}]}),
        sse({"type": "ping"}, "ping"),
        b"data: null\n\ndata: 17\n\ndata: true\n\ndata: []\n\n",
        b"data: : KEEP ALIVE\n\n",
    ],
)
def test_nothing_odd_in_a_chunk_stops_a_reply(chunk: bytes) -> None:
    events = read(chat_text("Hello") + chunk + chat_text(" there.") + chat_delta({}, finish="stop") + DONE)

    assert text_of(events) == "Hello there."
    assert end_of(events).error is None


def test_records_that_no_blank_line_parts_are_read_one_by_one() -> None:
    body = (chat_text("Hel") + chat_text("lo")).replace(b"\n\n", b"\n") + b"data: [DONE]\n"

    assert text_of(read(body)) == "Hello"


def test_text_as_a_list_of_parts_with_thoughts() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
        {"type": "text", "text": "Yes"},
        {"type": "text", "text": "."},
    ]
    events = read(chat_delta({"content": parts}, finish="stop") + DONE)

    assert ReasoningDelta("Hm.") in events
    assert AssistantMessage("Yes.") in events


def test_a_message_instead_of_deltas_counts_once() -> None:
    message = {"role": "assistant", "content": "Hello"}
    whole = sse({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})

    assert text_of(read(whole + DONE)) == "Hello"
    assert text_of(read(chat_text("Hello") + whole + DONE)) == "Hello"


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning", "thinking"])
def test_thoughts_never_become_text(key: str) -> None:
    events = read(chat_delta({key: "Hm.", "content": ""}) + chat_reply("Yes."))

    assert text_of(events) == "Yes."
    assert ReasoningDelta("Hm.") in events


def test_usage_in_every_chunk_counts_once() -> None:
    chunks = [
        chat_delta({"content": text}, usage={"prompt_tokens": 3, "completion_tokens": count})
        for count, text in enumerate("abc", start=1)
    ]
    events = read(b"".join(chunks) + chat_delta({}, finish="stop") + DONE)

    assert [event for event in events if isinstance(event, Usage)] == [Usage(3, 3)]


def test_usage_of_zero_is_usage() -> None:
    events = read(chat_reply("Hi", usage=(0, 0)))

    assert Usage(0, 0) in events


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            chat_tool("time", ZONE, index=0) + chat_tool("weather", CITY, index=0),
            [("time", ZONE), ("weather", CITY)],
            id="one index, no ids, two names",
        ),
        pytest.param(
            chat_tool("time", ZONE, index=0) + chat_tool("time", CITY, index=0),
            [("time", ZONE), ("time", CITY)],
            id="one index, no ids, one name twice",
        ),
        pytest.param(
            chat_tool("time", ZONE, index=None, call_id="a")
            + chat_tool("time", CITY, index=None, call_id="b"),
            [("time", ZONE), ("time", CITY)],
            id="no index, two ids",
        ),
        pytest.param(
            chat_tool("a", "", index=0, call_id="1") + chat_tool("b", "", index=0, call_id="2"),
            [("a", "{}"), ("b", "{}")],
            id="one index, no arguments",
        ),
        pytest.param(
            chat_tool("time", ZONE[:4], call_id="a") + chat_tool("time", ZONE[4:], call_id="a"),
            [("time", ZONE)],
            id="the name again with every piece",
        ),
        pytest.param(
            chat_tool("time", ZONE[:4], call_id="a") + chat_tool("time", ZONE[4:], call_id="b"),
            [("time", ZONE)],
            id="another id with every piece",
        ),
        pytest.param(
            chat_tool("time", "", call_id="a") + b"".join(chat_tool(arguments=c) for c in ZONE),
            [("time", ZONE)],
            id="letter by letter",
        ),
        pytest.param(
            chat_tool("time", ZONE, call_id="a") + chat_tool("time", ZONE, call_id="a"),
            [("time", ZONE)],
            id="the whole call twice",
        ),
        pytest.param(
            chat_tool("time", {"zone": "UTC"}, call_id="a"), [("time", ZONE)], id="arguments as an object"
        ),
        pytest.param(chat_tool("time", None, call_id="a"), [("time", "{}")], id="arguments null"),
        pytest.param(
            chat_tool("time", '{"zo', call_id="a"), [("time", '{"zo')], id="arguments the model broke off"
        ),
        pytest.param(
            chat_tool("", ZONE, index=0, call_id="a") + chat_tool("weather", CITY, index=1, call_id="b"),
            [("weather", CITY)],
            id="a call without a name",
        ),
        pytest.param(
            chat_delta({"function_call": {"name": "time", "arguments": ZONE[:6]}})
            + chat_delta({"function_call": {"arguments": ZONE[6:]}}),
            [("time", ZONE)],
            id="the old form",
        ),
    ],
)
def test_tool_calls_in_pieces(body: bytes, expected: list[tuple[str, str]]) -> None:
    assert calls(body + TOOLS_END) == expected


def test_calls_get_ids_where_the_server_sends_none_or_one_twice() -> None:
    body = (
        chat_tool("a", index=0) + chat_tool("b", index=1, call_id="x") + chat_tool("c", index=2, call_id="x")
    )
    ids = [event.call_id for event in read(body + TOOLS_END) if isinstance(event, ToolCall)]

    assert len(set(ids)) == 3
    assert all(ids)


def test_white_space_between_the_pieces_of_a_call_does_not_cut_it() -> None:
    begin = chat_tool("time", call_id="a") + chat_text("\n")
    body = begin + chat_tool(arguments=ZONE[:5]) + chat_text(" ") + chat_tool(arguments=ZONE[5:])

    assert calls(body + TOOLS_END) == [("time", ZONE)]


def test_white_space_alone_is_no_answer() -> None:
    error_of(read(chat_reply("\n", " ")), ErrorKind.EMPTY)


def test_a_reply_of_nothing_but_unusable_calls_is_empty() -> None:
    error_of(read(chat_tool("", ZONE) + TOOLS_END), ErrorKind.EMPTY)


def test_a_limit_reached_before_the_first_word_is_an_error() -> None:
    events = read(chat_delta({"reasoning": "Hm"}) + chat_delta({}, finish="length") + DONE)

    assert "length limit" in error_of(events, ErrorKind.EMPTY).message
    assert end_of(events).reason is FinishReason.LENGTH


@pytest.mark.parametrize("reason", ["stop", "tool_calls", "function_call", "eos", "stop_sequence"])
def test_an_end_without_done_is_an_end(reason: str) -> None:
    events = read(chat_text("Hi") + chat_delta({}, finish=reason))

    assert end_of(events).reason is FinishReason.STOP


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (sse({"error": {"message": "no room", "code": 500}}), "no room"),
        (sse({"error": "no room"}), "no room"),
        (sse({"object": "error", "message": "no room", "code": 400}), "no room"),
        (sse({"message": "no room"}, "error"), "no room"),
        (b'error: {"code":500,"message":"no room"}\n\n', "no room"),
        (b"error: no room\n\n", "no room"),
        (b"event: error\ndata: no room\n\n", "no room"),
        (sse({"choices": [{"index": 0, "delta": {}, "error": {"message": "no room"}}]}), "no room"),
        (chat_delta({}, finish="error"), ""),
    ],
)
def test_a_failure_inside_the_stream_is_reported(record: bytes, words: str) -> None:
    with pytest.raises(ReportedFailure) as caught:
        read(chat_text("Hi") + record + DONE)

    assert caught.value.words.message == words


def test_a_damaged_record_is_no_success() -> None:
    with pytest.raises(UnreadableReply):
        read(chat_text("Hi") + b'data: {"choices": [{"delta": {"content": "lo\n\n' + DONE)


def test_a_record_cut_off_by_the_end_is_no_damage() -> None:
    events = read(chat_text("Hi") + b'data: {"choices": [{"del')

    assert text_of(events) == "Hi"
    assert len(events) == 1, "there is no end yet: the connection was dropped"


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"error": "Unexpected endpoint or method. (POST /v1/x)"}, "Unexpected endpoint"),
        ({"detail": "Not Found"}, "Not Found"),
        ([{"error": {"message": "quota"}}], "quota"),
    ],
)
def test_a_document_that_complains(document: object, words: str) -> None:
    with pytest.raises(ReportedFailure, match=words):
        read(json.dumps(document).encode())


@pytest.mark.parametrize("body", [b"{}", b"[1]", b"{broken", b"<html><title>Log in</title>", b"OK"])
def test_a_body_that_is_no_reply(body: bytes) -> None:
    with pytest.raises(UnreadableReply):
        read(body)
