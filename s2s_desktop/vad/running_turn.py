"""A turn while it is being heard."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from s2s_desktop.vad.heard_audio import HeardFrame


@dataclass(slots=True)
class RunningTurn:
    """What is known of the turn so far; all fields but `onset` and the flags are sample indexes.

    Attributes:
        audio_start: Where its segment will begin (pre-roll included).
        start: First sample of speech.
        end: Behind the last sample of speech so far.
        noticed: Its onset was reported.
        started: Minimum speech was reached.
        judged: It was asked in this silence how finished the turn sounds.
        finished: The answer, 0..1; None without one.
        paused: A pause was reported and speech has not gone on since.
        pause: Samples of silence that end it; decided anew in each pause.
        onset: Frames of speech within the onset window; only used until `started`.
    """

    audio_start: int
    start: int
    end: int
    noticed: bool = False
    started: bool = False
    judged: bool = False
    finished: float | None = None
    paused: bool = False
    pause: int = 0
    onset: deque[HeardFrame] = field(default_factory=deque)

    def hear(self, frame: HeardFrame, *, onset_window: int) -> int:
        """Add a frame of speech before the turn has started.

        Args:
            frame: The newest frame of speech.
            onset_window: Samples within which speech counts together.

        Returns:
            Samples of speech within the window.
        """
        self.onset.append(frame)
        while frame.end - self.onset[0].start > onset_window:
            self.onset.popleft()
        self.start = self.onset[0].start
        return sum(len(speech.samples) for speech in self.onset)
