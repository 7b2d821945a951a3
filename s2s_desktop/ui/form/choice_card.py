"""One of a few large choices: a name and a sentence, all of it to click."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from s2s_desktop.ui.form.column_button import ColumnButton


class ChoiceCard(ColumnButton):
    """Is chosen while it is checked; put several into a `QButtonGroup`.

    Args:
        title: The name of the choice.
        text: What it means.
        parent: Owner.
    """

    def __init__(self, title: str, text: str, parent: QWidget) -> None:
        super().__init__(parent, "choice")
        self.setCheckable(True)
        self._title = self.add_label("label")
        self._text = self.add_label("muted")
        self.show_choice(title, text)

    def show_choice(self, title: str, text: str) -> None:
        """Name the choice and say what it means."""
        self._title.show_sentence(title)
        self._text.show_sentence(text)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
