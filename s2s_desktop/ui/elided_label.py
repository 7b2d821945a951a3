"""A label of one line that gets shorter with the window."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override

from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.plain_tip import plain_tip


class ElidedLabel(QLabel):
    """Shows the beginning of a text that does not fit; the tool tip has all of it."""

    def __init__(self, parent: QWidget, role: str) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    @property
    def whole_text(self) -> str:
        """The text as it was given."""
        return self._whole

    def show_text(self, text: str) -> None:
        """Show `text` on one line."""
        self._whole = text
        self.setAccessibleName(" ".join(displayable_text(text).split()))
        self._elide()
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(self.fontMetrics().horizontalAdvance(self.accessibleName()) + 4, hint.height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        line = self.accessibleName()
        shown = self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, max(self.width(), 1))
        self.setText(shown)
        self.setToolTip(plain_tip(self._whole) if shown != line else "")
