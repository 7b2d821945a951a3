"""Takes the changes of all fields, in order, and has them applied."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import QObject, Signal

from s2s_desktop.conversation.preferences import Preferences
from s2s_desktop.errors import AssistantError
from s2s_desktop.runtime.tasks import TaskGroup
from s2s_desktop.settings.schema import Settings
from s2s_desktop.ui.form.problems import in_words

Change = Callable[[Settings], None]
"""Changes the settings it is given; raises ValueError when they do not take the value."""

Told = Callable[[str], None]
"""Shows a sentence; "" takes it away."""


class SettingsEditor(QObject):
    """The settings as the fields show them: those in use with what was just entered on top.

    A change is checked at once and applied behind, one after the other. It is made anew on the settings in
    use then, so that what somebody else changed meanwhile stays.

    Args:
        preferences: Saves and uses the settings.
        tell: Shows why settings could not be saved.
        parent: Owner.

    Attributes:
        preferences: As given.
        settings: What fields show.

    Signals:
        changed: Show the settings anew.
        flushing: Hand in what was typed and not yet handed in.
    """

    changed = Signal()
    flushing = Signal()

    def __init__(self, preferences: Preferences, tell: Told, parent: QObject) -> None:
        super().__init__(parent)
        self.preferences = preferences
        self.settings = preferences.settings
        self._tell = tell
        self._waiting: list[Change] = []
        self._applying: asyncio.Task[Any] | None = None
        self._closed = False
        self._tasks = TaskGroup()

    def change(self, change: Change) -> str:
        """Make a change; returns what is wrong with it as a sentence, "" when it was taken."""
        settings = self.settings.model_copy(deep=True)
        try:
            change(settings)
        except ValueError as error:
            return in_words(error)
        if settings == self.settings:
            return ""
        self.settings = settings
        self._waiting.append(change)
        if self._applying is None:
            self._applying = self._tasks.start(self._apply(), "apply settings")
        self.changed.emit()
        return ""

    def run(self, work: Callable[[], Coroutine[Any, Any, None]], tell: Told) -> asyncio.Task[Any] | None:
        """Do something that takes time; what goes wrong is told as a sentence. None after the end."""
        return None if self._closed else self._tasks.start(_told(work, tell), "settings")

    def refresh(self) -> None:
        """Take the settings in use, unless changes are under way: then they are taken at their end."""
        if self._applying is None:
            self.settings = self.preferences.settings
            self.changed.emit()

    async def settled(self) -> None:
        """Return when everything asked for so far is done."""
        await self._tasks.wait()

    async def close(self) -> None:
        """Hand in and save what was entered, then end everything else."""
        self.flushing.emit()
        self._closed = True
        if self._applying is not None:
            await self._applying
        await self._tasks.cancel_all()

    async def _apply(self) -> None:
        try:
            while self._waiting:
                changes, self._waiting = self._waiting, []
                settings = self.preferences.settings
                try:
                    for change in changes:
                        change(settings)
                    await self.preferences.apply(settings)
                    self._tell("")
                except AssistantError as error:
                    self._tell(error.message)
                except ValueError as error:
                    self._tell(in_words(error))
        finally:
            self._applying = None
        self.refresh()


async def _told(work: Callable[[], Coroutine[Any, Any, None]], tell: Told) -> None:
    try:
        await work()
    except AssistantError as error:
        tell(error.message)
