"""The microphone of this computer, as 16 kHz mono."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s_desktop.audio import portaudio
from s2s_desktop.audio.capture_ring import Captured, CaptureRing
from s2s_desktop.audio.channels import LoudestChannel
from s2s_desktop.audio.clock import SYSTEM_CLOCK, Clock
from s2s_desktop.audio.devices import Device
from s2s_desktop.audio.opening import describe_refusal, open_device
from s2s_desktop.audio.protocol import PIPELINE_RATE, AudioBlock, Samples
from s2s_desktop.audio.resample import StreamResampler
from s2s_desktop.audio.watchdog import CallbackWatchdog

BLOCK_S = 0.032
"""The frame of voice activity detection: shorter blocks would decide nothing earlier and cost more."""
RING_S = 5.0
"""Sound kept while the consumer is busy; older sound is dropped and counted."""
DEAD_SILENCE_S = 3.0
"""So long nothing but exact zeros means that the system withholds the sound; a quiet room has noise."""
TICK_S = 0.25
"""How often the delivery thread looks after a device that sends nothing."""
JOIN_TIMEOUT_S = 2.0

_OTHER_RATES = (48_000, 44_100, 96_000, 192_000, 32_000, 8_000)

_DEAD_SILENCE = (
    "The microphone “{name}” sends no sound at all, not even noise. Check its mute switch, and that the "
    "system's privacy settings let this program use the microphone."
)
_GONE = "The microphone “{name}” stopped. Check that it is plugged in, then switch the microphone on again."
_FAULT = (
    "The microphone was switched off by a fault of this program. Switch it on again; if it happens again, "
    "restart the program."
)

_log = logging.getLogger(__name__)


class PortAudioMicrophone:
    """An `AudioSource` over PortAudio.

    The callback copies its block into a ring. A thread mixes the channels, resamples, and delivers blocks of
    32 ms (less regular ones where the device cannot record at 16 kHz).

    Attributes:
        name: The device in use, or the wanted one before `start`.
        live: True: sound that is not taken in time is lost.
        lost_samples: 16 kHz samples lost because they were not taken in time; positions skip them.
    """

    live = True

    def __init__(
        self,
        device_name: str = "",
        *,
        on_problem: Callable[[str], None] | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        """Prepare; the device is opened by `start`.

        Args:
            device_name: Label or name as listed by `devices.list_devices`; "" for the default microphone.
            on_problem: Told in a sentence what the user should know while sound still comes: another device
                is used, the microphone seems muted, something was lost by a fault. Called from any thread;
                it must return soon and never raise.
            clock: Replaceable for tests.
        """
        self.name = device_name or "default microphone"
        self.lost_samples = 0
        self._wanted = device_name
        self._on_problem = on_problem or _log.warning
        self._clock = clock
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        self._stream: portaudio.Stream | None = None

    def start(self, on_block: Callable[[AudioBlock], None], on_end: Callable[[str], None]) -> None:
        """Open the device and deliver; see `AudioSource.start`. A running microphone is stopped first."""
        self.stop()
        self._on_block = on_block
        self._on_end = on_end
        self._stopping = threading.Event()
        self.lost_samples = 0
        self._next_frame = 0
        self._last_callback: float | None = None
        self._fault: Exception | None = None
        self._position = 0
        self._dead_samples: int | None = 0
        stream = self._open()
        self._ring = CaptureRing(int(RING_S * stream.sample_rate))
        self._watchdog = CallbackWatchdog(self._clock)
        try:
            stream.start()
        except portaudio.load().PortAudioError as error:
            stream.close()
            raise describe_refusal("input", self.name, error) from error
        self._stream = stream
        self._thread = threading.Thread(target=self._deliver, args=(stream,), name="microphone", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Release the device. Idempotent, and bounded also when the driver hangs."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping.set()
        self._ring.wake()
        self._close()
        if thread is not threading.current_thread():
            thread.join(JOIN_TIMEOUT_S)

    def _open(self) -> portaudio.Stream:
        def open_stream(device: Device) -> portaudio.Stream:
            return portaudio.open_stream(
                "input",
                device.index,
                channels=_channel_counts(device),
                rates=list(dict.fromkeys((PIPELINE_RATE, device.sample_rate, *_OTHER_RATES))),
                block_s=BLOCK_S,
                latency_s=portaudio.LATENCY_S,
                callback=self._capture,
                on_finished=self._finished,
            )

        device, stream, notice = open_device("input", self._wanted, open_stream)
        self.name = device.name
        self._rate = stream.sample_rate
        if notice:
            self._on_problem(notice)
        return stream

    def _capture(self, frames: NDArray[np.float32], count: int, _times: Any, status: Any) -> None:
        """Take a block on PortAudio's thread, where an exception would end the stream without a word."""
        try:
            now = self._clock.monotonic()
            self._watchdog.feed(now)
            if status and status.input_overflow and self._last_callback is not None:
                # PortAudio does not tell how much it dropped; the clock does.
                self._next_frame += max(0, round((now - self._last_callback) * self._rate) - count)
            self._last_callback = now
            start = self._next_frame
            self._next_frame += count
            self._ring.put(Captured(start, frames.copy(), now))
        except Exception as error:
            self._fault = error

    def _finished(self) -> None:
        self._watchdog.finish()
        self._ring.wake()

    def _deliver(self, stream: portaudio.Stream) -> None:
        mixer = LoudestChannel(stream.channels, stream.sample_rate)
        resampler = StreamResampler(stream.sample_rate, PIPELINE_RATE)
        expected = 0
        reported = False
        try:
            while not self._stopping.is_set():
                captured = self._ring.get(TICK_S)
                if self._fault is not None and not reported:
                    reported = True
                    _log.error("the microphone callback failed", exc_info=self._fault)
                    self._on_problem("Some sound of the microphone was lost by a fault of this program.")
                if captured is None:
                    if self._watchdog.lost:
                        self._end(_GONE.format(name=self.name))
                    continue
                if captured.start > expected:
                    self._emit(resampler.finish(), captured.captured_at)
                    lost = round((captured.start - expected) * PIPELINE_RATE / stream.sample_rate)
                    self.lost_samples += lost
                    self._position += lost
                expected = captured.start + len(captured.frames)
                samples = resampler.push(mixer.mix(captured.frames))
                self._emit(samples, captured.captured_at - resampler.held_back_s)
        except Exception:
            _log.exception("delivering sound of the microphone failed")
            self._end(_FAULT)

    def _emit(self, samples: Samples, captured_at: float) -> None:
        if not samples.size or self._stopping.is_set():
            return
        self._look_for_dead_silence(samples)
        block = AudioBlock(samples, self._position, captured_at)
        self._position += samples.size
        self._on_block(block)

    def _look_for_dead_silence(self, samples: Samples) -> None:
        """Give the hint once, at the start: later zeros are a mute switch that the user knows of."""
        if self._dead_samples is None:
            return
        if samples.any():
            self._dead_samples = None
            return
        self._dead_samples += samples.size
        if self._dead_samples >= DEAD_SILENCE_S * PIPELINE_RATE:
            self._dead_samples = None
            self._on_problem(_DEAD_SILENCE.format(name=self.name))

    def _end(self, problem: str) -> None:
        if self._stopping.is_set():
            return
        self._stopping.set()
        self._close()
        self._on_end(problem)

    def _close(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()


def _channel_counts(device: Device) -> list[int]:
    """Return the channel counts to try: all of a real device, since the voice may be on any of them."""
    first = 2 if device.is_virtual else device.inputs
    return list(dict.fromkeys((first, min(2, device.inputs), 1, device.inputs)))
