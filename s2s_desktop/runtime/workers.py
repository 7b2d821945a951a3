"""A serial worker: one thread that owns one model, so that its calls never overlap or block the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class SerialWorker:
    """Runs blocking calls one after the other on a thread of its own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, call: Callable[[], T]) -> T:
        """Run `call` on the worker thread and return its result.

        Cancelling drops the result; a call that has begun still runs to its end, native code cannot be
        stopped.
        """
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)

    def close(self) -> None:
        """Take no more work. Does not wait for a call that is under way."""
        self._executor.shutdown(wait=False, cancel_futures=True)
