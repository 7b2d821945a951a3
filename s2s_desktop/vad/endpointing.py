"""Where a turn of the user begins and ends: the rules on top of speech detection."""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.vad.detector import FRAME_SAMPLES, SAMPLE_RATE, SpeechDetector
from s2s_desktop.vad.events import (
    SpeechDiscarded,
    SpeechOnset,
    SpeechPaused,
    SpeechResumed,
    SpeechSegment,
    SpeechStarted,
    VadEvent,
)
from s2s_desktop.vad.heard_audio import HeardAudio, HeardFrame
from s2s_desktop.vad.running_turn import RunningTurn
from s2s_desktop.vad.speech_gate import SpeechGate
from s2s_desktop.vad.turn_pause import pause_ms as pause_by_judgment

MIN_PRE_ROLL_MS = 200
"""Silero opens late on a soft first sound such as "f"; with less in front, first words lose it."""
JUDGE_MS = 64
"""Silence after which Smart Turn is asked, so that its answer is there at the soft end. Silero itself lags
about 100 ms behind the end of a voice, so some 160 ms of true silence have passed. Asked after 160 ms instead
it is as sure of the ends of 17 recordings, and finds one pause less to be an end (measured)."""
SOFT_END_MS = 96
"""Silence after which a pause is reported, which is when the work ahead begins. 160 ms would find 33 pauses
in 17 recordings where this finds 34, and would let every reply begin later (measured)."""
TRAILING_MS = SOFT_END_MS
"""How much of the pause stays in a segment: room for a last soft sound, no more for Whisper to fill, and as
much as is there at the soft end, so that the sound transcribed ahead is the sound of the segment. Word errors
with 160, 96 and 64 ms: 17, 16 and 14 of 319 (measured)."""
ONSET_MS = 64
"""Speech that is reported as the onset of more. Silero opens some 50 ms late, so a voice has been heard for
about 100 ms. Keyboard, tap, jazz and room tone give no onset at the strict threshold (measured), so waiting
for another frame would only let the assistant speak on over the user."""
ONSET_WINDOW_MS = 1000
"""Minimum speech must come together within this time: sparse clicks of a keyboard never add up to it."""
SPLIT_SEARCH_S = 5.0
"""How far back an over-long segment is searched for a quiet place to split it."""
LONGEST_BRIDGE_MS = 200
"""A gap up to this is filled with silence; after a longer one the sound begins anew."""
STRICT_THRESHOLD = 0.6
STRICT_MIN_SPEECH_MS = 350
"""What speech needs at least while the assistant speaks, where a rest of its own voice may be left in the
microphone. Behind the echo canceller that rest stays below 0.2 (measured in a simulated room); pipecat asks
for 0.7 at all times and livekit for 500 ms to interrupt, which would hear an interruption later."""

_log = logging.getLogger(__name__)

_Sound = tuple[NDArray[np.float32], NDArray[np.float32]]
"""The same moment twice, both of shape (n,): what decides, and what segments are cut from."""
_NO_SOUND: _Sound = (np.zeros(0, np.float32), np.zeros(0, np.float32))

Judge = Callable[[NDArray[np.float32]], float]
"""Takes the turn so far, shape (n,), 16 kHz mono, and returns the probability that it is finished, 0..1."""


class Endpointer:
    """Cuts the sound of a source into segments of speech, one a turn.

    Pure: no thread, no clock, no device. The same sound gives the same events however it is divided into
    blocks. A turn gives `SpeechOnset`, `SpeechStarted`, pairs of `SpeechPaused` and `SpeechResumed`, a last
    `SpeechPaused` and its `SpeechSegment`. Speech that stays below the minimum gives `SpeechDiscarded`
    instead, without a `SpeechOnset` when it was very short. What follows a split begins with `SpeechStarted`,
    and what `finish` or lost sound ends may lack the last `SpeechPaused`.

    Everything must be called from one thread, but for `set_strict`.
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
        judge: Judge | None = None,
    ) -> None:
        """Make an endpointer for one source.

        Args:
            detector: Its own detector of speech.
            threshold: Probability from which a frame is speech, 0..1.
            pause_ms: Silence that ends a turn, at least 200; see `turn_pause` for how `judge` changes it.
            min_speech_ms: Speech that makes a turn, counted on frames of speech alone.
            pre_roll_ms: Sound kept in front of the first speech; at least 200 is kept.
            max_speech_s: Longest segment; speech that goes on is split at a quiet place and nothing is
                lost. At least 1.
            judge: Asked once a pause how finished the turn sounds (`smart_turn.SmartTurn.finished`). When it
                fails, that is logged once and `pause_ms` decides alone.
        """
        self._pending = _NO_SOUND
        self._detector = detector
        self._gate = SpeechGate()
        self._judge = judge
        self._judge_failed = False
        self._strict = False
        self._threshold = threshold
        self._pause_ms = pause_ms
        self._min_speech = _samples(min_speech_ms)
        self._pre_roll = _samples(max(pre_roll_ms, MIN_PRE_ROLL_MS))
        self._max_speech = int(max_speech_s * SAMPLE_RATE)
        self.reset(0)

    def set_strict(self, strict: bool) -> None:
        """Ask for clearer and longer speech from the next frame on, while the assistant speaks.

        May be called from any thread.
        """
        self._strict = strict

    def feed(
        self,
        samples: NDArray[np.float32],
        position: int | None = None,
        raw: NDArray[np.float32] | None = None,
    ) -> list[VadEvent]:
        """Take the next sound and return what it decided, in order.

        Args:
            samples: shape (n,), float32, 16 kHz mono, any n: what decides, without echo.
            position: Index of the first of `samples` in the source. A jump means that sound was lost: a
                short gap is filled with silence; a longer one ends a running segment and begins anew.
                None: it follows the sound before.
            raw: The same moment as the microphone heard it, same shape: what segments are cut from. Echo
                cancelling costs speech-to-text more words than it saves. None: `samples`.

        Raises:
            ValueError: `raw` has another shape than `samples`.
        """
        events: list[VadEvent] = []
        sound = (samples, samples if raw is None else raw)
        if sound[0].shape != sound[1].shape:
            raise ValueError(f"raw has the shape {sound[1].shape}, samples {samples.shape}")
        gap = 0 if position is None else position - self.position
        if 0 < gap <= _samples(LONGEST_BRIDGE_MS):
            sound = _joined((np.zeros(gap, np.float32),) * 2, sound)
        elif gap:
            events += self.finish()
            self.reset(position)
        if self._pending[0].size:
            sound = _joined(self._pending, sound)
        deciding, heard = sound
        whole = deciding.size - deciding.size % FRAME_SAMPLES
        for start in range(0, whole, FRAME_SAMPLES):
            end = start + FRAME_SAMPLES
            events += self._take(deciding[start:end], heard[start:end])
        self._pending = (deciding[whole:], heard[whole:])
        return events

    def finish(self) -> list[VadEvent]:
        """End a running turn here, at the end of a file or when the microphone closes; return its events."""
        events: list[VadEvent] = []
        rest, self._pending = self._pending, _NO_SOUND
        if rest[0].size:
            events += self._take(*rest)
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
        self._pending = _NO_SOUND
        self._used_until = self._heard.end
        self._turn: RunningTurn | None = None
        self._gate.reset()
        self._detector.reset()

    @property
    def position(self) -> int:
        """Index of the next sample that is expected."""
        return self._heard.end + self._pending[0].size

    @property
    def running(self) -> NDArray[np.float32] | None:
        """The sound of the turn being heard, shape (n,), up to the last whole frame; None when none runs."""
        turn = self._turn
        if turn is None or not turn.started:
            return None
        return self._heard.cut(turn.audio_start, self._heard.end)

    def _take(self, deciding: NDArray[np.float32], raw: NDArray[np.float32]) -> list[VadEvent]:
        """Take one frame, both of shape (n,): what decides, and what segments are cut from."""
        threshold = max(self._threshold, STRICT_THRESHOLD) if self._strict else self._threshold
        missing = FRAME_SAMPLES - deciding.size
        whole = np.pad(deciding, (0, missing)) if missing else deciding
        speech = self._gate.is_speech(self._detector.probability(whole), threshold)
        power = float(deciding @ deciding) / deciding.size
        frame = self._heard.append(raw, speech=speech, power=power)
        events = self._extend(frame) if speech else []
        turn = self._turn
        if turn is not None:
            silence = frame.end - turn.end
            if turn.started and not turn.judged and silence >= _samples(JUDGE_MS):
                self._ask_judge(turn)
            if turn.started and not turn.paused and silence >= _samples(SOFT_END_MS):
                events.append(self._pause(turn))
            if silence >= (turn.pause if turn.paused else _samples(self._pause_ms)):
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
            turn = self._turn = RunningTurn(frame.start, frame.start, frame.end)
        turn.end = frame.end
        if turn.started:
            resumed, turn.paused, turn.judged = turn.paused, False, False
            return [SpeechResumed()] if resumed else []
        least = max(self._min_speech, _samples(STRICT_MIN_SPEECH_MS)) if self._strict else self._min_speech
        spoken = turn.hear(frame, onset_window=max(_samples(ONSET_WINDOW_MS), 2 * least))
        turn.audio_start = max(turn.start - self._pre_roll, self._used_until)
        events: list[VadEvent] = []
        if not turn.noticed and spoken >= _samples(ONSET_MS):
            turn.noticed = True
            events.append(SpeechOnset(turn.start))
        if spoken >= least:
            turn.started = True
            events.append(SpeechStarted(turn.start))
        return events

    def _pause(self, turn: RunningTurn) -> VadEvent:
        """Note that the user is silent, and decide how long this may go on."""
        turn.paused = True
        turn.pause = _samples(pause_by_judgment(self._pause_ms, turn.finished))
        audio = self._heard.cut(turn.audio_start, self._audio_end(turn))
        return SpeechPaused(audio, turn.start, turn.end, decided=self._heard.end, finished=turn.finished)

    def _ask_judge(self, turn: RunningTurn) -> None:
        """Note how finished the turn sounds; None where nothing can judge it."""
        turn.judged, turn.finished = True, None
        if self._judge is None:
            return
        try:
            turn.finished = self._judge(self._heard.cut(turn.audio_start, self._heard.end))
        except Exception:
            if not self._judge_failed:
                _log.exception("the end of a sentence cannot be judged; the pause alone decides")
            self._judge_failed = True

    def _close(self, turn: RunningTurn) -> VadEvent:
        """End the turn with the pause it has had."""
        self._turn = None
        if not turn.started:
            return SpeechDiscarded()
        return self._segment(turn, turn.end, self._audio_end(turn))

    def _audio_end(self, turn: RunningTurn) -> int:
        return min(turn.end + _samples(TRAILING_MS), self._heard.end)

    def _split(self, turn: RunningTurn) -> list[VadEvent]:
        """Close an over-long segment at a quiet place; what follows it goes on as the next one."""
        now = self._heard.end
        cut = self._heard.quietest(max(turn.start, now - int(SPLIT_SEARCH_S * SAMPLE_RATE)), now)
        before = self._heard.speech_frames(turn.audio_start, cut)
        after = self._heard.speech_frames(cut, now)
        self._turn = None
        if before[-1].end <= cut and not after:
            return [self._segment(turn, before[-1].end, cut)]
        start = cut if before[-1].end > cut else after[0].start
        segment = self._segment(turn, min(before[-1].end, cut), cut, goes_on=True)
        self._turn = RunningTurn(cut, start, turn.end, started=True)
        return [segment, SpeechStarted(start)]

    def _segment(
        self, turn: RunningTurn, end: int, audio_end: int, *, goes_on: bool = False
    ) -> SpeechSegment:
        self._used_until = audio_end
        audio = self._heard.cut(turn.audio_start, audio_end)
        return SpeechSegment(audio, turn.start, end, decided=self._heard.end, goes_on=goes_on)


def _joined(first: _Sound, second: _Sound) -> _Sound:
    return np.concatenate([first[0], second[0]]), np.concatenate([first[1], second[1]])


def _samples(milliseconds: int) -> int:
    return milliseconds * SAMPLE_RATE // 1000
