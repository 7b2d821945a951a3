"""Fields that belong together, under a title."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QLayout, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.ui.form.flow_layout import FlowLayout
from s2s_desktop.ui.form.side_by_side import SideBySide
from s2s_desktop.ui.icons import paint_icon
from s2s_desktop.ui.round_button import RoundButton
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import BLOCK_GAP
from s2s_desktop.ui.wrapping_label import WrappingLabel

_ICON = 16
_LETTERS = 18
"""Least width of a field in a row."""


class Group(QWidget):
    """A title, a sentence about it, and the fields below each other.

    Args:
        parent: Owner.
        title: What the fields have in common; "" for none.
        text: A sentence below the title; "" for none.
    """

    def __init__(self, parent: QWidget, title: str = "", text: str = "") -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(BLOCK_GAP)
        self._title = QLabel(self)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setProperty("role", "group")
        self._title.setWordWrap(True)
        self._text = WrappingLabel(self, "muted")
        head = QVBoxLayout()
        head.setSpacing(2)
        head.addWidget(self._title)
        head.addWidget(self._text)
        self._layout.addLayout(head)
        self.set_title(title, text)

    def set_title(self, title: str, text: str = "") -> None:
        """Say what the fields have in common, and a sentence about it."""
        self._title.setText(title)
        self._title.setVisible(bool(title))
        self._text.show_sentence(text)
        self._text.setVisible(bool(text))

    def add(self, *widgets: QWidget) -> None:
        """Add widgets below each other."""
        for widget in widgets:
            self._layout.addWidget(widget)

    def add_row(self, *widgets: QWidget, letters: int = _LETTERS) -> None:
        """Add widgets beside each other, of one width, where there is room for so many letters in each."""
        row = SideBySide(self, BLOCK_GAP, letters)
        for widget in widgets:
            row.add(widget)
        self._layout.addWidget(row)

    def add_layout(self, layout: QLayout) -> None:
        """Add a layout."""
        self._layout.addLayout(layout)


class FoldingGroup(QWidget):
    """Fields that few people need, folded away under a button.

    Args:
        theme: Colors.
        parent: Owner.
        title: What the button says.

    Attributes:
        group: The fields.
    """

    def __init__(self, theme: Theme, parent: QWidget, title: str = "") -> None:
        super().__init__(parent)
        self.button = _FoldButton(theme, self)
        self.set_title(title)
        self.group = Group(self)
        self.group.hide()
        self.button.toggled.connect(self.group.setVisible)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(BLOCK_GAP)
        row = QHBoxLayout()
        row.addWidget(self.button)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addWidget(self.group)

    def set_title(self, title: str) -> None:
        """Say what is folded away."""
        self.button.setText(title)
        self.button.setAccessibleName(title)
        self.button.updateGeometry()


class _FoldButton(RoundButton):
    """The words "Advanced" with an arrow that says whether more is below."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        theme.changed.connect(self.updateGeometry)

    @property
    def _icon_side(self) -> int:
        return self._theme.scale.sign(_ICON)

    @override
    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + self._icon_side + 28, metrics.height() + 12)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("raised"))
            painter.drawRoundedRect(area, 6, 6)
        if self.hasFocus() and self._focus_by_key:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.drawRoundedRect(area, 6, 6)
        icon = (
            "chevron-down"
            if self.isChecked()
            else ("chevron-left" if self.isRightToLeft() else "chevron-right")
        )
        side = self._icon_side
        left = self.width() - side - 2 if self.isRightToLeft() else 2
        ink = self._theme.color("muted")
        paint_icon(painter, icon, ink, QRectF(left, (self.height() - side) / 2, side, side))
        painter.setPen(self._theme.color("text"))
        gap = side + 10
        words = self.rect().adjusted(*((0, 0, -gap, 0) if self.isRightToLeft() else (gap, 0, 0, 0)))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading, self.text())


def buttons_row(*buttons: QAbstractButton) -> FlowLayout:
    """Return buttons beside each other at the leading edge."""
    row = FlowLayout()
    for button in buttons:
        row.addWidget(button)
    return row
