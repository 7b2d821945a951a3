"""The last seconds of the microphone, frame by frame, to cut segments from."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class HeardFrame:
    """A frame and what it was.

    Attributes:
        start: Index of its first sample.
        samples: shape (n,), float32: what segments are cut from; n is 512 but for the last frame before a
            stop.
        speech: Whether it is speech.
        power: Mean square of the sound that decided about it.
    """

    start: int
    samples: NDArray[np.float32]
    speech: bool
    power: float

    @property
    def end(self) -> int:
        """Index behind its last sample."""
        return self.start + len(self.samples)


class HeardAudio:
    """Consecutive frames. Indexes are those of the source."""

    def __init__(self, position: int) -> None:
        """Begin at sample `position`."""
        self._frames: deque[HeardFrame] = deque()
        self._end = position

    @property
    def start(self) -> int:
        """Index of the first sample that is still here."""
        return self._frames[0].start if self._frames else self._end

    @property
    def end(self) -> int:
        """Index behind the last sample."""
        return self._end

    def append(self, samples: NDArray[np.float32], *, speech: bool, power: float) -> HeardFrame:
        """Add the next frame, of shape (n,), and return it; see `HeardFrame`."""
        frame = HeardFrame(self._end, samples, speech, power)
        self._frames.append(frame)
        self._end = frame.end
        return frame

    def forget_before(self, position: int) -> None:
        """Drop the frames that end at or before `position`."""
        while self._frames and self._frames[0].end <= position:
            self._frames.popleft()

    def cut(self, start: int, end: int) -> NDArray[np.float32]:
        """Return the samples start..end, of which all must still be here."""
        frames = [frame for frame in self._frames if frame.start < end and frame.end > start]
        offset = start - frames[0].start
        return np.concatenate([frame.samples for frame in frames])[offset : offset + end - start]

    def speech_frames(self, start: int, end: int) -> list[HeardFrame]:
        """Return the frames of speech that begin within start..end."""
        return [frame for frame in self._frames if frame.speech and start <= frame.start < end]

    def quietest(self, start: int, end: int) -> int:
        """Return the middle of the quietest three frames (96 ms) within start..end."""
        frames = [frame for frame in self._frames if frame.start >= start and frame.end <= end]
        smooth = np.convolve([frame.power for frame in frames], np.ones(3), mode="valid")
        middle = frames[int(np.argmin(smooth)) + 1]
        return (middle.start + middle.end) // 2
