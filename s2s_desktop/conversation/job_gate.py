"""One heavy job at a time: on two cores, speech recognition and voice at once make both late."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable
from enum import IntEnum
from typing import Any, TypeVar

from s2s_desktop.runtime.workers import SerialWorker

T = TypeVar("T")

CORES_FOR_TWO = 4
"""From so many physical cores on, two jobs of two threads each run without taking time from each other."""


class Priority(IntEnum):
    """Which job goes first: what a person waits for most."""

    TRANSCRIPT = 0
    FIRST_VOICE = 1
    VOICE = 2
    CAPTION = 3


class JobGate:
    """Lets jobs in by priority, and among equals in order. Belongs to one event loop.

    A job that has begun is never stopped; keep jobs short.

    Args:
        slots: How many may run at once.
    """

    def __init__(self, slots: int = 1) -> None:
        self._free = slots
        self._waiting: list[tuple[Priority, int, asyncio.Future[None]]] = []
        self._count = itertools.count()
        self._jobs: set[asyncio.Future[Any]] = set()

    @classmethod
    def for_cores(cls, cores: int) -> JobGate:
        """Return a gate for a computer with so many physical cores."""
        return cls(2 if cores >= CORES_FOR_TWO else 1)

    @property
    def idle(self) -> bool:
        """Whether a job would begin at once."""
        return self._free > 0

    async def run(self, priority: Priority, worker: SerialWorker, call: Callable[[], T]) -> T:
        """Wait for a turn and run `call` on a worker.

        Cancelling drops the result. A call that has begun keeps its turn until it has ended: native code
        cannot be stopped.
        """
        await self._enter(priority)
        job = asyncio.ensure_future(worker.run(call))
        self._jobs.add(job)
        job.add_done_callback(self._job_ended)
        return await asyncio.shield(job)

    async def close(self) -> None:
        """Wait for no job any more; native calls end on their threads, and nobody gets their results."""
        jobs = list(self._jobs)
        for job in jobs:
            job.cancel()
        await asyncio.gather(*jobs, return_exceptions=True)

    async def _enter(self, priority: Priority) -> None:
        if self._free > 0:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (priority, next(self._count), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            raise

    def _job_ended(self, job: asyncio.Future[T]) -> None:
        self._jobs.discard(job)
        if not job.cancelled():
            job.exception()  # looked at here, because the one who waited may be gone
        self._leave()

    def _leave(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
