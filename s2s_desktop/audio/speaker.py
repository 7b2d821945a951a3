"""The speaker of this computer."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.audio import portaudio
from s2s_desktop.audio.clock import SYSTEM_CLOCK, Clock
from s2s_desktop.audio.device_follower import LOOK_INTERVAL_S, DeviceFollower
from s2s_desktop.audio.devices import Device
from s2s_desktop.audio.echo_reference import EchoReference
from s2s_desktop.audio.opening import describe_refusal, open_device
from s2s_desktop.audio.playback_clock import PlaybackClock
from s2s_desktop.audio.protocol import Samples
from s2s_desktop.audio.voice_queue import VoiceQueue
from s2s_desktop.audio.watchdog import CallbackWatchdog
from s2s_desktop.errors import AssistantError

TICK_S = 0.25
"""How often the watching thread looks after the device."""
KEEP_S = 5.0
"""How long queued voice waits for a lost device; a reply must not wait longer for a speaker that is gone."""
REST_AFTER_S = 60.0
"""After so long without voice the device is given back. Silence for it costs as much as listening does, and
keeps sound cards and Bluetooth awake."""
SETTLE_S = 5.0
"""How long it stays open after `start`, where nobody has spoken yet: by then it shows whether its buffer is
large enough."""
MAX_LATENCY_S = 0.16
UNDERFLOWS_TO_SLOW_DOWN = 3
"""After so many underflows of the device within about a second its buffer is doubled. PulseAudio's ALSA
plugin with another rate than the server's underflows at 40 ms all the time and never at 100 ms (measured)."""
JOIN_TIMEOUT_S = 2.0

_RATES = (48_000, 44_100, 96_000, 192_000, 32_000, 24_000, 16_000)
_TICKS_A_SECOND = 4
_SANE_DELAY_S = 2.0

_log = logging.getLogger(__name__)


class PortAudioSpeaker:
    """An `AudioSink` over PortAudio: one stream that plays silence between replies.

    A thread watches the device. When it goes, the stream is opened again on the same or the default device
    and what was queued goes on; without any device the voice is dropped until there is one. After a minute
    without voice the device is given back until voice is expected.

    Attributes:
        name: The device in use, or the wanted one before `start`.
        reference: What was really played, voice and silence.
    """

    def __init__(
        self,
        device_name: str = "",
        *,
        on_problem: Callable[[str], None] | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        """Prepare; the device is opened by `start`.

        Args:
            device_name: Label or name as listed by `devices.list_devices`; "" for the default speaker.
            on_problem: Told in a sentence when the device went, came back, or is another one than wanted.
                Called from any thread; it must return soon and never raise.
            clock: Replaceable for tests.
        """
        self.name = device_name or "default speaker"
        self._echo = EchoReference()
        self.reference: EchoReference | None = self._echo
        self._wanted = device_name
        self._on_problem = on_problem or _log.warning
        self._clock = clock
        self._latency_s = portaudio.LATENCY_S
        self._follower = DeviceFollower(device_name, clock)
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._stream: portaudio.Stream | None = None
        self._accepting = False
        self._expected = False
        self._resting = False
        self._attention = threading.Event()
        self._queue = VoiceQueue(_RATES[0])
        self._playback = PlaybackClock()
        self._underflows = 0
        self._underflows_in_voice = 0

    def start(self) -> None:
        """Open the device; see `AudioSink.start`. A running speaker is stopped first."""
        self.stop()
        self._stopping = threading.Event()
        self._queue = VoiceQueue(self._queue.sample_rate)
        self._playback = PlaybackClock()
        self._underflows = 0
        self._underflows_in_voice = 0
        self._fault: Exception | None = None
        self._resting = False
        self._needed_at = self._clock.monotonic() - REST_AFTER_S + SETTLE_S
        self._attention.clear()
        notice = self._open()
        if notice:
            self._on_problem(notice)
        self._thread = threading.Thread(
            target=self._watch, args=(self._stopping,), name="speaker", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Drop what is queued and release the device. Idempotent, and bounded also when the driver hangs."""
        thread, self._thread = self._thread, None
        self._stopping.set()
        self._attention.set()
        self._accepting = False
        if thread is not None and thread is not threading.current_thread():
            thread.join(JOIN_TIMEOUT_S)
        self._close()
        self._queue.clear()

    def play(self, samples: Samples, sample_rate: int) -> None:
        """Queue voice; see `AudioSink.play`. Without an open device it is dropped.

        Raises:
            ValueError: `samples` is not of shape (n,).
        """
        if self._accepting:
            self._needed_at = self._clock.monotonic()
            self._queue.play(samples, sample_rate, self._needed_at)
            self._wake_up()

    def expect_voice(self, expected: bool) -> None:
        """Have the device open while voice may come soon; see `AudioSink.expect_voice`."""
        self._expected = expected
        self._wake_up()

    def pause(self) -> None:
        """Silence after a fade of 8 ms, with everything kept; the device's own buffer still plays."""
        self._queue.pause()

    def resume(self) -> None:
        """Go on where `pause` began."""
        self._queue.resume()

    def flush(self) -> None:
        """Silence: the queue is dropped but for a fade of 8 ms; the device's own buffer still plays."""
        self._queue.flush()

    @property
    def played_seconds(self) -> float:
        """Seconds of voice heard since `start`: handed to the device, less its output latency."""
        return self._playback.played(self._clock.monotonic())

    @property
    def queued_seconds(self) -> float:
        """Seconds of voice not heard yet, in the queue and in the device."""
        return self._queue.queued_seconds + self._playback.pending(self._clock.monotonic())

    @property
    def underruns(self) -> int:
        """How often voice was missing in the middle of a reply.

        Counted are a queue that ran dry and got more voice within two seconds (see `VoiceQueue`), and
        underflows of the device while it played voice.
        """
        return self._queue.underruns + self._underflows_in_voice

    def _open(self) -> str:
        """Open and start the stream; return the notice of `choose_device`."""

        def open_stream(device: Device) -> portaudio.Stream:
            return portaudio.open_stream(
                "output",
                device.index,
                channels=list(dict.fromkeys((min(2, device.outputs), 1, device.outputs))),
                rates=_rates(device),
                block_s=0.0,
                latency_s=self._latency_s,
                callback=self._fill,
                on_finished=lambda: watchdog.finish(),
            )

        device, stream, notice = open_device("output", self._wanted, open_stream)
        self.name = device.name
        self._queue.change_rate(stream.sample_rate)
        self._mono = np.zeros(stream.sample_rate, np.float32)
        self._silence = np.zeros(stream.sample_rate, np.float32)
        self._device_delay_s = stream.latency_s
        self._watchdog = watchdog = CallbackWatchdog(self._clock)
        try:
            stream.start()
        except portaudio.load().PortAudioError as error:
            stream.close()
            raise describe_refusal("output", device.name, error) from error
        self._stream = stream
        self._accepting = True
        self._follower.opened(device)
        return notice

    def _close(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()
        self._echo.reset()

    def _fill(self, out: NDArray[np.float32], count: int, times: Any, status: Any) -> None:
        """Give a block on PortAudio's thread, where an exception would end the stream without a word."""
        try:
            now = self._clock.monotonic()
            self._watchdog.feed(now)
            mono = self._mono[:count]
            voice = self._queue.pull(mono, now)
            if voice:
                out[:] = mono[:, np.newaxis]
            else:
                out.fill(0.0)
            delay = times.outputBufferDacTime - times.currentTime
            if not 0.0 < delay < _SANE_DELAY_S:
                # Some drivers give zero or the time of another clock.
                delay = self._device_delay_s
            played = mono.copy() if voice else self._silence[:count]
            self._echo.write(played, self._queue.sample_rate, now + delay, silence=not voice)
            if voice:
                self._playback.hand(voice / self._queue.sample_rate, now + delay)
            if status and status.output_underflow:
                self._underflows += 1
                self._underflows_in_voice += voice > 0
        except Exception as error:
            out.fill(0.0)
            self._fault = error

    @property
    def _needed(self) -> bool:
        return self._expected or self.queued_seconds > 0.0

    def _wake_up(self) -> None:
        if self._resting:
            self._attention.set()

    def _watch(self, stopping: threading.Event) -> None:
        reported = False
        recent = deque([self._underflows], maxlen=_TICKS_A_SECOND)
        while self._wait(stopping):
            if self._fault is not None and not reported:
                reported = True
                _log.error("the speaker callback failed", exc_info=self._fault)
                self._on_problem("Some voice was not played by a fault of this program.")
            if self._needed:
                self._needed_at = self._clock.monotonic()
            if self._resting:
                if self._needed:
                    self._resting = False
                    self._recover(stopping, lost=False)
                    recent.clear()
                else:
                    self._follower.look()
            elif self._watchdog.lost or self._follower.should_reopen:
                self._recover(stopping, lost=self._watchdog.lost)
            elif self._underflows - recent[0] >= UNDERFLOWS_TO_SLOW_DOWN and self._latency_s < MAX_LATENCY_S:
                self._latency_s *= 2
                _log.info("the speaker runs dry, its buffer becomes %.0f ms", self._latency_s * 1000)
                self._recover(stopping, lost=False)
                recent.clear()
            elif self._clock.monotonic() - self._needed_at >= REST_AFTER_S:
                self._rest()
            recent.append(self._underflows)

    def _wait(self, stopping: threading.Event) -> bool:
        """Wait until it is time to look after the device; False when the speaker is stopped."""
        self._attention.wait(LOOK_INTERVAL_S if self._resting else TICK_S)
        self._attention.clear()
        return not stopping.is_set()

    def _rest(self) -> None:
        """Give the device back, unless voice has come meanwhile."""
        self._resting = True
        if self._needed:
            self._resting = False
        else:
            self._close()

    def _recover(self, stopping: threading.Event, *, lost: bool) -> None:
        """Open the stream again, until it succeeds or the speaker is stopped.

        Args:
            stopping: The speaker is stopped.
            lost: The device went by itself, which is told.
        """
        silent_since: float | None = None
        old_name = self.name
        self._close()
        while not stopping.is_set():
            portaudio.await_refresh(stopping)
            try:
                self._open()
            except AssistantError as error:
                now = self._clock.monotonic()
                if silent_since is None:
                    silent_since = now
                    self._on_problem(f"The speaker “{old_name}” stopped. {error.message}")
                if now - silent_since >= KEEP_S:
                    self._accepting = False
                    self._queue.clear()
                self._follower.failed(stopping)
                continue
            if stopping.is_set():
                self._accepting = False
                self._close()
            elif lost or silent_since is not None:
                self._on_problem(f"The speaker stopped for a moment; “{self.name}” is used now.")
            elif self.name != old_name:
                self._on_problem(f"“{self.name}” is the speaker now.")
            return


def _rates(device: Device) -> list[int]:
    """Return the rates to try. The rate ALSA tells for a sound server is made up; most run at 48 kHz."""
    first = _RATES[0] if device.is_virtual else device.sample_rate
    return list(dict.fromkeys((first, device.sample_rate, *_RATES)))
