"""How much of the voice has been heard, as opposed to handed to the device."""

from __future__ import annotations

import threading
from collections import deque


class PlaybackClock:
    """Counts voice from the moment it leaves the loudspeaker. Thread-safe; all times in seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._handed = 0.0
        self._played = 0.0
        self._spans: deque[tuple[float, float]] = deque()

    def hand(self, voice_s: float, heard_from: float) -> None:
        """Note that `voice_s` of voice were given to the device and will be heard from `heard_from` on."""
        with self._lock:
            self._handed += voice_s
            self._spans.append((heard_from, voice_s))

    def played(self, now: float) -> float:
        """Return the seconds of voice heard by `now`; never goes back."""
        with self._lock:
            while self._spans and self._spans[0][0] + self._spans[0][1] <= now:
                self._spans.popleft()
            unheard = sum(min(voice, start + voice - now) for start, voice in self._spans)
            self._played = max(self._played, self._handed - unheard)
            return self._played

    def pending(self, now: float) -> float:
        """Return the seconds of voice that the device holds and nobody has heard yet."""
        return max(0.0, self._handed - self.played(now))
