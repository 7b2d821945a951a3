"""Takes what an audio source delivers, on its thread, and lets a test wait for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from s2s_desktop.audio.protocol import AudioBlock, Samples


class Listener:
    """Collects blocks, the end, and problems."""

    def __init__(self) -> None:
        self.blocks: list[AudioBlock] = []
        self.ends: list[str] = []
        self.problems: list[str] = []
        self._changed = threading.Condition()

    def on_block(self, block: AudioBlock) -> None:
        self._note(self.blocks, block)

    def on_end(self, problem: str) -> None:
        self._note(self.ends, problem)

    def on_problem(self, problem: str) -> None:
        self._note(self.problems, problem)

    def _note(self, where: list[Any], what: Any) -> None:
        with self._changed:
            where.append(what)
            self._changed.notify_all()

    def wait(self, condition: Callable[[], bool]) -> None:
        with self._changed:
            assert self._changed.wait_for(condition, timeout=10)

    @property
    def sound(self) -> Samples:
        return np.concatenate([block.samples for block in self.blocks])

    @property
    def count(self) -> int:
        return sum(block.samples.size for block in self.blocks)
