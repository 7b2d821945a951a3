"""What every page of the settings is given."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from s2s_desktop.conversation.commands import Commands, Conversations
from s2s_desktop.conversation.preferences import Preferences
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.maker import FieldMaker
from s2s_desktop.ui.form.setting_field import Place, section
from s2s_desktop.ui.talk_shortcut import TalkShortcut
from s2s_desktop.ui.theme import Theme


@dataclass(frozen=True, slots=True)
class Context:
    """Where the pages get everything from.

    Attributes:
        editor: Takes the changes.
        theme: Colors.
        commands: Switches the microphone; None without a conversation.
        conversations: What is saved; None when there is no such thing.
        login_offered: The program can start with the login on this system.
        talk_shortcut: The keys that talk from any program; None where nobody could talk.
    """

    editor: SettingsEditor
    theme: Theme
    commands: Commands | None = None
    conversations: Conversations | None = None
    login_offered: bool = False
    talk_shortcut: TalkShortcut | None = None

    @property
    def preferences(self) -> Preferences:
        """What can be asked of the program."""
        return self.editor.preferences

    def fields(self, place: Place | str, parent: QWidget) -> FieldMaker:
        """Make fields of a table of the settings, named by its path or found by a place."""
        found = section(place) if isinstance(place, str) else place
        return FieldMaker(self.editor, self.theme, found, parent)
