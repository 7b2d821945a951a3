"""An icon that only accompanies a text."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from s2s_desktop.ui.icons import paint_icon
from s2s_desktop.ui.theme import Theme


class IconLabel(QWidget):
    """Draws an icon in a color of the theme, as large as the text beside it asks for."""

    def __init__(self, theme: Theme, icon: str, token: str, parent: QWidget, size: int = 18) -> None:
        """Make the icon.

        Args:
            theme: Colors and the size of text.
            icon: Name of the drawing.
            token: Of its color.
            parent: Owner.
            size: In px at the usual size of text.
        """
        super().__init__(parent)
        self._theme = theme
        self._icon = icon
        self._token = token
        self._size = size
        self._grow()
        theme.changed.connect(self._grow)

    def _grow(self) -> None:
        size = self._theme.scale.sign(self._size)
        self.setFixedSize(size, size)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_icon(painter, self._icon, self._theme.color(self._token), QRectF(self.rect()))
