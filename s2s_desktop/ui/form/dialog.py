"""A window of fields. What is entered is applied behind it."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QWidget

from s2s_desktop.conversation.preferences import Preferences
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.field import Remark
from s2s_desktop.ui.settings_style import form_stylesheet
from s2s_desktop.ui.theme import Theme


class FormDialog(QDialog):
    """Not modal: the conversation goes on while it is open.

    Args:
        preferences: Saves and uses the settings.
        theme: Colors.
        parent: The window it belongs to.

    Attributes:
        theme: As given.
        editor: Takes the changes of the fields.
        remark: Says why the last change could not be saved; the dialog gives it a place.
    """

    def __init__(self, preferences: Preferences, theme: Theme, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.remark = Remark(theme, self)
        self.editor = SettingsEditor(preferences, self.remark.show_problem, self)
        theme.changed.connect(self.restyle)

    @property
    def unsaved(self) -> str:
        """Why the last change could not be saved; "" when it was."""
        return self.remark.sentence

    async def settled(self) -> None:
        """Return when everything asked for so far is done."""
        await self.editor.settled()

    async def shut(self) -> None:
        """Save what was entered and end what is under way, at the end of the program."""
        self.hide()
        await self.editor.close()

    def restyle(self) -> None:
        """Use the colors and sizes of now."""
        self.setStyleSheet(form_stylesheet(self.theme))
