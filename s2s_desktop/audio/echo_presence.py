"""Tells whether our own voice comes back through the microphone at all.

With headphones it does not, and there AEC3 does harm: it expects an echo and, finding none to learn from,
takes the voice of the user for one. Loudness tells the two apart: the echo of a voice rises and falls with
the voice, whatever room and loudspeaker do to it, and neither the noise of a room nor another voice does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.audio.frame_levels import FrameLevels
from s2s_desktop.audio.protocol import Samples

WINDOW = 200
"""Frames of 10 ms that are compared: two seconds hold eight syllables or so."""
ENOUGH = 120
"""Frames from which a comparison means something."""
EVERY = 25
"""Frames between two comparisons."""
LAGS = 40
"""Frames by which the microphone may be late: what no driver tells, and the room."""
ALIKE = 0.6
STRANGE = 0.35
"""Correlations of loudness from which it is an echo, and below which it is none. Measured with a rough
loudspeaker in a room: echoes down to -30 dB 0.7 to 0.9, in noise that nearly hides them 0.5; noise alone at
most 0.25."""
CHECKS_TO_BELIEVE = 2
CHECKS_TO_DOUBT = 6
"""Comparisons in a row. The user speaks over the voice for a moment and looks like no echo, or by chance like
one: a doubt takes longer than that moment, for the voice is held as soon as somebody speaks."""
FLOOR_DB = -80.0


class EchoPresence:
    """Follows the loudness of microphone and speaker while the speaker plays. Used by one thread.

    Attributes:
        present: Whether there is an echo, as far as is known; True until the contrary is seen.
    """

    def __init__(self) -> None:
        self.present = True
        self._near: NDArray[np.float64] = np.zeros(0)
        self._far: NDArray[np.float64] = np.zeros(0)
        self._frames = FrameLevels(FLOOR_DB)
        self._since = 0
        self._alike = self._strange = 0

    def begin(self) -> None:
        """The speaker fell silent: what is left of a frame does not belong to what follows.

        What was compared so far still counts, for replies that are interrupted are short.
        """
        self._frames.begin()

    def follow(self, near: Samples, far: Samples) -> None:
        """Take what the microphone heard while the speaker played.

        Args:
            near: shape (n,), 16 kHz: the microphone as it is.
            far: shape (n,): what the speaker played at that time, as far as the drivers tell.
        """
        loudness = self._frames.take(near, far)
        self._near = np.concatenate([self._near, loudness[0]])[-WINDOW:]
        self._far = np.concatenate([self._far, loudness[1]])[-WINDOW:]
        self._since += loudness.shape[1]
        if self._since >= EVERY and self._far.size >= ENOUGH:
            self._since = 0
            self._judge(self.likeness())

    def _judge(self, likeness: float) -> None:
        self._alike = self._alike + 1 if likeness >= ALIKE else 0
        self._strange = self._strange + 1 if likeness < STRANGE else 0
        if self._alike >= CHECKS_TO_BELIEVE:
            self.present = True
        elif self._strange >= CHECKS_TO_DOUBT:
            self.present = False

    def likeness(self) -> float:
        """Return how alike both rise and fall at the lag where they do most, -1..1; 0 where one is even."""
        best = 0.0
        for lag in range(min(LAGS, self._far.size - ENOUGH // 2)):
            near, far = self._near[lag:], self._far[: self._far.size - lag]
            near, far = near - near.mean(), far - far.mean()
            size = float(np.sqrt(np.sum(near**2) * np.sum(far**2)))
            if size > 0.0:
                best = max(best, float(np.sum(near * far)) / size)
        return best
