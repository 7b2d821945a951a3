"""What the round buttons share: they draw themselves, and answer to the pointer and to the keyboard alike."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent
from PySide6.QtWidgets import QAbstractButton, QWidget
from typing_extensions import override


class RoundButton(QAbstractButton):
    """A button that is drawn anew when the pointer comes or goes, and knows how its focus came."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._focus_by_key = False
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        by_key = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._focus_by_key = event.reason() in by_key
        super().focusInEvent(event)

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.update()
        super().leaveEvent(event)
