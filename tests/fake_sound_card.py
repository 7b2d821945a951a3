"""A stand-in for the module `sounddevice`: devices, refusals and callbacks at the will of a test."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

NO_FLAGS = SimpleNamespace(input_overflow=False, output_underflow=False)


class PortAudioError(Exception):
    """Has a message and PortAudio's number, like the real one."""


@dataclass(eq=False)
class FakeDevice:
    """A sound card; empty tuples accept everything."""

    name: str
    inputs: int = 0
    outputs: int = 0
    rate: int = 48_000
    rates: tuple[int, ...] = ()
    channels: tuple[int, ...] = ()
    error: PortAudioError | None = None


class FakeClock:
    """A clock that moves only when told to, or when somebody waits on it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds

    def wait(self, event: threading.Event, seconds: float) -> bool:
        self.now += seconds
        return event.is_set()


@dataclass(eq=False)
class FakeStream:
    """An opened stream; the test plays the driver."""

    direction: str
    device: FakeDevice
    samplerate: float
    channels: int
    latency: float
    blocksize: int
    callback: Callable[..., None]
    finished_callback: Callable[[], None]
    clock: FakeClock
    started: bool = False
    closed: bool = False
    active: bool = False
    hang: threading.Event | None = None
    dac_delay: float = 0.03

    def start(self) -> None:
        self.started = self.active = True

    def abort(self) -> None:
        if self.hang is not None:
            self.hang.wait(10)
        if self.active:
            self.active = False
            self.finished_callback()

    def close(self) -> None:
        self.closed = True

    def deliver(self, frames: NDArray[np.float32], *, overflow: bool = False) -> None:
        """Send a block to the program as a microphone does; the clock moves on by its length."""
        self.clock.advance(len(frames) / self.samplerate)
        flags = SimpleNamespace(input_overflow=overflow, output_underflow=False)
        self.callback(frames, len(frames), self._times(), flags)

    def speak(self, sound: NDArray[np.float32], block: int = 480) -> None:
        """Send sound, of shape (n, channels) or (n,) on all channels, in blocks."""
        if sound.ndim == 1:
            sound = np.repeat(sound[:, np.newaxis], self.channels, axis=1)
        for start in range(0, len(sound), block):
            self.deliver(sound[start : start + block])

    def pull(self, frames: int, *, underflow: bool = False) -> NDArray[np.float32]:
        """Take a block from the program as a speaker does; the clock moves on by its length."""
        out = np.full((frames, self.channels), np.nan, np.float32)
        flags = SimpleNamespace(input_overflow=False, output_underflow=underflow)
        self.callback(out, frames, self._times(), flags)
        self.clock.advance(frames / self.samplerate)
        return out

    def listen(self, seconds: float, block: int = 480) -> NDArray[np.float32]:
        """Take sound in blocks and return its first channel."""
        blocks = round(seconds * self.samplerate / block)
        return np.concatenate([self.pull(block)[:, 0] for _ in range(blocks)])

    def _times(self) -> SimpleNamespace:
        return SimpleNamespace(
            currentTime=5.0, outputBufferDacTime=5.0 + self.dac_delay, inputBufferAdcTime=5.0
        )


@dataclass(eq=False)
class FakeSoundCard:
    """The module itself. `plugged` is what is connected; the program sees it after `_initialize`."""

    plugged: list[FakeDevice]
    clock: FakeClock = field(default_factory=FakeClock)
    host_api: str = "Fake API"
    streams: list[FakeStream] = field(default_factory=list)
    attempts: list[tuple[int, int]] = field(default_factory=list)
    PortAudioError: type[Exception] = PortAudioError

    def __post_init__(self) -> None:
        self._initialize()

    def _initialize(self) -> None:
        self.listed = list(self.plugged)

    def _exit_handler(self) -> None:
        """Called at exit by the real module, where it waits for every driver."""

    def _terminate(self) -> None:
        assert not [s for s in self.streams if not s.closed], "a re-initialization kills open streams"
        self.listed = []

    @property
    def default(self) -> SimpleNamespace:
        inputs = [i for i, device in enumerate(self.listed) if device.inputs]
        outputs = [i for i, device in enumerate(self.listed) if device.outputs]
        return SimpleNamespace(device=[inputs[0] if inputs else -1, outputs[0] if outputs else -1])

    def query_hostapis(self) -> list[dict[str, Any]]:
        return [{"name": self.host_api, "default_input_device": -1, "default_output_device": -1}]

    def query_devices(self) -> list[dict[str, Any]]:
        return [
            {
                "name": device.name,
                "hostapi": 0,
                "max_input_channels": device.inputs,
                "max_output_channels": device.outputs,
                "default_samplerate": float(device.rate),
            }
            for device in self.listed
        ]

    def InputStream(self, **settings: Any) -> FakeStream:
        return self._open("input", **settings)

    def OutputStream(self, **settings: Any) -> FakeStream:
        return self._open("output", **settings)

    def _open(self, direction: str, **settings: Any) -> FakeStream:
        device = self.listed[settings["device"]]
        self.attempts.append((settings["channels"], settings["samplerate"]))
        if device not in self.plugged:
            raise PortAudioError("Error opening stream: Device unavailable", -9985)
        if device.error is not None:
            raise device.error
        limit = device.inputs if direction == "input" else device.outputs
        if settings["channels"] > limit or (device.channels and settings["channels"] not in device.channels):
            raise PortAudioError("Error opening stream: Invalid number of channels", -9998)
        if device.rates and settings["samplerate"] not in device.rates:
            raise PortAudioError("Error opening stream: Invalid sample rate", -9997)
        stream = FakeStream(
            direction,
            device,
            float(settings["samplerate"]),
            settings["channels"],
            settings["latency"],
            settings["blocksize"],
            settings["callback"],
            settings["finished_callback"],
            self.clock,
        )
        self.streams.append(stream)
        return stream


@contextmanager
def sound_card(monkeypatch: pytest.MonkeyPatch, *devices: FakeDevice) -> Iterator[FakeSoundCard]:
    """Put a fake in place of `sounddevice` and check that the program gave every stream back."""
    card = FakeSoundCard(list(devices))
    monkeypatch.setitem(sys.modules, "sounddevice", card)
    yield card
    left_open = [stream for stream in card.streams if not stream.closed]
    assert not left_open, f"streams were left open: {left_open}"
