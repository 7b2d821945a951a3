"""Where a turn of the user begins and ends: the rules on top of speech detection."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.vad.detector import FRAME_SAMPLES, SAMPLE_RATE, SpeechDetector
from s2s_desktop.vad.events import SpeechDiscarded, SpeechSegment, SpeechStarted, VadEvent
from s2s_desktop.vad.heard_audio import HeardAudio, HeardFrame
from s2s_desktop.vad.speech_gate import SpeechGate

MIN_PRE_ROLL_MS = 200
"""Silero opens late on a soft first sound such as "f"; with less in front, first words lose it."""
TRAILING_MS = 200
"""How much of the pause stays in a segment: room for a last soft sound, no more for Whisper to fill."""
ONSET_WINDOW_MS = 1000
"""Minimum speech must come together within this time: sparse clicks of a keyboard never add up to it."""
SPLIT_SEARCH_S = 5.0
"""How far back an over-long segment is searched for a quiet place to split it."""
LONGEST_BRIDGE_MS = 200
"""A gap up to this is filled with silence; after a longer one the sound begins anew."""


@dataclass(slots=True)
class _Turn:
    """A turn that is being heard.

    Attributes:
        audio_start: Where its segment will begin (pre-roll included).
        start: First sample of speech.
        end: Behind the last sample of speech so far.
        started: Minimum speech was reached.
        onset: Frames of speech within the onset window; only used until `started`.
    """

    audio_start: int
    start: int
    end: int
    started: bool = False
    onset: deque[HeardFrame] = field(default_factory=deque)


class Endpointer:
    """Cuts the sound of a source into segments of speech, one a turn.

    Pure: no thread, no clock, no device. The same sound gives the same events however it is divided into
    blocks. Every `SpeechStarted` is followed by one `SpeechSegment`; speech that stays below the minimum
    gives `SpeechDiscarded` alone.
    """

    def __init__(
        self,
        detector: SpeechDetector,
        *,
        threshold: float = 0.5,
        pause_ms: int = 600,
        min_speech_ms: int = 250,
        pre_roll_ms: int = 400,
        max_speech_s: float = 30.0,
    ) -> None:
        """Make an endpointer for one source.

        Args:
            detector: Its own detector of speech.
            threshold: Probability from which a frame is speech, 0..1.
            pause_ms: Silence that ends a turn.
            min_speech_ms: Speech that makes a turn, counted on frames of speech alone.
            pre_roll_ms: Sound kept in front of the first speech; at least 200 is kept.
            max_speech_s: Longest segment; speech that goes on is split at a quiet place and nothing is
                lost. At least 1.
        """
        self._pending: NDArray[np.float32] = np.zeros(0, np.float32)
        self._detector = detector
        self._gate = SpeechGate(threshold)
        self._pause = _samples(pause_ms)
        self._min_speech = _samples(min_speech_ms)
        self._onset_window = max(_samples(ONSET_WINDOW_MS), 2 * self._min_speech)
        self._pre_roll = _samples(max(pre_roll_ms, MIN_PRE_ROLL_MS))
        self._max_speech = int(max_speech_s * SAMPLE_RATE)
        self.reset(0)

    def feed(self, samples: NDArray[np.float32], position: int | None = None) -> list[VadEvent]:
        """Take the next sound and return what it decided, in order.

        Args:
            samples: shape (n,), float32, 16 kHz mono, any n.
            position: Index of the first of `samples` in the source. A jump means that sound was lost: a
                short gap is filled with silence; a longer one ends a running segment and begins anew.
                None: it follows the sound before.
        """
        events: list[VadEvent] = []
        gap = 0 if position is None else position - self.position
        if 0 < gap <= _samples(LONGEST_BRIDGE_MS):
            samples = np.concatenate([np.zeros(gap, np.float32), samples])
        elif gap:
            events += self.finish()
            self.reset(position)
        sound = np.concatenate([self._pending, samples])
        whole = len(sound) - len(sound) % FRAME_SAMPLES
        for offset in range(0, whole, FRAME_SAMPLES):
            events += self._take(sound[offset : offset + FRAME_SAMPLES])
        self._pending = sound[whole:]
        return events

    def finish(self) -> list[VadEvent]:
        """End a running turn here, at the end of a file or the release of a key; return what it came to."""
        events: list[VadEvent] = []
        rest, self._pending = self._pending, self._pending[:0]
        if rest.size:
            events += self._take(rest)
        if self._turn is not None:
            events.append(self._close(self._turn))
        self.reset()
        return events

    def reset(self, position: int | None = None) -> None:
        """Forget everything heard; a running turn is dropped (`finish` returns it).

        Args:
            position: Index of the next sample in the source; None goes on counting.
        """
        self._heard = HeardAudio(self.position if position is None else position)
        self._pending = np.zeros(0, np.float32)
        self._used_until = self._heard.end
        self._turn: _Turn | None = None
        self._gate.reset()
        self._detector.reset()

    @property
    def position(self) -> int:
        """Index of the next sample that is expected."""
        return self._heard.end + len(self._pending)

    def _take(self, samples: NDArray[np.float32]) -> list[VadEvent]:
        padded = samples
        if len(samples) < FRAME_SAMPLES:
            padded = np.pad(samples, (0, FRAME_SAMPLES - len(samples)))
        speech = self._gate.is_speech(self._detector.probability(padded))
        frame = self._heard.append(samples, speech=speech)
        events: list[VadEvent] = []
        if speech:
            events += self._extend(frame)
        turn = self._turn
        if turn is not None:
            if frame.end - turn.end >= self._pause:
                events.append(self._close(turn))
            elif turn.started and frame.end - turn.audio_start >= self._max_speech:
                events += self._split(turn)
        turn = self._turn
        self._heard.forget_before(frame.end - self._pre_roll if turn is None else turn.audio_start)
        return events

    def _extend(self, frame: HeardFrame) -> list[VadEvent]:
        """Add a frame of speech to the turn; begin one if there is none."""
        turn = self._turn
        if turn is None:
            turn = self._turn = _Turn(frame.start, frame.start, frame.end)
        turn.end = frame.end
        if turn.started:
            return []
        turn.onset.append(frame)
        while frame.end - turn.onset[0].start > self._onset_window:
            turn.onset.popleft()
        turn.start = turn.onset[0].start
        turn.audio_start = max(turn.start - self._pre_roll, self._used_until)
        turn.started = sum(len(speech.samples) for speech in turn.onset) >= self._min_speech
        return [SpeechStarted(turn.start)] if turn.started else []

    def _close(self, turn: _Turn) -> VadEvent:
        """End the turn with the pause it has had."""
        self._turn = None
        if not turn.started:
            return SpeechDiscarded()
        audio_end = min(turn.end + _samples(TRAILING_MS), self._heard.end)
        return self._segment(turn, turn.end, audio_end)

    def _split(self, turn: _Turn) -> list[VadEvent]:
        """Close an over-long segment at a quiet place; what follows it goes on as the next one."""
        now = self._heard.end
        cut = self._heard.quietest(max(turn.start, now - int(SPLIT_SEARCH_S * SAMPLE_RATE)), now)
        before = self._heard.speech_frames(turn.audio_start, cut)
        after = self._heard.speech_frames(cut, now)
        events: list[VadEvent] = [self._segment(turn, min(before[-1].end, cut), cut)]
        self._turn = None
        if before[-1].end > cut or after:
            start = cut if before[-1].end > cut else after[0].start
            self._turn = _Turn(cut, start, turn.end, started=True)
            events.append(SpeechStarted(start))
        return events

    def _segment(self, turn: _Turn, end: int, audio_end: int) -> SpeechSegment:
        self._used_until = audio_end
        return SpeechSegment(
            self._heard.cut(turn.audio_start, audio_end), turn.start, end, decided=self._heard.end
        )


def _samples(milliseconds: int) -> int:
    return milliseconds * SAMPLE_RATE // 1000
