"""The same on the loop of the window, where timers are dear and the time of a frame is short."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from PySide6.QtWidgets import QApplication

from llm.fake_provider import FakeProvider, Forever, Reply, Stall
from llm.streams import DONE, chat_text
from llm.wire_kit import HELLO, QUICK, collect, error_of, text_of
from s2s_desktop.errors import ErrorKind
from s2s_desktop.runtime.qt_loop import AppLoop


async def test_a_long_reply_leaves_no_timers(
    qapp: QApplication, make_backend, provider: FakeProvider
) -> None:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, AppLoop)
    before = loop.pending_timers
    provider.script(Reply([chat_text("word ")] * 2_000 + [DONE]))
    most = 0
    pieces = []
    async for event in make_backend("chat-completions").reply(HELLO):
        most = max(most, loop.pending_timers)
        pieces.append(event)

    assert text_of(pieces) == "word " * 2_000
    assert most - before < 5
    assert loop.pending_timers == before


async def test_limits_and_cancelling_work(qapp: QApplication, make_backend, provider: FakeProvider) -> None:
    provider.script(Reply([chat_text("Hi"), Stall()]), repeat=True)
    backend = make_backend("chat-completions", timeouts=replace(QUICK, idle=0.2))
    error_of(await collect(backend), ErrorKind.TIMEOUT_IDLE)
    await asyncio.to_thread(provider.wait_for_disconnect)

    begun = asyncio.Event()

    async def read() -> None:
        async for _ in backend.reply(HELLO):
            begun.set()

    reader = asyncio.create_task(read())
    await begun.wait()
    reader.cancel()
    await asyncio.to_thread(provider.wait_for_disconnect, 1)

    assert reader.cancelled()


async def test_closing_a_reply_between_two_deltas_reaches_the_socket(
    qapp: QApplication, make_backend, provider: FakeProvider
) -> None:
    provider.script(Reply([Forever(chat_text("word "))]))
    reply = make_backend("chat-completions").reply(HELLO)
    await anext(reply)
    await reply.aclose()

    await asyncio.to_thread(provider.wait_for_disconnect)


async def test_an_endless_error_is_given_up(qapp: QApplication, make_backend, provider: FakeProvider) -> None:
    provider.script(Reply([Forever(b"x" * 65_536)], status=400))
    error_of(await collect(make_backend("chat-completions")), ErrorKind.BAD_REQUEST)

    await asyncio.to_thread(provider.wait_for_disconnect)
