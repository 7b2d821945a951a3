"""One download of a model at a time, across processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from s2s_desktop.models.progress import CancelToken, DownloadCancelledError


class LockedError(Exception):
    """Somebody else holds the lock."""


@contextmanager
def model_lock(path: Path, cancel: CancelToken, on_wait: Callable[[], None] | None) -> Iterator[None]:
    """Hold a lock. It ends with its process, however that ends.

    Args:
        path: The lock file; its folder is made.
        cancel: Ends the waiting.
        on_wait: Called before waiting for another holder; None does not wait.

    Raises:
        LockedError: Another holds the lock and `on_wait` is None.
        DownloadCancelledError: `cancel` was set while waiting.
        OSError: The lock file cannot be made.
    """
    from filelock import FileLock, Timeout

    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout as busy:
        if on_wait is None:
            raise LockedError from busy
        on_wait()
        try:
            lock.acquire(poll_interval=0.1, cancel_check=cancel.is_set)
        except Timeout:
            raise DownloadCancelledError from None
    try:
        yield
    finally:
        lock.release()
