"""A field of several lines."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from typing_extensions import override

_FRAME = 20
"""Border, padding and margins above and below the lines, px."""


class TextBox(QPlainTextEdit):
    """Plain text; Tab goes to the next field.

    Signals:
        left: The keyboard focus went elsewhere.
    """

    left = Signal()

    def __init__(self, lines: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._lines = lines
        self.setProperty("role", "box")
        self.setTabChangesFocus(True)
        self._fit()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self.fontMetrics().lineSpacing() * self._lines + _FRAME)
