"""What Responses streams hold beside the ordinary."""

from __future__ import annotations

import pytest

from llm.streams import (
    DONE,
    call_item,
    message_item,
    response_call,
    response_end,
    response_event,
    response_message,
    sse,
)
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

ZONE = '{"zone": "UTC"}'


def read(body: bytes) -> list[LLMEvent]:
    return read_stream("responses-api", body)


def delta(text: str, **where: object) -> bytes:
    return response_event("output_text.delta", delta=text, **where)


def calls(events: list[LLMEvent]) -> list[tuple[str, str, str]]:
    return [(e.call_id, e.name, e.arguments) for e in events if isinstance(e, ToolCall)]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(response_event("output_text.done", item_id="m", text="Hello"), id="part done"),
        pytest.param(
            response_event("content_part.done", item_id="m", part={"type": "output_text", "text": "Hello"}),
            id="content part done",
        ),
        pytest.param(response_event("output_item.done", item=message_item("Hello")), id="item done"),
        pytest.param(response_end(message_item("Hello")), id="closing event"),
        pytest.param(response_event("refusal.done", item_id="m", refusal="Hello"), id="refusal done"),
        pytest.param(
            delta("Hel", item_id="m") + response_event("output_text.done", item_id="m", text="Hello"),
            id="part of it in deltas",
        ),
        pytest.param(
            delta("Hel") + delta("lo") + response_event("output_item.done", item=message_item("Hello")),
            id="deltas that name no item",
        ),
        pytest.param(
            delta("Hel", item_id="x1", output_index=0)
            + delta("lo", item_id="x2", output_index=0)
            + response_event("output_text.done", item_id="x3", output_index=0, text="Hello")
            + response_event("output_item.done", output_index=0, item=message_item("Hello", "x4")),
            id="another id in every event, one index",
        ),
        pytest.param(
            delta("Hel", item_id="x1")
            + delta("lo", item_id="x2")
            + response_event("output_item.done", item=message_item("Hello", "x4")),
            id="another id in every event, no index",
        ),
        pytest.param(response_message("Hel", "lo"), id="all of it"),
    ],
)
def test_text_is_delivered_once_wherever_it_comes(body: bytes) -> None:
    end = b"" if b"completed\n" in body else response_end(message_item("Hello"))
    events = read(body + end)

    assert text_of(events) == "Hello"
    assert [event for event in events if isinstance(event, AssistantMessage)] == [AssistantMessage("Hello")]


def test_two_parts_with_the_same_text_are_two() -> None:
    item = message_item("Ha")
    item["content"] = [{"type": "output_text", "text": "Ha"}, {"type": "output_text", "text": "Ha"}]
    body = delta("Ha", item_id="msg_1", content_index=0) + response_event("output_item.done", item=item)

    assert text_of(read(body + response_end(item))) == "HaHa"


def test_two_messages_are_two_runs_of_text() -> None:
    body = response_message("Wait.") + response_message("Done.", index=1, item_id="msg_2") + response_end()
    messages = [event.content for event in read(body) if isinstance(event, AssistantMessage)]

    assert messages == ["Wait.", "Done."]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(response_call("time", ZONE), id="all events"),
        pytest.param(response_event("output_item.done", item=call_item("time", ZONE)), id="item done alone"),
        pytest.param(response_end(call_item("time", ZONE)), id="closing event alone"),
        pytest.param(
            response_event("output_item.added", item=call_item("time", ""))
            + response_event("function_call_arguments.done", item_id="fc_1", arguments=ZONE),
            id="never ended",
        ),
        pytest.param(
            response_event("output_item.added", item=call_item("time", ""))
            + response_event("function_call_arguments.delta", item_id="call_1", delta=ZONE),
            id="named by its call id",
        ),
        pytest.param(
            response_event("output_item.added", output_index=1, item=call_item("time", ""))
            + response_event("function_call_arguments.delta", item_id="x1", output_index=1, delta=ZONE[:5])
            + response_event("function_call_arguments.delta", item_id="x2", output_index=1, delta=ZONE[5:]),
            id="another id in every event, one index",
        ),
        pytest.param(
            response_event("output_item.added", output_index=3, item=call_item("time", ""))
            + response_event("output_item.added", output_index=3, item=call_item("time", ""))
            + response_event("function_call_arguments.delta", output_index=3, delta=ZONE)
            + response_event("output_item.done", output_index=3, item=call_item("time", ZONE))
            + response_event("output_item.done", output_index=3, item=call_item("time", ZONE)),
            id="announced and ended twice",
        ),
        pytest.param(
            response_event("output_item.done", item={**call_item("time", ""), "arguments": {"zone": "UTC"}}),
            id="arguments as an object",
        ),
    ],
)
def test_a_call_is_delivered_once_wherever_it_comes(body: bytes) -> None:
    ends = [b""] if b"completed\n" in body else [response_end(), response_end(call_item("time", ZONE))]

    for end in ends:
        assert calls(read(body + end)) == [("call_1", "time", ZONE)]


def test_two_calls_at_one_index_stay_apart() -> None:
    body = response_call("a", ZONE, index=0, call_id="c1", item_id="f1") + response_call(
        "b", index=0, call_id="c2", item_id="f2"
    )

    assert calls(read(body + response_end())) == [("c1", "a", ZONE), ("c2", "b", "{}")]


@pytest.mark.parametrize("call_id", ["", None])
def test_a_call_without_a_call_id_gets_one(call_id: str | None) -> None:
    item = {"type": "function_call", "call_id": call_id, "name": "time", "arguments": ZONE}
    ((made_up, name, _),) = calls(read(response_event("output_item.done", item=item) + response_end()))

    assert made_up
    assert name == "time"


def test_the_name_of_an_event_may_stand_on_its_event_line_alone() -> None:
    body = sse({"delta": "Hi", "item_id": "m"}, "response.output_text.delta")

    assert text_of(read(body + response_end())) == "Hi"


@pytest.mark.parametrize(
    "record",
    [
        sse({"type": "response.some_new_thing", "delta": "x"}),
        sse({"type": None}),
        sse({}),
        sse({"type": "response.output_text.delta", "delta": None}),
        sse({"type": "response.output_item.added", "item": None}),
        sse({"type": "response.output_item.done", "item": {"type": "web_search_call"}}),
        sse({"type": "response.content_part.done", "part": None}),
        sse({"type": "keepalive"}),
        b": comment\n\n",
        b"data: ping\n\n",
    ],
)
def test_nothing_odd_stops_a_reply(record: bytes) -> None:
    events = read(
        record + delta("Hel", item_id="m") + record + delta("lo", item_id="m") + record + response_end()
    )

    assert text_of(events) == "Hello"
    assert end_of(events).error is None


@pytest.mark.parametrize(
    "name",
    ["reasoning_text.delta", "reasoning_summary_text.delta", "reasoning.delta", "reasoning_summary.delta"],
)
def test_thoughts_never_become_text(name: str) -> None:
    events = read(response_event(name, delta="Hm.") + response_message("Yes.") + response_end())

    assert text_of(events) == "Yes."
    assert ReasoningDelta("Hm.") in events


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (response_event("error", code="server_error", message="no room"), "no room"),
        (response_event("error", error={"code": "server_error", "message": "no room"}), "no room"),
        (sse({"error": {"message": "no room"}}), "no room"),
        (response_event("failed", response={"status": "failed", "error": {"message": "no room"}}), "no room"),
        (response_event("failed", response={"status": "failed", "error": None}), ""),
        (response_event("failed", response=None), ""),
        (
            response_event("completed", response={"status": "failed", "error": {"message": "no room"}}),
            "no room",
        ),
        (response_event("cancelled", response={"status": "cancelled"}), ""),
    ],
)
def test_a_failure_inside_the_stream_is_reported(record: bytes, words: str) -> None:
    with pytest.raises(ReportedFailure) as caught:
        read(delta("Hi", item_id="m") + record)

    assert caught.value.words.message == words


def test_usage_comes_from_the_closing_event_of_an_incomplete_reply() -> None:
    events = read(
        response_message("Hi")
        + response_end(
            status="incomplete", usage=(44, 64), incomplete_details={"reason": "max_output_tokens"}
        )
    )

    assert Usage(44, 64) in events
    assert end_of(events).reason is FinishReason.LENGTH


def test_an_incomplete_reply_without_a_reason_is_cut() -> None:
    events = read(response_message("Hi") + response_end(status="incomplete", incomplete_details=None))

    assert end_of(events).reason is FinishReason.LENGTH


def test_done_is_a_proper_end() -> None:
    assert end_of(read(response_message("Hi") + DONE)).reason is FinishReason.STOP
    error_of(read(DONE), ErrorKind.EMPTY)


def test_an_end_without_a_closing_event_is_none() -> None:
    events = read(response_message("Hi"))

    assert AssistantMessage("Hi") in events
    assert events[-1] == AssistantMessage("Hi")
