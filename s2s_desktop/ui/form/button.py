"""Buttons with words."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget
from typing_extensions import override


class FormButton(QPushButton):
    """Pressed by Space and by Return, but by Return only while it has the keyboard focus.

    Qt's own buttons of a dialog also take the Return of a text field.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


def button(
    parent: QWidget, text: str, act: Callable[[], None], *, role: str = "", name: str = ""
) -> QPushButton:
    """Return a button.

    Args:
        parent: Owner.
        text: What it says.
        act: Called when it is clicked.
        role: "primary", "danger", "link" or "" (see `ui/stylesheet.py`).
        name: For screen readers, where the text alone does not say it.
    """
    made = FormButton(parent)
    made.setText(text.replace("&", "&&"))
    made.setAccessibleName(name or text)
    if role:
        made.setProperty("role", role)
    made.clicked.connect(lambda: act())
    return made
