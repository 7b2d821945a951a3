"""A time limit for many waits in a row that costs one timer.

`asyncio.timeout` makes a timer for every wait, and the Qt loop keeps each of them alive until it would have
fired (https://github.com/CabbageDevelopment/qasync), so a stream of thousands of reads needs another way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")


class Watchdog:
    """Ends waits that pass their deadline."""

    def __init__(self) -> None:
        # The Qt loop's handles are no `TimerHandle`, so the time is kept here.
        self._timer: asyncio.Handle | None = None
        self._fires_at = 0.0
        self._deadline = 0.0
        self._waiting: asyncio.Task[object] | None = None
        self._expired = False

    async def wait(self, work: Awaitable[T], deadline: float) -> T:
        """Return the result of `work`.

        Args:
            work: What to wait for; it is cancelled at the deadline.
            deadline: On the clock of the running loop.

        Raises:
            TimeoutError: The deadline passed.
        """
        task = asyncio.current_task()
        assert task is not None
        cancellations = task.cancelling()
        self._deadline = deadline
        self._expired = False
        self._waiting = task
        self._arm()
        try:
            return await work
        except asyncio.CancelledError:
            if self._expired and task.uncancel() <= cancellations:
                raise TimeoutError from None
            raise
        finally:
            self._waiting = None

    def close(self) -> None:
        """Drop the timer. Idempotent."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        """Make sure that the timer fires no later than the deadline; firing early only re-arms it."""
        if self._timer is not None and self._fires_at <= self._deadline:
            return
        self.close()
        self._fires_at = self._deadline
        self._timer = asyncio.get_running_loop().call_at(self._deadline, self._check)

    def _check(self) -> None:
        self._timer = None
        if self._waiting is None:
            return
        if asyncio.get_running_loop().time() < self._deadline:
            self._arm()
            return
        self._expired = True
        self._waiting.cancel()
