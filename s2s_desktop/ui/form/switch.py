"""A switch: on or off, at once."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from s2s_desktop.ui.round_button import RoundButton
from s2s_desktop.ui.theme import Theme

_MARGIN = 3
"""Room for the ring of the keyboard focus, px."""


class Switch(RoundButton):
    """Is on when its knob is at the end of the line, and filled."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self._fit)
        self._fit()

    @override
    def sizeHint(self) -> QSize:
        return self.size()

    def _fit(self) -> None:
        """Be as large as the text beside it asks for."""
        height = round(self._theme.scale.body * 1.5)
        self.setFixedSize(round(height * 1.7) + 2 * _MARGIN, height + 2 * _MARGIN)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(0.5)
        whole = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        track = whole.adjusted(0.75, 0.75, -0.75, -0.75)
        on = self.isChecked()
        painter.setPen(QPen(self._theme.color("accent" if on else "outline"), 1.5))
        painter.setBrush(self._theme.color("accent" if on else "surface"))
        painter.drawRoundedRect(track, track.height() / 2, track.height() / 2)
        knob = whole.height() - 8
        at_right = on != self.isRightToLeft()
        left = whole.right() - knob - 4 if at_right else whole.left() + 4
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent_text" if on else "outline"))
        painter.drawEllipse(QRectF(left, whole.top() + 4, knob, knob))
        if self.hasFocus() and self._focus_by_key:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("text"), 1.5))
            ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
