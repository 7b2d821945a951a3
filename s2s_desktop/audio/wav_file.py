"""Sound files in place of a sound card."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np

from s2s_desktop.audio.clock import SYSTEM_CLOCK, Clock
from s2s_desktop.audio.echo_reference import EchoReference
from s2s_desktop.audio.protocol import PIPELINE_RATE, AudioBlock, Samples
from s2s_desktop.audio.sound_file import WavWriter, read_wav, write_wav
from s2s_desktop.audio.voice_queue import VoiceQueue
from s2s_desktop.errors import AssistantError

__all__ = ["VOICE_RATE", "WavSink", "WavSource", "read_wav", "write_wav"]

VOICE_RATE = 24_000
"""Sample rate of recorded replies, Kokoro's own."""
BLOCK_SAMPLES = PIPELINE_RATE // 50
JOIN_TIMEOUT_S = 2.0

_BEHIND_S = 0.1
"""A consumer that holds a block for longer made the file wait: pacing starts anew, without a burst."""

_log = logging.getLogger(__name__)


class WavSource:
    """A sound file that plays the microphone (an `AudioSource`), in blocks of 20 ms.

    Attributes:
        name: Name of the file.
        live: False: the file waits while a block is being taken.
    """

    live = False

    def __init__(
        self,
        path: Path | str,
        *,
        realtime: bool = True,
        trailing_silence_s: float = 2.0,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        """Prepare; the file is read by `start`.

        Args:
            path: See `read_wav`.
            realtime: Deliver at the speed of a microphone; otherwise as fast as blocks are taken.
            trailing_silence_s: Seconds of zeros behind the file, so that a pause ends the last turn.
            clock: Replaceable for tests.
        """
        self.name = Path(path).name
        self._path = Path(path)
        self._realtime = realtime
        self._silence = round(trailing_silence_s * PIPELINE_RATE)
        self._clock = clock
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, on_block: Callable[[AudioBlock], None], on_end: Callable[[str], None]) -> None:
        """Read the file and deliver it; see `AudioSource.start`. A running source is stopped first.

        Raises:
            AssistantError: kind BAD_REQUEST, as for `read_wav`.
        """
        self.stop()
        sound = np.concatenate([read_wav(self._path), np.zeros(self._silence, np.float32)])
        self._stopping = threading.Event()
        self._thread = threading.Thread(
            target=self._deliver,
            args=(sound, on_block, on_end, self._stopping),
            name=f"file {self.name}",
            daemon=True,
        )
        self._thread.start()

    def stop(self) -> None:
        """Deliver no more. Idempotent."""
        self._stopping.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(JOIN_TIMEOUT_S)

    def _deliver(
        self,
        sound: Samples,
        on_block: Callable[[AudioBlock], None],
        on_end: Callable[[str], None],
        stopping: threading.Event,
    ) -> None:
        captured_at = self._clock.monotonic()
        try:
            for position in range(0, len(sound), BLOCK_SAMPLES):
                samples = sound[position : position + BLOCK_SAMPLES]
                captured_at = self._pace(captured_at + len(samples) / PIPELINE_RATE, stopping)
                if stopping.is_set():
                    return
                on_block(AudioBlock(samples, position, captured_at))
        except Exception:
            _log.exception("taking the sound of %s failed", self.name)
            on_end(f"“{self.name}” was stopped by a fault of this program.")
        else:
            on_end("")

    def _pace(self, due: float, stopping: threading.Event) -> float:
        """Wait until `due` and return when the block counts as captured."""
        now = self._clock.monotonic()
        if not self._realtime:
            return now
        if now < due:
            self._clock.wait(stopping, due - now)
        elif now - due > _BEHIND_S:
            return now
        return due


class WavSink:
    """A speaker that records what is played (an `AudioSink`): 24 kHz, 16-bit, mono, no silence between.

    Attributes:
        name: Name of the file, or "no speaker".
        reference: None: nobody hears it.
    """

    def __init__(
        self, path: Path | str | None = None, *, realtime: bool = True, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        """Prepare; the file is begun by `start`.

        Args:
            path: The file to write; None records nothing. It appears at `stop`, if anything was played.
            realtime: Play at the speed of a speaker; otherwise everything is heard the moment it is queued.
            clock: Replaceable for tests.
        """
        self.name = "no speaker" if path is None else Path(path).name
        self.reference: EchoReference | None = None
        self._path = path
        self._realtime = realtime
        self._clock = clock
        self._lock = threading.RLock()
        self._running = False
        self._begin()

    def _begin(self) -> None:
        self._queue = VoiceQueue(VOICE_RATE)
        self._pulled = 0
        self._played = 0
        self._opened_at = self._clock.monotonic()
        self._writer: WavWriter | None = None
        self._failure: AssistantError | None = None

    def start(self) -> None:
        """Begin the file. A running sink is stopped first.

        Raises:
            AssistantError: kind DEVICE, when it cannot be written.
        """
        self.stop()
        with self._lock:
            self._begin()
            if self._path is not None:
                self._writer = WavWriter(self._path, VOICE_RATE)
            self._running = True

    def stop(self) -> None:
        """Drop what was not heard yet and complete the file. Idempotent.

        Raises:
            AssistantError: kind DEVICE, when the file could not be written, now or while playing.
        """
        with self._lock:
            if not self._running:
                return
            self._advance()
            self._running = False
            self._queue.clear()
            writer, self._writer = self._writer, None
            if writer is None:
                return
            try:
                if self._failure is not None:
                    raise self._failure
                if self._played:
                    writer.commit()
            finally:
                writer.discard()

    def play(self, samples: Samples, sample_rate: int) -> None:
        """Queue voice; see `AudioSink.play`. Dropped before `start` and after `stop`.

        Raises:
            ValueError: `samples` is not of shape (n,).
        """
        with self._lock:
            if self._running:
                self._advance()
                self._queue.play(samples, sample_rate, self._clock.monotonic())
                self._advance()

    def expect_voice(self, expected: bool) -> None:
        """Do nothing: a file is always ready."""

    def pause(self) -> None:
        """Play nothing more until `resume`, after a fade of 8 ms."""
        with self._lock:
            self._advance()
            self._queue.pause()

    def resume(self) -> None:
        """Go on where `pause` began."""
        with self._lock:
            self._advance()
            self._queue.resume()

    def flush(self) -> None:
        """Drop everything queued but a fade of 8 ms."""
        with self._lock:
            self._advance()
            self._queue.flush()

    @property
    def played_seconds(self) -> float:
        """Seconds of voice heard since `start`."""
        with self._lock:
            self._advance()
            return self._played / VOICE_RATE

    @property
    def queued_seconds(self) -> float:
        """Seconds of voice not heard yet."""
        with self._lock:
            self._advance()
            return self._queue.queued_seconds

    @property
    def underruns(self) -> int:
        """How often voice was missing within a reply (see `VoiceQueue`); 0 when not in real time."""
        return self._queue.underruns if self._realtime else 0

    def _advance(self) -> None:
        """Play what a speaker would have played by now."""
        if not self._running:
            return
        if self._realtime:
            now = self._clock.monotonic()
            due = int((now - self._opened_at) * VOICE_RATE) - self._pulled
        else:
            now = 0.0
            due = round(self._queue.queued_seconds * VOICE_RATE)
        self._pulled += due
        while due > 0:
            # A second at a time: the sink may not have been asked for hours.
            voice = np.empty(min(due, VOICE_RATE), np.float32)
            due -= len(voice)
            count = self._queue.pull(voice, now - due / VOICE_RATE)
            self._played += count
            self._record(voice[:count])
            if count < len(voice):
                break

    def _record(self, voice: Samples) -> None:
        if self._writer is None or self._failure is not None:
            return
        try:
            self._writer.write(voice)
        except AssistantError as error:
            self._failure = error
