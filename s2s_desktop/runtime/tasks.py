"""One way to start a background task: named, kept, and never failing in silence."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_log = logging.getLogger(__name__)


class TaskGroup:
    """Keeps strong references to tasks, reports what they raise, and cancels them together.

    The event loop itself holds tasks weakly (https://github.com/python/cpython/issues/91887).
    """

    def __init__(self, on_error: Callable[[BaseException], None] | None = None) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._on_error = on_error

    def start(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        """Run `work` in the background under `name`."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    async def wait(self) -> None:
        """Wait until none runs any more."""
        while tasks := [task for task in self._tasks if task is not asyncio.current_task()]:
            await asyncio.wait(tasks)

    async def cancel_all(self) -> None:
        """Cancel what still runs and wait until it has ended."""
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            _log.error("task %s failed", task.get_name(), exc_info=error)
            if self._on_error is not None:
                self._on_error(error)


async def to_thread_and_back(call: Callable[..., T], *arguments: object) -> T:
    """Run a blocking call on a thread, as `asyncio.to_thread`, but never leave it running.

    A cancelled `to_thread` returns while its call goes on. Who then closes a device that is just being opened
    closes too early, and it stays open. Here cancelling waits until the call has ended.
    """
    work = asyncio.ensure_future(asyncio.to_thread(call, *arguments))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.gather(work, return_exceptions=True)
        raise
