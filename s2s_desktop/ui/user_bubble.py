"""What the user said or typed: a tinted bubble at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.ui.copy_button import CopyButton
from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.text_view import TextView
from s2s_desktop.ui.theme import Theme

_PADDING_X = 14
_PADDING_Y = 9
_WIDEST_SHARE = 0.8


class UserBubble(QWidget):
    """A bubble as wide as its text, up to four fifths of the column."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        self._bubble = QFrame(self)
        self._bubble.setProperty("role", "bubble")
        self._view = TextView(theme, self.tr("Your message"), self._bubble)
        inside = QVBoxLayout(self._bubble)
        inside.setContentsMargins(_PADDING_X, _PADDING_Y, _PADDING_X, _PADDING_Y)
        inside.addWidget(self._view)
        self.copy_button = CopyButton(theme, self.tr("Copy your message"), lambda: self._text, self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addStretch(1)
        layout.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self._bubble, 1000)

    @property
    def text(self) -> str:
        """What the bubble says."""
        return self._text

    def show_text(self, text: str) -> None:
        """Show `text` as it is."""
        if text != self._text:
            self._text = text
            self._view.show_plain(displayable_text(text))
            self._fit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def _fit(self) -> None:
        widest = round(self.width() * _WIDEST_SHARE) - 2 * _PADDING_X
        document = self._view.document()
        document.setTextWidth(max(widest, 1))
        width = min(self._view.ideal_width() + 1, widest)
        self._bubble.setMaximumWidth(width + 2 * _PADDING_X)
