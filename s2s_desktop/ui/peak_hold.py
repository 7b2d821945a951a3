"""The loudest level of the last moment, as meters show it."""

from __future__ import annotations

import time
from collections.abc import Callable

FLOOR_DBFS = -90.0
_HOLD_S = 1.0
_FALL_DB_S = 30.0


class PeakHold:
    """Stays for a second, then falls by 30 dB a second.

    Args:
        now: A clock in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._held = FLOOR_DBFS
        self._since = 0.0

    @property
    def dbfs(self) -> float:
        """The peak of now."""
        return self._held - max(self._now() - self._since - _HOLD_S, 0.0) * _FALL_DB_S

    def take(self, dbfs: float) -> None:
        """Take the peak of a block."""
        if dbfs >= self.dbfs:
            self._held, self._since = dbfs, self._now()

    def clear(self) -> None:
        """Forget what was heard."""
        self._held, self._since = FLOOR_DBFS, 0.0
