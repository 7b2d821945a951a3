"""Turns whose begin and end a key says: push-to-talk and toggle."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.vad.detector import FRAME_SAMPLES, SAMPLE_RATE
from s2s_desktop.vad.events import SpeechDiscarded, SpeechSegment, SpeechStarted, VadEvent
from s2s_desktop.vad.heard_audio import HeardAudio

PRE_ROLL = int(0.3 * SAMPLE_RATE)
"""People begin to speak while the key goes down."""
TAIL = int(0.25 * SAMPLE_RATE)
"""People let go on the last syllable, and the last 50-100 ms of sound are still on their way."""
SHORTEST = int(0.15 * SAMPLE_RATE)
"""A shorter press is a slip; the shortest words take longer."""
SPLIT_SEARCH = 5 * SAMPLE_RATE
"""How far back an over-long segment is searched for a quiet place to split it."""
LONGEST_BRIDGE = int(0.2 * SAMPLE_RATE)
"""A gap up to this is filled with silence; a longer one splits the turn."""


@dataclass(slots=True)
class _Press:
    """A turn under way, in sample indexes.

    Attributes:
        audio_start: Where its segment begins (pre-roll included).
        start: When the key went down.
        released: When it went up; None while it is held.
        started: It has been held long enough to be a turn.
    """

    audio_start: int
    start: int
    released: int | None = None
    started: bool = False


class HeldEndpointer:
    """Makes one segment of everything between `press` and `release`, speech or not.

    Has the interface of `Endpointer`. Pure; everything must be called from one thread, but for `press` and
    `release`, which take effect behind the sound that was fed before them. Every `SpeechStarted` is followed
    by one `SpeechSegment`; too short a press gives `SpeechDiscarded` alone.
    """

    def __init__(self, *, max_speech_s: float = 30.0) -> None:
        """Make an endpointer for one source.

        Args:
            max_speech_s: Longest segment; a longer one is split at a quiet place and nothing is lost. At
                least 1.
        """
        self._max_speech = int(max_speech_s * SAMPLE_RATE)
        self._keys: deque[bool] = deque()
        self._pending: NDArray[np.float32] = np.zeros(0, np.float32)
        self._heard = HeardAudio(0)
        self.reset()

    def press(self) -> None:
        """Begin a turn. Pressed again within the tail of the last one, that one goes on. Any thread."""
        self._keys.append(True)

    def release(self) -> None:
        """End the turn, but for a tail of 250 ms. Any thread; without a turn it does nothing."""
        self._keys.append(False)

    def set_strict(self, strict: bool) -> None:
        """Do nothing: a key is never pressed by an echo."""

    def feed(
        self,
        samples: NDArray[np.float32],
        position: int | None = None,
        raw: NDArray[np.float32] | None = None,
    ) -> list[VadEvent]:
        """Take the next sound and return what it decided, in order; see `Endpointer.feed`.

        `samples` are only used where there is no `raw`. A long gap in a held turn splits it.
        """
        sound = samples if raw is None else raw
        events: list[VadEvent] = []
        gap = 0 if position is None else position - self.position
        if 0 < gap <= LONGEST_BRIDGE:
            sound = np.concatenate([np.zeros(gap, np.float32), sound])
        elif gap:
            events += self._jump(self.position + gap)
        events += self._take_keys()
        while sound.size:
            room = self._room
            events += self._take(sound[:room])
            sound = sound[room:]
        return events

    def finish(self) -> list[VadEvent]:
        """End a held turn here, when the microphone closes; return its events."""
        events = self._take_keys()
        self._keep_pending()
        press = self._press
        if press is not None:
            events.append(self._close(press) if press.started else SpeechDiscarded())
        self.reset()
        return events

    def reset(self, position: int | None = None) -> None:
        """Forget everything heard; a turn under way is dropped.

        A `press` not seen by `feed` yet still counts: the key may be what opened the microphone.

        Args:
            position: Index of the next sample in the source; None goes on counting.
        """
        self._heard = HeardAudio(self.position if position is None else position)
        self._pending = np.zeros(0, np.float32)
        self._used_until = self._heard.end
        self._press: _Press | None = None

    @property
    def position(self) -> int:
        """Index of the next sample that is expected."""
        return self._heard.end + len(self._pending)

    @property
    def running(self) -> NDArray[np.float32] | None:
        """The sound of the turn being heard, shape (n,), up to the last whole frame; None when none runs."""
        press = self._press
        if press is None or not press.started or press.audio_start >= self._heard.end:
            return None
        return self._heard.cut(press.audio_start, self._heard.end)

    @property
    def _room(self) -> int:
        """Samples up to where something happens: the end of a frame, or of the tail."""
        room = FRAME_SAMPLES - len(self._pending)
        press = self._press
        if press is None or press.released is None:
            return room
        return min(room, press.released + TAIL - self.position)

    def _take_keys(self) -> list[VadEvent]:
        events: list[VadEvent] = []
        while self._keys:
            pressed = self._keys.popleft()
            press = self._press
            if pressed and press is None:
                audio_start = max(self.position - PRE_ROLL, self._used_until, self._heard.start)
                self._press = _Press(audio_start, self.position)
            elif pressed and press is not None:
                press.released = None
            elif press is not None and press.started:
                press.released = self.position
            elif press is not None:
                self._press = None
                events.append(SpeechDiscarded())
        return events

    def _take(self, samples: NDArray[np.float32]) -> list[VadEvent]:
        self._pending = np.concatenate([self._pending, samples])
        press = self._press
        tail_is_over = press is not None and press.released == self.position - TAIL
        if tail_is_over or len(self._pending) == FRAME_SAMPLES:
            self._keep_pending()
        if press is None:
            self._heard.forget_before(self._heard.end - PRE_ROLL)
            return []
        if not press.started and self.position - press.start >= SHORTEST:
            press.started = True
            return [SpeechStarted(press.start)]
        if tail_is_over:
            return [self._close(press)]
        if self._heard.end - press.audio_start >= self._max_speech:
            return self._split(press)
        return []

    def _keep_pending(self) -> None:
        if self._pending.size:
            power = float(np.mean(np.square(self._pending)))
            self._heard.append(self._pending, speech=True, power=power)
            self._pending = self._pending[:0]

    def _jump(self, position: int) -> list[VadEvent]:
        """Go on at another place; a held turn is split there."""
        press = self._press
        events: list[VadEvent] = []
        self._keep_pending()
        held = press is not None and press.released is None
        if press is not None and press.started:
            events.append(self._close(press, goes_on=held))
        self.reset(position)
        if held:
            self._press = _Press(position, position)
        return events

    def _split(self, press: _Press) -> list[VadEvent]:
        """Close an over-long segment at a quiet place; what follows it goes on as the next one."""
        cut = self._heard.quietest(max(press.audio_start, self._heard.end - SPLIT_SEARCH), self._heard.end)
        segment = self._segment(press, cut, cut, goes_on=True)
        self._press = _Press(cut, cut, press.released, started=True)
        self._heard.forget_before(cut)
        return [segment, SpeechStarted(cut)]

    def _close(self, press: _Press, *, goes_on: bool = False) -> SpeechSegment:
        self._press = None
        end = self._heard.end if press.released is None else press.released
        return self._segment(press, end, self._heard.end, goes_on=goes_on)

    def _segment(self, press: _Press, end: int, audio_end: int, *, goes_on: bool) -> SpeechSegment:
        self._used_until = audio_end
        audio = self._heard.cut(press.audio_start, audio_end)
        return SpeechSegment(audio, press.start, end, decided=self._heard.end, goes_on=goes_on)
