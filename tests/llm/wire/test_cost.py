"""What a long reply costs the loop."""

from __future__ import annotations

import asyncio

import pytest

from llm.fake_provider import FakeProvider, Reply
from llm.streams import DONE, chat_text, response_end, response_event
from llm.wire_kit import collect, text_of

COUNT = 5_000


@pytest.fixture
async def timers(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Every timer that is made on the loop of the test: the Qt loop pays dearly for each."""
    loop = asyncio.get_running_loop()
    made: list[float] = []
    call_at = loop.call_at

    def counting(when: float, *args: object, **kwargs: object) -> asyncio.TimerHandle:
        made.append(when)
        return call_at(when, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(loop, "call_at", counting)
    return made


async def test_a_reply_of_thousands_of_deltas_needs_a_handful_of_timers(
    make_backend, provider: FakeProvider, backend_name: str, timers: list[float]
) -> None:
    body = {
        "chat-completions": [chat_text("word ")] * COUNT + [DONE],
        "responses-api": [response_event("output_text.delta", item_id="m", delta="word ")] * COUNT
        + [response_end()],
    }
    provider.script(Reply(body[backend_name]))
    events = await collect(make_backend(backend_name))

    assert len(events) == COUNT + 2
    assert text_of(events) == "word " * COUNT
    assert len(timers) < 10


async def test_a_flood_of_deltas_lets_other_tasks_run(
    make_backend, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("s2s_desktop.llm.backend._LOOP_SECONDS", 0.0)
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0)
            ticks += 1

    delta = chat_text("word ")
    chunks = f"{len(delta):x}\r\n".encode() + delta + b"\r\n"
    everything = chunks * COUNT + b"0\r\n\r\n"  # Hundreds of deltas in every read of the socket.
    provider.script(Reply(everything, mode="close", headers={"Transfer-Encoding": "chunked"}))
    backend = make_backend("chat-completions")
    await backend.prepare()
    ticker = asyncio.create_task(tick())
    await collect(backend)
    ticker.cancel()

    assert ticks >= COUNT
