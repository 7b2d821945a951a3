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
from s2s_desktop.audio.device_follower import DeviceFollower
from s2s_desktop.audio.devices import Device
from s2s_desktop.audio.opening import describe_refusal, open_device
from s2s_desktop.audio.protocol import PIPELINE_RATE, AudioBlock, Samples
from s2s_desktop.audio.resample import StreamResampler
from s2s_desktop.audio.watchdog import CallbackWatchdog
from s2s_desktop.errors import AssistantError

BLOCK_S = 0.032
"""The frame of voice activity detection: shorter blocks would decide nothing earlier and cost more."""
RING_S = 5.0
"""Sound kept while the consumer is busy; older sound is dropped and counted."""
DEAD_SILENCE_S = 3.0
"""So long nothing but exact zeros means that the system withholds the sound; a quiet room has noise."""
TICK_S = 0.25
"""How often the delivery thread looks after a device that sends nothing."""
END_OF_SPEECH_S = 3.2
"""Silence delivered when the device is gone for longer: it ends the turn of whoever was speaking, since no
pause is set longer than 3 s."""
JOIN_TIMEOUT_S = 2.0

_OTHER_RATES = (48_000, 44_100, 96_000, 192_000, 32_000, 8_000)

_DEAD_SILENCE = (
    "The microphone “{name}” sends no sound at all, not even noise. Check its mute switch, and that the "
    "system's privacy settings let this program use the microphone."
)
_FAULT = (
    "The microphone was switched off by a fault of this program. Switch it on again; if it happens again, "
    "restart the program."
)

_log = logging.getLogger(__name__)


class PortAudioMicrophone:
    """An `AudioSource` over PortAudio.

    The callback copies its block into a ring. A thread mixes the channels, resamples, and delivers blocks of
    32 ms (less regular ones where the device cannot record at 16 kHz). When the device goes, the thread opens
    it or the default one again; the time between is a gap in the positions.

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
            on_problem: Told in a sentence what the user should know: the device went or came back, another
                one is used, the microphone seems muted, something was lost by a fault. Called from any
                thread; it must return soon and never raise.
            clock: Replaceable for tests.
        """
        self.name = device_name or "default microphone"
        self.lost_samples = 0
        self._wanted = device_name
        self._on_problem = on_problem or _log.warning
        self._clock = clock
        self._follower = DeviceFollower(device_name, clock)
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
        self._fault: Exception | None = None
        self._fault_told = False
        self._position = 0
        self._captured_until: float | None = None
        self._resumed = False
        stream, notice = self._open()
        if notice:
            self._on_problem(notice)
        self._thread = threading.Thread(target=self._run, args=(stream,), name="microphone", daemon=True)
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

    def _open(self) -> tuple[portaudio.Stream, str]:
        """Open and start the stream; return it with the notice of `choose_device`."""

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

        self._next_frame = 0
        self._last_callback: float | None = None
        self._dead_samples: int | None = 0
        device, stream, notice = open_device("input", self._wanted, open_stream)
        self.name = device.name
        self._rate = stream.sample_rate
        self._ring = CaptureRing(int(RING_S * stream.sample_rate))
        self._watchdog = CallbackWatchdog(self._clock)
        try:
            stream.start()
        except portaudio.load().PortAudioError as error:
            stream.close()
            raise describe_refusal("input", self.name, error) from error
        self._stream = stream
        self._follower.opened(device)
        return stream, notice

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

    def _run(self, stream: portaudio.Stream | None) -> None:
        try:
            while stream is not None:
                self._deliver(stream)
                stream = self._reopen()
        except Exception:
            _log.exception("delivering sound of the microphone failed")
            self._end(_FAULT)

    def _deliver(self, stream: portaudio.Stream) -> None:
        """Deliver until the microphone is stopped, the device is lost, or a better one is there."""
        mixer = LoudestChannel(stream.channels, stream.sample_rate)
        resampler = StreamResampler(stream.sample_rate, PIPELINE_RATE)
        expected = 0
        while not self._stopping.is_set() and not self._follower.should_reopen:
            captured = self._ring.get(TICK_S)
            self._tell_fault()
            if captured is None:
                if self._watchdog.lost:
                    break
                continue
            if captured.start > expected:
                self._emit(resampler.finish(), captured.captured_at)
                self._skip(round((captured.start - expected) * PIPELINE_RATE / stream.sample_rate))
            expected = captured.start + len(captured.frames)
            samples = resampler.push(mixer.mix(captured.frames))
            self._emit(samples, captured.captured_at - resampler.held_back_s)

    def _reopen(self) -> portaudio.Stream | None:
        """Open the device, or the default one, until it succeeds; None when the microphone is stopped."""
        lost = self._watchdog.lost
        told = False
        old_name = self.name
        self._close()
        while not self._stopping.is_set():
            portaudio.await_refresh(self._stopping)
            try:
                stream, _ = self._open()
            except AssistantError as error:
                if not told:
                    told = True
                    self._on_problem(f"The microphone “{old_name}” stopped. {error.message}")
                    silence = np.zeros(int(END_OF_SPEECH_S * PIPELINE_RATE), np.float32)
                    self._hand_over(silence, self._clock.monotonic())
                self._follower.failed(self._stopping)
                continue
            if self._stopping.is_set():
                self._close()
            elif lost or told:
                self._on_problem(f"The microphone stopped for a moment; “{self.name}” is used now.")
            elif self.name != old_name:
                self._on_problem(f"“{self.name}” is the microphone now.")
            self._resumed = True
            return stream
        return None

    def _emit(self, samples: Samples, captured_at: float) -> None:
        if not samples.size or self._stopping.is_set():
            return
        if self._resumed and self._captured_until is not None:
            silent_s = captured_at - samples.size / PIPELINE_RATE - self._captured_until
            self._skip(max(0, round(silent_s * PIPELINE_RATE)))
        self._resumed = False
        self._look_for_dead_silence(samples)
        self._hand_over(samples, captured_at)

    def _hand_over(self, samples: Samples, captured_at: float) -> None:
        block = AudioBlock(samples, self._position, captured_at)
        self._position += samples.size
        self._captured_until = captured_at
        self._on_block(block)

    def _skip(self, samples: int) -> None:
        self.lost_samples += samples
        self._position += samples

    def _tell_fault(self) -> None:
        if self._fault is not None and not self._fault_told:
            self._fault_told = True
            _log.error("the microphone callback failed", exc_info=self._fault)
            self._on_problem("Some sound of the microphone was lost by a fault of this program.")

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
