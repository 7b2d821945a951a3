"""Work for the language model while nobody talks to it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable

from s2s_desktop.conversation.events import (
    ConversationOpened,
    Event,
    SpeechStarted,
    TurnFinished,
    TurnId,
    TypedMessage,
)
from s2s_desktop.conversation.stages import LanguageModel
from s2s_desktop.runtime.tasks import TaskGroup

GetLanguageModel = Callable[[], LanguageModel | None]
"""Gives the model to ask; None where there is none, or none that is good enough."""


class IdleWork(ABC):
    """An observer of the session: works after a turn, and ends at once when the user says something.

    Args:
        language_model: The model to ask.
        quiet_s: How long after a turn the work begins, in seconds.
    """

    def __init__(self, language_model: GetLanguageModel, quiet_s: float) -> None:
        self._language_model = language_model
        self._quiet_s = quiet_s
        self._tasks = TaskGroup()
        self._task: asyncio.Task[None] | None = None

    def __call__(self, turn: TurnId | None, event: Event) -> None:
        """Take an event of the session."""
        match event:
            case SpeechStarted() | TypedMessage() | ConversationOpened():
                self._stop()
            case TurnFinished() if self._language_model() is not None:
                self._stop()
                self._task = self._tasks.start(self._work_later(), type(self).__name__)
            case _:
                pass

    async def close(self) -> None:
        """End what is under way."""
        await self._tasks.cancel_all()

    @abstractmethod
    async def work(self, model: LanguageModel) -> None:
        """Do it. Cancelled when the user says something."""

    async def _work_later(self) -> None:
        await asyncio.sleep(self._quiet_s)
        model = self._language_model()
        if model is not None:
            await self.work(model)

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None
