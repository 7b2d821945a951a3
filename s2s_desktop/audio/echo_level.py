"""Tells a voice that is louder than any echo of our own could be.

AEC3 needs a second to know a room, and where no echo comes back to learn from (headphones) it takes the user
for one. How loud the echo of the voice can be is seen much sooner: the microphone is compared with what was
played, and the quietest comparison bounds the echo, for another voice or a noise only adds to it.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from s2s_desktop.audio.frame_levels import FrameLevels
from s2s_desktop.audio.protocol import Samples

BLOCK = 25
"""Frames of 10 ms that are compared at once: a syllable."""
LATEST = 40
"""Frames by which an echo may be late: what no driver tells, and the room."""
LAG_STEP = 10
"""The echo in a block was played at any of these lags before; the quietest of them bounds it."""
RINGING = 50
"""Frames for which the loudest sound that was played may still be heard."""
PERCENTILE = 90.0
"""Level of a block: that of its loud frames, but not of a single click."""
VOICE_DB = -45.0
"""Played sound below this (dBFS) says nothing about an echo."""
REMEMBERED_BLOCKS = 32
"""Comparisons that count, eight seconds of voice: then a louder volume is believed."""
OWN_BLOCKS = 3
"""Comparisons from which a remembered level counts no more."""
MARGIN_DB = 12.0
"""How much louder than the echo can be a voice must be. See `tests/benchmarks/bench_echo.py`."""
LOUD_FRAMES = 6
"""Frames in a row that must be that loud, for a click or an unlucky syllable is shorter."""
HOLD = 50
"""Frames for which it counts as a voice after the last loud one: the pause between words."""
UNTESTED_HOLD = 25
"""The same by a remembered level alone, once: enough to hold the voice, not enough to be an interruption."""
SILENT = 70
"""Frames of silence of the speaker after which a voice is looked back at."""
ENDS_TOGETHER = 35
"""What was not loud for so long by then ended with our own voice, which is held as soon as somebody speaks:
it was an echo. A person goes on, but for the shortest words."""
FLOOR_DB = -90.0


class EchoLevel:
    """Follows how loud the echo of the speaker can be in the microphone. Used by one thread.

    Attributes:
        bound_db: How much louder the echo in the microphone can at most be than what is played, in dB;
            infinite until something is known.
    """

    def __init__(self, remembered_db: float | None = None) -> None:
        """Begin.

        Args:
            remembered_db: An earlier `bound_db` of the same devices, to begin with.
        """
        self._remembered_db = remembered_db
        self._bounds: deque[float] = deque(maxlen=REMEMBERED_BLOCKS)
        self._frames = FrameLevels(FLOOR_DB)
        self._far: deque[float] = deque([FLOOR_DB] * (BLOCK + LATEST), maxlen=BLOCK + LATEST)
        self._near: deque[float] = deque(maxlen=BLOCK)
        self._loud = self._hold = self._quiet = self._silent = 0
        self._opened = False
        self.bound_db = self._bound()

    def begin(self) -> None:
        """The speaker fell silent: nothing that follows is an echo of what was played before."""
        self._frames.begin()
        self._far.extend([FLOOR_DB] * (BLOCK + LATEST))
        self._near.clear()
        self._loud = self._hold = self._quiet = self._silent = 0
        self._opened = False

    def is_voice(self, near: Samples, far: Samples) -> bool:
        """Take the next sound and return whether somebody speaks in it who is surely no echo.

        Args:
            near: shape (n,), 16 kHz: the microphone as it is.
            far: shape (n,): what the speaker played at that time, as far as the drivers tell.
        """
        for near_db, far_db in zip(*self._frames.take(near, far), strict=True):
            self._near.append(near_db)
            self._far.append(far_db)
            if len(self._near) == BLOCK:
                self._compare()
            self._decide(near_db)
        return self._hold > 0

    def _decide(self, near_db: float) -> None:
        self._silent = 0 if self._far[-1] >= VOICE_DB else self._silent + 1
        if self._silent == SILENT:
            if self._opened and self._quiet >= ENDS_TOGETHER:
                self._forget()
            self._opened = False
        played = max(max(list(self._far)[-RINGING:]), VOICE_DB)
        loud = near_db > played + self.bound_db + MARGIN_DB
        self._quiet = 0 if loud else self._quiet + 1
        self._loud = self._loud + 1 if loud and self._silent < RINGING else 0
        self._hold = max(self._hold - 1, 0)
        if self._silent >= RINGING:  # no bridge to where there may be an echo again
            self._hold = 0
        elif self._loud >= LOUD_FRAMES:
            self._opened = True
            self._hold = max(self._hold, HOLD if self._remembered_db is None else UNTESTED_HOLD)
            if self._remembered_db is not None:
                self._forget()

    def _forget(self) -> None:
        """What was known is wrong: another volume or other devices."""
        self._bounds.clear()
        self._remembered_db = None
        self.bound_db = self._bound()

    def _compare(self) -> None:
        far = np.array(self._far)
        played = min(
            float(np.percentile(far[LATEST - lag : LATEST - lag + BLOCK], PERCENTILE))
            for lag in range(0, LATEST + 1, LAG_STEP)
        )
        if played >= VOICE_DB:
            self._bounds.append(float(np.percentile(self._near, PERCENTILE)) - played)
            if len(self._bounds) == OWN_BLOCKS:
                self._remembered_db = None
            self.bound_db = self._bound()
        self._near.clear()

    def _bound(self) -> float:
        known = list(self._bounds)
        if self._remembered_db is not None:
            known.append(self._remembered_db)
        return min(known, default=float("inf"))
