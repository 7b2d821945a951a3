"""The settings and the pages of the first start, made when they are first wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from s2s_desktop.conversation.commands import Commands, Conversations
from s2s_desktop.conversation.events import Event, TurnId
from s2s_desktop.conversation.preferences import Preferences
from s2s_desktop.ui.talk_shortcut import TalkShortcut
from s2s_desktop.ui.theme import Theme

if TYPE_CHECKING:  # their pages and fields take a moment to import, and most starts need none of them
    from s2s_desktop.ui.first_run import FirstRun
    from s2s_desktop.ui.settings_dialog import SettingsDialog


class Dialogs(QObject):
    """Opens them over a window; neither keeps the conversation from going on.

    Args:
        preferences: Settings, keys, model files and devices.
        commands: The conversation.
        conversations: The saved ones.
        theme: Colors.
        window: What they belong to.
        login_offered: The program can start with the login on this system.
        talk_shortcut: The keys that talk from any program.
    """

    def __init__(
        self,
        preferences: Preferences,
        commands: Commands,
        conversations: Conversations | None,
        theme: Theme,
        window: QWidget,
        *,
        login_offered: bool,
        talk_shortcut: TalkShortcut | None = None,
    ) -> None:
        super().__init__(window)
        self._preferences = preferences
        self._commands = commands
        self._conversations = conversations
        self._theme = theme
        self._window = window
        self._login_offered = login_offered
        self._talk_shortcut = talk_shortcut
        self._settings: SettingsDialog | None = None
        self._first_run: FirstRun | None = None
        commands.add_observer(self._observe)

    def open_settings(self, page: str = "") -> None:
        """Show the settings at a page; "" is the one that was open last."""
        from s2s_desktop.ui.settings_dialog import SettingsDialog

        if self._settings is None:
            self._settings = SettingsDialog(
                self._preferences,
                self._commands,
                self._conversations,
                self._theme,
                self._window,
                login_offered=self._login_offered,
                talk_shortcut=self._talk_shortcut,
            )
        self._settings.open_page(page)

    def welcome(self) -> None:
        """Show the pages of the first start, unless they were seen or skipped before."""
        if not self._preferences.settings.general.welcomed:
            from s2s_desktop.ui.first_run import FirstRun

            self._first_run = FirstRun(self._preferences, self._commands, self._theme, self._window)
            self._first_run.begin()

    async def shut(self) -> None:
        """Save what was entered and end what is under way."""
        for dialog in (self._settings, self._first_run):
            if dialog is not None:
                await dialog.shut()

    def _observe(self, turn: TurnId | None, event: Event) -> None:
        for dialog in (self._settings, self._first_run):
            if dialog is not None:
                dialog.observe(turn, event)
