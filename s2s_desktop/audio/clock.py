"""The time that paces sound, replaceable so that tests need not wait for it."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits."""

    def monotonic(self) -> float:
        """Return seconds since an arbitrary moment, never going back."""

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Wait until `event` is set or `seconds` have passed; return whether it is set."""


class SystemClock:
    """The time of this computer."""

    def monotonic(self) -> float:
        """Return `time.monotonic()`."""
        return time.monotonic()

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Wait on the event itself."""
        return event.wait(seconds)


SYSTEM_CLOCK = SystemClock()
