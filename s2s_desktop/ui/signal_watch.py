"""Notices that an open microphone delivers nothing but silence."""

from __future__ import annotations

import time
from collections.abc import Callable

SILENT_DBFS = -80.0
"""Below the noise of any microphone that is connected and not muted, even in a quiet room."""
PATIENCE_S = 5.0


class SignalWatch:
    """Takes the level of each block and says whether there is a signal at all."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._silent_since: float | None = None

    def hears_nothing(self, rms_dbfs: float) -> bool:
        """Take a level; True when all levels of the last five seconds were digital silence."""
        if rms_dbfs > SILENT_DBFS:
            self._silent_since = None
            return False
        if self._silent_since is None:
            self._silent_since = self._now()
        return self._now() - self._silent_since >= PATIENCE_S

    def reset(self) -> None:
        """Begin again: the microphone was closed."""
        self._silent_since = None
