"""A round button that shows one icon."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from s2s_desktop.ui.icons import paint_icon
from s2s_desktop.ui.round_button import RoundButton
from s2s_desktop.ui.theme import Theme


class IconButton(RoundButton):
    """A button with an icon of the theme, a name for screen readers, and the same name as tool tip.

    Attributes:
        filled: The button is a disc in the accent color: the main action of its place.
        backed: The button is a quiet disc even when the pointer is elsewhere.
    """

    def __init__(
        self, theme: Theme, icon: str, name: str, *, size: int = 32, filled: bool = False, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = icon
        self._size = size
        self._concealed = False
        self.filled = filled
        self.backed = False
        self.setAccessibleName(name)
        self.setToolTip(name)
        self._grow()
        theme.changed.connect(self._grow)

    def _grow(self) -> None:
        """Be as large as the text around it asks for."""
        size = self._theme.scale.sign(self._size)
        self.setFixedSize(size, size)
        self.update()

    def set_icon(self, icon: str, name: str) -> None:
        """Show another icon under another name."""
        self._icon = icon
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.update()

    def set_concealed(self, concealed: bool) -> None:
        """Draw the button only while it has the keyboard focus. It stays reachable by keyboard."""
        if concealed != self._concealed:
            self._concealed = concealed
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return self.size()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        hovered = self.isEnabled() and (self.underMouse() or self.isDown())
        if self._concealed and not hovered and not self.hasFocus():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        ink = "muted"
        if self.filled:
            ink = "accent_text" if self.isEnabled() else "muted"
            painter.setBrush(self._theme.color("accent" if self.isEnabled() else "raised"))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(area)
            if hovered:
                painter.setOpacity(0.12)
                painter.setBrush(self._theme.color("accent_text"))
                painter.drawEllipse(area)
                painter.setOpacity(1)
        elif hovered or self.backed:
            ink = "text"
            painter.setBrush(self._theme.color("line" if hovered and self.backed else "raised"))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(area)
        if self.hasFocus() and self._focus_by_key:
            ring = self._theme.color("text" if self.filled else "accent")
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(ring, 2))
            painter.drawEllipse(area)
        side = round(self.width() * 0.56)
        edge = (self.width() - side) / 2
        paint_icon(painter, self._icon, self._theme.color(ink), QRectF(edge, edge, side, side))
