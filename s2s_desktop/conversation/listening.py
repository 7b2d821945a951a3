"""The microphone half of a session: switched on and off beside the event loop, told to the loop in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from s2s_desktop.audio.level import MicLevel
from s2s_desktop.audio.protocol import Samples
from s2s_desktop.conversation.hearing import Hearing, TurnDetector
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.conversation.turn_inputs import Heard
from s2s_desktop.errors import AssistantError
from s2s_desktop.runtime.tasks import TaskGroup, to_thread_and_back

_log = logging.getLogger(__name__)

NOT_READY = "Speech recognition is not ready yet. You can type meanwhile."


@runtime_checkable
class TalkKey(Protocol):
    """What a detector offers whose turns a key begins and ends (`vad.held.HeldEndpointer`)."""

    def press(self) -> None:
        """Begin a turn."""

    def release(self) -> None:
        """End it."""


class Listening:
    """Owns the running `Hearing`. Everything happens on the event loop but the work of the devices.

    Args:
        stages: Make the source, the detector and the echo canceller.
        on_level: Gets levels.
        on_heard: Gets what was heard.
        on_switched: Gets whether the microphone is on from now on, and why not when the user did not ask.
        on_speech: Called from the thread of the microphone at the first sound of speech.
        tasks: Runs what happens beside the loop.
    """

    def __init__(
        self,
        stages: Stages,
        *,
        on_level: Callable[[MicLevel], None],
        on_heard: Callable[[Heard], None],
        on_switched: Callable[[bool, str], None],
        on_speech: Callable[[], None],
        tasks: TaskGroup,
    ) -> None:
        self._stages = stages
        self._on_level = on_level
        self._on_heard = on_heard
        self._on_switched = on_switched
        self._on_speech = on_speech
        self._tasks = tasks
        self._hearing: Hearing | None = None
        self._wanted = False
        self._key_down = False
        self._lock = asyncio.Lock()
        self._loop = asyncio.get_running_loop()

    @property
    def on(self) -> bool:
        """Whether the microphone is open or being opened."""
        return self._hearing is not None

    def want(self, on: bool) -> None:
        """Say what the next `switch` shall do."""
        self._wanted = on

    async def switch(self) -> None:
        """Open or close the microphone as it was wanted last."""
        async with self._lock:
            if self._wanted == self.on:
                return
            if not self._wanted:
                await self._close("", keep=True)
            elif self._stages.make_detector is None:
                self._wanted = False
                self._on_switched(False, NOT_READY)
            else:
                await self._open(self._stages.make_detector())

    async def reopen(self) -> None:
        """Open the microphone anew, with another device or other rules; does nothing while it is closed."""
        async with self._lock:
            if self._hearing is not None and self._stages.make_detector is not None:
                before, self._hearing = self._hearing, None
                await asyncio.to_thread(before.stop)
                await self._open(self._stages.make_detector())

    async def close(self) -> None:
        """Release the device. What is being said is dropped."""
        hearing, self._hearing = self._hearing, None
        self._wanted = False
        if hearing is not None:
            await asyncio.to_thread(hearing.stop)

    def press(self, down: bool) -> None:
        """The key to talk went down or up. Does nothing where the voice itself begins and ends turns."""
        self._key_down = down
        key = None if self._hearing is None else self._hearing.detector
        if isinstance(key, TalkKey):
            if down:
                key.press()
            else:
                key.release()

    def hold(self) -> None:
        """Drop what the microphone hears."""
        if self._hearing is not None:
            self._hearing.hold()

    def resume(self) -> None:
        """Hear again."""
        if self._hearing is not None:
            self._hearing.resume()

    def go_on(self) -> None:
        """Let a file play on that waits for a reply."""
        if self._hearing is not None:
            self._hearing.go_on()

    def be_strict(self, strict: bool) -> None:
        """Ask for clearer speech while our own voice may be heard."""
        if self._hearing is not None:
            self._hearing.detector.set_strict(strict)

    def speech_so_far(self) -> Samples:
        """Return what is being said right now; empty while nobody speaks."""
        return np.zeros(0, np.float32) if self._hearing is None else self._hearing.speech_so_far()

    async def _open(self, detector: TurnDetector) -> None:
        # Known before it is started: a file may deliver everything before `start` has returned.
        hearing = self._hearing = Hearing(
            self._stages.make_source(),
            detector,
            canceller=self._stages.make_canceller() if self._stages.make_canceller is not None else None,
            on_level=lambda level: self._from_thread(self._level_measured, hearing, level),
            on_heard=lambda heard: self._from_thread(self._heard, hearing, heard),
            on_end=lambda problem: self._from_thread(self._ended, hearing, problem),
            on_speech=self._on_speech,
        )
        try:
            await to_thread_and_back(hearing.start)
        except AssistantError as error:
            self._hearing = None
            self._wanted = False
            self._on_switched(False, error.message)
            return
        if self._key_down:
            self.press(True)
        self._on_switched(True, "")

    async def _close(self, problem: str, *, keep: bool) -> None:
        hearing = self._hearing
        self._wanted = False
        if hearing is not None:
            await asyncio.to_thread(hearing.stop, keep=keep)
            # What it reported last is on its way to the loop, ahead of this.
            await asyncio.sleep(0)
        self._hearing = None
        self._on_switched(False, problem)

    def _from_thread(self, call: Callable[..., None], *arguments: object) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:  # the loop closed while the source delivered its last block
            _log.debug("sound arrived after the session had ended")

    def _level_measured(self, hearing: Hearing, level: MicLevel) -> None:
        if hearing is self._hearing:
            self._on_level(level)

    def _heard(self, hearing: Hearing, heard: Heard) -> None:
        if hearing is self._hearing:
            self._on_heard(heard)

    def _ended(self, hearing: Hearing, problem: str) -> None:
        if hearing is self._hearing:
            self._hearing = None
            self._wanted = False
            self._on_switched(False, problem)
            self._tasks.start(asyncio.to_thread(hearing.stop), "close microphone")
