"""A room around the virtual devices: recorders that know the time, people who speak, and an echo.

The echo takes what the virtual speaker plays through a room response into the virtual microphone, as a laptop
does. Needs a started `VirtualAudio`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from virtual_audio import VirtualAudio

RATE = 16_000
BLOCK = 160
AUDIBLE = 300 / 32768
LATE_S = 0.04
"""Longer than what `pacat` holds: the microphone has heard a hole by then."""

_READY = b"ready\n"
_DIE_WITH_US = ("setpriv", "--pdeathsig", "TERM")
_RECORD = ("parec", "--raw", f"--rate={RATE}", "--channels=1", "--format=float32le", "--latency-msec=10")
_PLAY = ("pacat", "--raw", f"--rate={RATE}", "--channels=1", "--format=float32le", "--latency-msec=20")


class TimedRecorder:
    """Records a sink and knows when each sample was heard, on `time.monotonic`, to a few milliseconds."""

    def __init__(self, audio: VirtualAudio, sink: str) -> None:
        self._process = subprocess.Popen(
            [*_RECORD, "-d", f"{sink}.monitor"], env=audio.env, stdout=subprocess.PIPE
        )
        self._blocks: list[NDArray[np.float32]] = []
        self._count = 0
        self._began = float("inf")
        self._lock = threading.Condition()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._process.terminate()
        self._thread.join(5)
        self._process.wait(5)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def wait_for_sound(self) -> None:
        """Return in the middle of a word."""
        with self._lock:
            self._lock.wait_for(
                lambda: bool(self._blocks) and np.abs(self._blocks[-1]).max() > 10 * AUDIBLE, 30
            )

    def between(self, start: float, end: float) -> NDArray[np.float32]:
        """Return what was heard between two moments."""
        with self._lock:
            sound = np.concatenate([*self._blocks, np.zeros(0, np.float32)])
            began = self._began
        first = max(0, int((start - began) * RATE))
        return sound[first : max(first, int((end - began) * RATE))]

    def first_sound(self, start: float, end: float) -> float | None:
        """Return when sound was first heard between two moments."""
        loud = np.flatnonzero(np.abs(self.between(start, end)) > AUDIBLE)
        return start + loud[0] / RATE if loud.size else None

    def last_sound(self, start: float, end: float) -> float | None:
        """Return when sound was last heard between two moments."""
        loud = np.flatnonzero(np.abs(self.between(start, end)) > AUDIBLE)
        return start + loud[-1] / RATE if loud.size else None

    def quiet_from(self, start: float, gap_s: float = 0.6, within_s: float = 3.0) -> float:
        """Return from when it was quiet for at least `gap_s`; the end of the search when it never was."""
        loud = np.flatnonzero(np.abs(self.between(start, start + within_s)) > AUDIBLE)
        quiet_after = np.diff(np.append(loud, int(within_s * RATE))) > gap_s * RATE
        if not loud.size or loud[0] > gap_s * RATE:
            return start
        return start + float(loud[np.argmax(quiet_after)] if quiet_after.any() else loud[-1]) / RATE

    def _read(self) -> None:
        assert self._process.stdout is not None
        while data := self._process.stdout.read(BLOCK * 4):
            now = time.monotonic()
            block = np.frombuffer(data[: len(data) // 4 * 4], np.float32)
            with self._lock:
                self._blocks.append(block)
                self._count += block.size
                # The block that came with the least delay tells when the recording began.
                self._began = min(self._began, now - self._count / RATE)
                self._lock.notify_all()


class Echo:
    """Plays the speaker back into the microphone, through a room, until it is stopped.

    A process of its own, and where that is allowed an urgent one: a real room neither waits for the
    interpreter lock of the program under test nor for its processor.
    """

    def __init__(self, audio: VirtualAudio, gain_db: float, delay_s: float = 0.06) -> None:
        command = [*_DIE_WITH_US, sys.executable, __file__, str(gain_db), str(delay_s)]
        self._room = subprocess.Popen(command, env=audio.env, stdout=subprocess.PIPE)
        assert self._room.stdout is not None
        assert self._room.stdout.readline() == _READY

    def stop(self) -> None:
        self._room.terminate()
        self._room.wait(5)
        assert self._room.stdout is not None
        self._room.stdout.close()


def carry(gain_db: float, delay_s: float) -> None:
    """Carry the sound of the speaker to the microphone until this process is ended."""
    with suppress(PermissionError):
        os.nice(-10)
    response = room_response(gain_db, delay_s)
    ears = subprocess.Popen([*_DIE_WITH_US, *_RECORD, "-d", "spk.monitor"], stdout=subprocess.PIPE)
    mouth = subprocess.Popen([*_DIE_WITH_US, *_PLAY, "-d", "mic"], stdin=subprocess.PIPE)
    assert ears.stdout is not None
    assert mouth.stdin is not None
    tail = np.zeros(response.size - 1, np.float32)
    count, began = 0, float("inf")
    print(_READY.decode(), end="", flush=True)
    while data := ears.stdout.read(BLOCK * 4):
        block = np.frombuffer(data[: len(data) // 4 * 4], np.float32)
        heard = np.convolve(block, response).astype(np.float32)
        heard[: tail.size] += tail
        tail = heard[block.size :]
        now = time.monotonic()
        count += block.size
        began = min(began, now - count / RATE)
        # What comes late after a stall is lost, as in the air; else all that follows would stay late.
        if now - count / RATE - began < LATE_S:
            mouth.stdin.write(heard[: block.size].tobytes())
            mouth.stdin.flush()


def room_response(gain_db: float, delay_s: float, decay_s: float = 0.15) -> NDArray[np.float32]:
    """Return the response of a small room: direct sound after `delay_s`, then a tail that falls by 60 dB."""
    length = int(decay_s * RATE)
    random = np.random.default_rng(7)
    tail = random.normal(0.0, 1.0, length) * 10 ** (-3 * np.arange(length) / length)
    tail *= 0.5 / np.sqrt(np.sum(tail**2))
    tail[0] = 1.0
    response = np.zeros(int(delay_s * RATE) + length, np.float32)
    response[int(delay_s * RATE) :] = tail
    return (response * 10 ** (gain_db / 20)).astype(np.float32)


if __name__ == "__main__":
    carry(float(sys.argv[1]), float(sys.argv[2]))
