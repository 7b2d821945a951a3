"""Waiting has limits, and failed requests are sent again only where that makes sense."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest

from llm.fake_provider import Drop, FakeProvider, Reply, Stall, WaitFor
from llm.streams import (
    DONE,
    chat_delta,
    chat_reply,
    chat_text,
    chat_tool,
    response_event,
    response_reply,
    sse,
)
from llm.wire_kit import HELLO, QUICK, collect, end_of, error_of, text_of
from s2s_desktop.errors import ErrorKind
from s2s_desktop.llm.events import ReasoningDelta, TextDelta
from s2s_desktop.llm.http.retry import parse_retry_after, retry_delay, spoken_delay

REPLIES = {"responses-api": response_reply("Hi"), "chat-completions": chat_reply("Hi")}
BEGUN = {
    "responses-api": response_event("output_text.delta", item_id="a", delta="Hel"),
    "chat-completions": chat_text("Hel"),
}
SHORT = replace(QUICK, first_token=0.2)
SHORT_IDLE = replace(QUICK, idle=0.2)


def busy(status: int = 503, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(b"busy", status=status, content_type="text/plain", headers=named, mode="length")


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Reply(before=[Stall()]), id="no status line"),
        pytest.param(Reply([Stall()]), id="headers alone"),
        pytest.param(Reply([b": keep-alive\n\n", Stall()]), id="a comment"),
        pytest.param(Reply([sse({"choices": []}), Stall()]), id="an empty chunk"),
        pytest.param(Reply([response_event("created", response={}), Stall()]), id="created"),
        pytest.param(Reply([chat_delta({"role": "assistant", "content": ""}), Stall()]), id="a role"),
    ],
)
async def test_a_reply_that_does_not_begin(
    make_backend, provider: FakeProvider, naps, backend_name: str, reply: Reply
) -> None:
    provider.script(reply, repeat=True)
    events = await collect(make_backend(backend_name, timeouts=SHORT))
    error = error_of(events, ErrorKind.TIMEOUT_FIRST_TOKEN)

    assert "0.2 seconds" in error.message
    provider.wait_for_disconnect()
    assert len(provider.requests) == 1
    assert naps.seconds == []


async def test_comments_do_not_stand_for_the_first_token(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    never = threading.Event()
    comments = [step for _ in range(400) for step in (b": keep-alive\n\n", Pause(never, 0.02))]
    provider.script(Reply(comments))  # type: ignore[arg-type]

    error_of(
        await collect(make_backend(backend_name, timeouts=replace(QUICK, first_token=0.3, idle=0.2))),
        ErrorKind.TIMEOUT_FIRST_TOKEN,
    )


async def test_comments_count_as_life_after_the_first_token(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    never = threading.Event()
    comments = [step for _ in range(14) for step in (b": keep-alive\n\n", Pause(never, 0.05))]
    provider.script(Reply([BEGUN[backend_name], *comments, REPLIES[backend_name]]))  # type: ignore[list-item]
    events = await collect(make_backend(backend_name, timeouts=replace(QUICK, idle=0.5)))

    assert text_of(events).startswith("Hel")
    assert end_of(events).error is None, "0.7 seconds of comments against a limit of 0.5"


class Pause(WaitFor):
    """Waits for an event that never comes, for a while."""

    def __init__(self, event: threading.Event, seconds: float) -> None:
        super().__init__(_Timer(event, seconds))  # type: ignore[arg-type]


class _Timer:
    def __init__(self, event: threading.Event, seconds: float) -> None:
        self._event = event
        self._seconds = seconds

    def is_set(self) -> bool:
        self._event.wait(self._seconds)
        return True


async def test_a_reply_that_stops_in_the_middle(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(Reply([BEGUN[backend_name], Stall()]))
    events = await collect(make_backend(backend_name, timeouts=SHORT_IDLE))
    error = error_of(events, ErrorKind.TIMEOUT_IDLE)

    assert events[0] == TextDelta("Hel")
    assert "0.2 seconds" in error.message
    provider.wait_for_disconnect()
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "sign",
    [chat_delta({"reasoning_content": "Hm."}), chat_tool("time", call_id="a")],
    ids=["a thought", "a call"],
)
async def test_thoughts_and_calls_stand_for_the_first_token(
    make_backend, provider: FakeProvider, sign: bytes
) -> None:
    go = threading.Event()
    provider.script(Reply([sign, WaitFor(go), chat_reply("Hi")]))
    backend = make_backend("chat-completions", timeouts=SHORT)
    threading.Timer(0.6, go.set).start()

    assert text_of(await collect(backend)) == "Hi"


async def test_a_reader_that_takes_its_time_is_no_stall(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(Reply([BEGUN[backend_name], REPLIES[backend_name]]))
    events = []
    async for event in make_backend(backend_name, timeouts=SHORT_IDLE).reply(HELLO):
        events.append(event)
        if len(events) == 1:
            await asyncio.sleep(0.5)

    assert end_of(events).error is None


async def test_an_end_without_its_marker_does_not_wait_for_the_idle_limit(
    make_backend, provider: FakeProvider, monkeypatch
) -> None:
    monkeypatch.setattr("s2s_desktop.llm.http.exchange._CLOSING_SECONDS", 0.1)
    provider.script(Reply([chat_text("Hi"), chat_delta({}, finish="stop"), Stall()]))
    async with asyncio.timeout(30):
        events = await collect(make_backend("chat-completions", timeouts=replace(QUICK, idle=60)))

    assert text_of(events) == "Hi"
    assert end_of(events).error is None


async def test_usage_behind_the_end_is_waited_for(make_backend, provider: FakeProvider) -> None:
    go = threading.Event()
    threading.Timer(0.2, go.set).start()
    usage = sse({"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2}})
    provider.script(Reply([chat_text("Hi"), chat_delta({}, finish="stop"), WaitFor(go), usage, DONE]))
    events = await collect(make_backend("chat-completions"))

    assert type(events[-2]).__name__ == "Usage"


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
async def test_trouble_of_the_server_is_tried_again(
    make_backend, provider: FakeProvider, naps, backend_name: str, status: int
) -> None:
    provider.script(busy(status), busy(status), Reply(REPLIES[backend_name]))

    assert text_of(await collect(make_backend(backend_name))) == "Hi"
    assert naps.seconds == [0.25, 0.5]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
async def test_a_refusal_is_not_tried_again(
    make_backend, provider: FakeProvider, naps, backend_name: str, status: int
) -> None:
    provider.script(busy(status), repeat=True)

    assert end_of(await collect(make_backend(backend_name))).error is not None
    assert len(provider.requests) == 1
    assert naps.seconds == []


@pytest.mark.parametrize("retries", [0, 1, 2])
async def test_the_number_of_retries_is_a_setting(
    make_backend, provider: FakeProvider, backend_name: str, retries: int
) -> None:
    provider.script(busy(), repeat=True)

    error_of(await collect(make_backend(backend_name, max_retries=retries)), ErrorKind.SERVER)
    assert len(provider.requests) == retries + 1


async def test_retry_after_is_honored(make_backend, provider: FakeProvider, naps, backend_name: str) -> None:
    provider.script(busy(429, retry_after="7"), busy(429, retry_after="0"), Reply(REPLIES[backend_name]))

    assert text_of(await collect(make_backend(backend_name))) == "Hi"
    assert naps.seconds == [7.0, 0.5]


async def test_a_long_retry_after_is_told_instead(
    make_backend, provider: FakeProvider, naps, backend_name: str
) -> None:
    provider.script(busy(429, retry_after="120"), repeat=True)
    error = error_of(await collect(make_backend(backend_name)), ErrorKind.RATE_LIMIT)

    assert "in 2 minutes" in error.message
    assert naps.seconds == []


async def test_a_used_up_quota_is_not_tried_again(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    body = b'{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}'
    provider.script(Reply(body, status=429, content_type="application/json"), repeat=True)

    error_of(await collect(make_backend(backend_name)), ErrorKind.QUOTA)
    assert len(provider.requests) == 1


async def test_a_server_may_forbid_to_try_again(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(busy(500, x_should_retry="false"), repeat=True)

    error_of(await collect(make_backend(backend_name)), ErrorKind.SERVER)
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(Reply(before=[Drop()]), id="before the status line"),
        pytest.param(Reply([Drop()]), id="before the first byte"),
        pytest.param(Reply([sse({"error": {"code": 503, "message": "overloaded"}})]), id="error comes first"),
    ],
)
async def test_a_request_that_breaks_before_anything_came_is_tried_again(
    make_backend, provider: FakeProvider, backend_name: str, broken: Reply
) -> None:
    provider.script(broken, Reply(REPLIES[backend_name]))
    events = await collect(make_backend(backend_name))

    assert text_of(events) == "Hi"
    assert len(provider.requests) == 2


async def test_a_reply_that_has_begun_is_never_asked_for_again(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    thought = {
        "responses-api": response_event("reasoning_text.delta", delta="Hm."),
        "chat-completions": chat_delta({"reasoning": "Hm."}),
    }
    provider.script(Reply([thought[backend_name], Drop()]), Reply(REPLIES[backend_name]))
    events = await collect(make_backend(backend_name))

    assert events[0] == ReasoningDelta("Hm.")
    error_of(events, ErrorKind.TRUNCATED)
    assert len(provider.requests) == 1


async def test_a_connection_that_the_server_closed_meanwhile_does_no_harm(
    make_backend, provider: FakeProvider, naps, backend_name: str
) -> None:
    provider.script(Reply(REPLIES[backend_name], mode="length", headers={"Keep-Alive": "x"}), repeat=True)
    backend = make_backend(backend_name)
    assert text_of(await collect(backend)) == "Hi"
    provider.hang_up()

    assert text_of(await collect(backend)) == "Hi"
    assert provider.connections == 2


NOW = 1_900_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Sun, 17 Mar 2030 17:46:50 GMT"}, 10.0),
        ({"retry-after": "Sun, 17 Mar 2020 17:46:50 GMT"}, 0.0),
    ],
)
def test_the_forms_of_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert parse_retry_after(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("attempt", "retry_after", "delay"),
    [
        (0, None, 0.25),
        (1, None, 0.5),
        (9, None, 8.0),
        (0, 10.0, 10.0),
        (0, 10.1, None),
        (0, float("inf"), None),
    ],
)
def test_the_pause_before_another_attempt(attempt: int, retry_after: float | None, delay: Any) -> None:
    assert retry_delay(attempt, retry_after) == delay


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 seconds"), (20, "20 seconds"), (120, "2 minutes"), (7_200, "2 hours"), (900_000, "10 days")],
)
def test_pauses_in_words(seconds: float, words: str) -> None:
    assert spoken_delay(seconds) == words
