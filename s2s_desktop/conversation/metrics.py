"""The clock of one turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from s2s_desktop.conversation.events import TurnMetrics


class TurnClock:
    """Takes the time of each first, in seconds from the end of the user's speech.

    A mark is kept the first time it is made: later calls for the same field change nothing.
    """

    def __init__(self, started_at: float, now: Callable[[], float] = time.monotonic) -> None:
        self._started_at = started_at
        self._now = now
        self.metrics = TurnMetrics()

    def mark(self, field: str) -> None:
        """Note that `field` of `TurnMetrics` happened now."""
        if getattr(self.metrics, field) is None:
            seconds = round(max(0.0, self._now() - self._started_at), 4)
            self.metrics = replace(self.metrics, **{field: seconds})
