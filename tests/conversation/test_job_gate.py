"""Heavy jobs: one at a time, the most urgent first, and never a slot lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest

from s2s_desktop.conversation.job_gate import JobGate, Priority
from s2s_desktop.runtime.workers import SerialWorker


@pytest.fixture
def workers() -> Iterator[tuple[SerialWorker, SerialWorker]]:
    both = SerialWorker("one"), SerialWorker("two")
    yield both
    for worker in both:
        worker.close()


async def test_the_most_urgent_job_goes_first(workers: tuple[SerialWorker, SerialWorker]) -> None:
    gate, order, release = JobGate(), list[str](), threading.Event()
    first = asyncio.create_task(gate.run(Priority.VOICE, workers[0], release.wait))
    await asyncio.sleep(0)
    later = [
        asyncio.create_task(gate.run(priority, workers[1], lambda name=name: order.append(name)))
        for priority, name in [
            (Priority.CAPTION, "caption"),
            (Priority.VOICE, "voice"),
            (Priority.TRANSCRIPT, "transcript"),
            (Priority.FIRST_VOICE, "first voice"),
            (Priority.TRANSCRIPT, "second transcript"),
        ]
    ]
    await asyncio.sleep(0)
    assert not gate.idle
    release.set()
    await asyncio.gather(first, *later)
    assert order == ["transcript", "second transcript", "first voice", "voice", "caption"]
    assert gate.idle


async def test_a_job_given_up_keeps_its_turn_until_it_has_ended(
    workers: tuple[SerialWorker, SerialWorker],
) -> None:
    gate, release, running = JobGate(), threading.Event(), threading.Event()

    def work() -> None:
        running.set()
        release.wait(10)

    given_up = asyncio.create_task(gate.run(Priority.VOICE, workers[0], work))
    await asyncio.to_thread(running.wait, 10)
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    assert not gate.idle
    after = asyncio.create_task(gate.run(Priority.TRANSCRIPT, workers[1], lambda: "done"))
    release.set()
    assert await after == "done"
    assert gate.idle


async def test_a_job_given_up_while_it_waits_leaves_no_trace(
    workers: tuple[SerialWorker, SerialWorker],
) -> None:
    gate, release = JobGate(), threading.Event()
    first = asyncio.create_task(gate.run(Priority.VOICE, workers[0], release.wait))
    await asyncio.sleep(0)
    waiting = asyncio.create_task(gate.run(Priority.VOICE, workers[1], lambda: None))
    await asyncio.sleep(0)
    waiting.cancel()
    release.set()
    await first
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert gate.idle


async def test_a_job_that_fails_frees_its_turn(workers: tuple[SerialWorker, SerialWorker]) -> None:
    gate = JobGate()
    with pytest.raises(ZeroDivisionError):
        await gate.run(Priority.VOICE, workers[0], lambda: 1 / 0)
    assert gate.idle


async def test_closing_waits_for_no_job_that_is_still_running(
    workers: tuple[SerialWorker, SerialWorker],
) -> None:
    gate, release = JobGate(), threading.Event()
    job = asyncio.create_task(gate.run(Priority.VOICE, workers[0], release.wait))
    await asyncio.sleep(0)
    await gate.close()
    with pytest.raises(asyncio.CancelledError):
        await job
    assert asyncio.all_tasks() == {asyncio.current_task()}
    release.set()


@pytest.mark.parametrize(("cores", "slots"), [(1, 1), (2, 1), (4, 2), (16, 2)])
async def test_more_cores_run_two_jobs(
    cores: int, slots: int, workers: tuple[SerialWorker, SerialWorker]
) -> None:
    gate, release = JobGate.for_cores(cores), threading.Event()
    job = asyncio.create_task(gate.run(Priority.VOICE, workers[0], release.wait))
    await asyncio.sleep(0)
    assert gate.idle is (slots == 2)
    release.set()
    await job
