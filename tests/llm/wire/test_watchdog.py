"""One timer watches many waits."""

from __future__ import annotations

import asyncio

import pytest

from s2s_desktop.llm.http.watchdog import Watchdog


async def test_a_wait_that_ends_in_time_returns_its_result() -> None:
    watchdog = Watchdog()

    assert await watchdog.wait(asyncio.sleep(0, "done"), asyncio.get_running_loop().time() + 60) == "done"
    watchdog.close()


async def test_a_wait_past_its_deadline_ends() -> None:
    with pytest.raises(TimeoutError):
        await Watchdog().wait(asyncio.Event().wait(), asyncio.get_running_loop().time() + 0.01)

    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0


async def test_a_timer_that_fires_early_waits_on() -> None:
    loop = asyncio.get_running_loop()
    watchdog = Watchdog()
    await watchdog.wait(asyncio.sleep(0), loop.time() + 0.01)
    late = asyncio.Event()
    loop.call_later(0.1, late.set)

    assert await watchdog.wait(late.wait(), loop.time() + 60) is True
    watchdog.close()


async def test_an_earlier_deadline_counts() -> None:
    loop = asyncio.get_running_loop()
    watchdog = Watchdog()
    await watchdog.wait(asyncio.sleep(0), loop.time() + 60)

    with pytest.raises(TimeoutError):
        await watchdog.wait(asyncio.Event().wait(), loop.time() + 0.01)


async def test_between_two_waits_nobody_is_cancelled() -> None:
    loop = asyncio.get_running_loop()
    problems: list[dict[str, object]] = []
    loop.set_exception_handler(lambda _, context: problems.append(context))
    await Watchdog().wait(asyncio.sleep(0), loop.time() + 0.01)
    await asyncio.sleep(0.05)

    assert problems == []


async def test_a_user_who_cancels_at_the_deadline_is_not_taken_for_the_deadline() -> None:
    loop = asyncio.get_running_loop()
    deadline = loop.time() - 1
    task = asyncio.create_task(Watchdog().wait(asyncio.Event().wait(), deadline))
    await asyncio.sleep(0)
    loop.call_at(deadline + 0.5, task.cancel)

    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_user_who_cancels_before_the_deadline_cancels() -> None:
    watchdog = Watchdog()
    task = asyncio.create_task(watchdog.wait(asyncio.Event().wait(), asyncio.get_running_loop().time() + 60))
    await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    watchdog.close()
