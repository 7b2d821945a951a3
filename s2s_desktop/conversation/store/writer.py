"""The thread that writes: soon after it is asked, and not more often than is useful."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

_log = logging.getLogger(__name__)

_RETRY_S = 2.0
"""After a failure nothing is tried for this long, unless somebody waits."""


class Writer:
    """Calls `save` on a thread of its own; requests that come while it is busy are served together.

    Args:
        save: Saves everything that waits. Returns seconds until it may be called again for something that
            is not urgent, or None when it failed and must be called again.
        name: Of the thread.
    """

    def __init__(self, save: Callable[[], float | None], name: str) -> None:
        self._save = save
        self._changed = threading.Condition()
        self._wanted = self._urgent = self._closing = False
        self._asked = self._served = 0
        self._rest_until = self._retry_at = 0.0
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def request(self, *, urgent: bool) -> None:
        """Ask for a call of `save`. Returns at once."""
        with self._changed:
            if self._wanted and (self._urgent or not urgent):
                return
            self._wanted = True
            self._urgent |= urgent
            self._changed.notify_all()

    def flush(self, timeout_s: float) -> bool:
        """Wait for a call of `save` that began after this one.

        Returns:
            False when it took longer, or the thread has ended.
        """
        with self._changed:
            if self._closing:
                return False
            self._asked += 1
            ticket = self._asked
            self._wanted = self._urgent = True
            self._retry_at = 0.0
            self._changed.notify_all()
            return self._changed.wait_for(lambda: self._served >= ticket, timeout_s)

    def close(self, timeout_s: float) -> None:
        """Save what waits and end the thread. Idempotent."""
        self.flush(timeout_s)
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while self._wait_for_work():
            ticket = self._asked
            began = time.monotonic()
            try:
                rest = self._save()
            except Exception:
                _log.exception("conversations could not be saved")
                rest = None
            with self._changed:
                self._served = ticket
                if rest is None and not self._closing:
                    self._wanted = True
                    if self._asked == ticket:  # nobody has begun to wait meanwhile
                        self._retry_at = time.monotonic() + _RETRY_S
                self._rest_until = began + (rest or 0.0)
                self._changed.notify_all()

    def _wait_for_work(self) -> bool:
        """Wait until `save` is due; False ends the thread."""
        with self._changed:
            while not self._closing:
                now = time.monotonic()
                due = max(self._retry_at, 0.0 if self._urgent else self._rest_until)
                if self._wanted and now >= due:
                    self._wanted = self._urgent = False
                    return True
                self._changed.wait(due - now if self._wanted else None)
            return False
