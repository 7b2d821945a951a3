"""Background work that is cancelled."""

from __future__ import annotations

import asyncio
import threading

import pytest

from s2s_desktop.runtime.tasks import to_thread_and_back


async def test_a_cancelled_call_has_ended_before_its_caller_goes_on() -> None:
    begun, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def call() -> None:
        begun.set()
        may_end.wait()
        ended.set()

    caller = asyncio.ensure_future(to_thread_and_back(call))
    await asyncio.to_thread(begun.wait)
    caller.cancel()
    await asyncio.sleep(0)
    assert not caller.done()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert ended.is_set()


async def test_what_a_cancelled_call_raises_is_dropped_with_it() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def call() -> None:
        begun.set()
        may_end.wait()
        raise ValueError

    caller = asyncio.ensure_future(to_thread_and_back(call))
    await asyncio.to_thread(begun.wait)
    caller.cancel()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await caller


async def test_result_and_error_come_back() -> None:
    assert await to_thread_and_back(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        await to_thread_and_back(divmod, 1, 0)
