"""A thin rounded bar of which a part is filled."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from s2s_desktop.ui.theme import Theme


class ThinBar(QWidget):
    """What bars share: the empty track, and parts of it in a color of the theme."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        theme.changed.connect(self.update)

    def paint_track(self, token: str) -> QPainter:
        """Paint the empty bar in the color `token`, and return the painter for its parts."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        self.paint_part(painter, token, 0, self.width())
        return painter

    def paint_part(self, painter: QPainter, token: str, left: float, width: float) -> None:
        """Fill a part of the bar, in px from its left edge."""
        height = float(self.height())
        radius = min(height, width) / 2
        painter.setBrush(self.theme.color(token))
        painter.drawRoundedRect(QRectF(left, 0, width, height), radius, radius)
