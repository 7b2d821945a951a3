"""Notices that a sound card has gone: its callbacks just stop, without any error."""

from __future__ import annotations

import threading

from s2s_desktop.audio.clock import Clock

SILENCE_LIMIT_S = 2.0
"""Callbacks come every 10-50 ms; after two seconds without one the device is gone."""
STARTUP_LIMIT_S = 5.0
"""A Bluetooth headset and an idle sound server take up to two seconds before callbacks come steadily."""
_STEADY_AFTER_S = 0.5


class CallbackWatchdog:
    """Watches the callbacks of one stream. `feed` and `finish` may be called from the audio thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._opened = clock.monotonic()
        self._first: float | None = None
        self._last = self._opened
        self._finished = threading.Event()

    def feed(self, now: float) -> None:
        """Note that a callback came."""
        if self._first is None:
            self._first = now
        self._last = now

    def finish(self) -> None:
        """Note that PortAudio ended the stream by itself."""
        self._finished.set()

    @property
    def lost(self) -> bool:
        """Whether the device has gone."""
        if self._finished.is_set():
            return True
        steady = self._first is not None and self._last - self._first >= _STEADY_AFTER_S
        return self._clock.monotonic() - self._last > (SILENCE_LIMIT_S if steady else STARTUP_LIMIT_S)
