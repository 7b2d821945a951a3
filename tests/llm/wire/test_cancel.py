"""Stop is immediate: the server sees the connection close, and nothing comes late."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from llm.fake_provider import LIMIT, FakeProvider, Forever, Reply, Set, Stall
from llm.streams import chat_reply, chat_text, response_event, response_reply
from llm.wire_kit import HELLO, QUICK, collect, error_of, text_of
from s2s_desktop.errors import ErrorKind
from s2s_desktop.llm.backend import HttpBackend
from s2s_desktop.llm.events import LLMEvent

BEGUN = {
    "responses-api": response_event("output_text.delta", item_id="a", delta="Hel"),
    "chat-completions": chat_text("Hel"),
}
REPLIES = {"responses-api": response_reply("Hi"), "chat-completions": chat_reply("Hi")}


async def read_into(events: list[LLMEvent], backend: HttpBackend) -> None:
    async with contextlib.aclosing(backend.reply(HELLO)) as reply:
        async for event in reply:
            events.append(event)  # noqa: PERF401 - they must be there when the task is cancelled


async def cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


@pytest.mark.parametrize(
    ("before", "after"),
    [([], None), (None, []), (None, ["begun"])],
    ids=["waiting for the status line", "waiting for the first byte", "in the middle"],
)
async def test_cancelling_the_reader_closes_the_connection(
    make_backend,
    provider: FakeProvider,
    backend_name: str,
    before: list[object] | None,
    after: list[str] | None,
) -> None:
    reached = threading.Event()
    body = [BEGUN[backend_name] for _ in after or []]
    steps = [Set(reached), Stall()]
    reply = Reply(before=steps) if after is None else Reply([*body, *steps])
    provider.script(reply)
    events: list[LLMEvent] = []
    task = asyncio.create_task(read_into(events, make_backend(backend_name)))
    assert await asyncio.to_thread(reached.wait, 10)

    await cancel(task)
    seen = list(events)
    await asyncio.to_thread(provider.wait_for_disconnect)

    assert events == seen, "nothing comes late"


async def test_closing_the_reply_in_a_flood_closes_the_connection(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(Reply([Forever(BEGUN[backend_name])]))
    reply = make_backend(backend_name).reply(HELLO)
    await anext(reply)
    await reply.aclose()
    await asyncio.to_thread(provider.wait_for_disconnect)

    with pytest.raises(StopAsyncIteration):
        await anext(reply)


async def test_cancelling_between_two_attempts_asks_no_more(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    resting = asyncio.Event()

    async def rest(seconds: float) -> None:
        resting.set()
        await asyncio.sleep(3_600)

    provider.script(Reply(b"", status=503), repeat=True)
    task = asyncio.create_task(read_into([], make_backend(backend_name, sleep=rest)))
    await asyncio.wait_for(resting.wait(), 10)
    await cancel(task)

    assert len(provider.requests) == 1


@pytest.fixture
def silent_server() -> Iterator[socket.socket]:
    """A server that takes connections and never says a word, not even for the TLS handshake."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(LIMIT)
        yield server


def url_of(server: socket.socket) -> str:
    return f"https://127.0.0.1:{server.getsockname()[1]}/v1"


async def test_cancelling_while_connecting(
    make_backend, silent_server: socket.socket, backend_name: str
) -> None:
    events: list[LLMEvent] = []
    task = asyncio.create_task(read_into(events, make_backend(backend_name, url_of(silent_server))))
    connection, _ = await asyncio.to_thread(silent_server.accept)
    with connection:
        connection.settimeout(LIMIT)
        assert await asyncio.to_thread(connection.recv, 1), "the handshake has begun"
        await cancel(task)
        while await asyncio.to_thread(connection.recv, 65_536):
            pass

    assert task.cancelled()
    assert events == []


async def test_connecting_has_a_limit_of_its_own(
    make_backend, silent_server: socket.socket, backend_name: str
) -> None:
    timeouts = replace(QUICK, connect=0.2, first_token=60)
    events = await collect(make_backend(backend_name, url_of(silent_server), timeouts=timeouts))

    assert "within 0.2 seconds" in error_of(events, ErrorKind.CONNECTION).message


async def test_the_backend_goes_on_after_a_cancelled_reply(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    backend = make_backend(backend_name)
    for _ in range(12):  # More than the client keeps connections.
        provider.script(Reply([BEGUN[backend_name], Stall()]))
        reply = backend.reply(HELLO)
        await anext(reply)
        await reply.aclose()
    provider.script(Reply(REPLIES[backend_name]))

    assert text_of(await collect(backend)) == "Hi"


async def test_several_replies_at_once(make_backend, provider: FakeProvider, backend_name: str) -> None:
    provider.script(Reply(REPLIES[backend_name], slice=3), repeat=True)
    backend = make_backend(backend_name)
    replies = await asyncio.gather(*(collect(backend) for _ in range(20)))

    assert [text_of(events) for events in replies] == ["Hi"] * 20


async def test_a_stop_by_the_user_is_not_taken_for_a_time_limit(
    make_backend, provider: FakeProvider, backend_name: str
) -> None:
    provider.script(Reply([BEGUN[backend_name], Stall()]), repeat=True)
    for _ in range(20):
        task = asyncio.create_task(read_into([], make_backend(backend_name)))
        await asyncio.to_thread(provider.wait_for_request, len(provider.requests))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
