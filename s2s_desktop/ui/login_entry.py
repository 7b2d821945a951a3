"""Keeps the entry that starts the program with the login as the settings say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from s2s_desktop.conversation.events import Event, SettingsChanged, TurnId
from s2s_desktop.conversation.preferences import Preferences
from s2s_desktop.errors import AssistantError
from s2s_desktop.runtime import autostart
from s2s_desktop.runtime.autostart import Autostart
from s2s_desktop.runtime.tasks import TaskGroup


class LoginEntry:
    """An observer that follows the setting `general.start_with_login`.

    Args:
        preferences: The settings.
        tell: Takes a sentence when the system refuses the entry.
        entry: Where it is written; None is the place of this system.
    """

    def __init__(
        self, preferences: Preferences, tell: Callable[[str], None], entry: Autostart | None = None
    ) -> None:
        self._preferences = preferences
        self._tell = tell
        self._entry = entry
        self._tasks = TaskGroup()
        self._wanted = preferences.settings.general.start_with_login

    def __call__(self, turn: TurnId | None, event: Event) -> None:
        """Take an event."""
        if isinstance(event, SettingsChanged):
            wanted = self._preferences.settings.general.start_with_login
            if wanted != self._wanted:
                self._wanted = wanted
                self._tasks.start(self._switch(wanted), "login entry")

    async def settled(self) -> None:
        """Return when the entry is as the settings say."""
        await self._tasks.wait()

    async def _switch(self, on: bool) -> None:
        try:
            await asyncio.to_thread(autostart.switch, on, self._entry)
        except AssistantError as error:
            self._tell(error.message)
