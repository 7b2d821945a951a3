"""An icon that only accompanies a text."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from s2s_desktop.ui.icons import paint_icon
from s2s_desktop.ui.theme import Theme


class IconLabel(QWidget):
    """Draws an icon in a colour of the theme."""

    def __init__(self, theme: Theme, icon: str, token: str, parent: QWidget, size: int = 18) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = icon
        self._token = token
        self.setFixedSize(size, size)
        theme.changed.connect(self.update)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_icon(painter, self._icon, self._theme.colour(self._token), QRectF(self.rect()))
