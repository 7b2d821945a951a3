"""The sidebar beside the conversation, or in front of it where the window is narrow."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import NARROW_WIDTH, SIDEBAR_WIDTH

_LEFT_FREE = 56
"""So much of the conversation stays in view beside an open sidebar: a click there closes it."""


class FoldingBody(QWidget):
    """Places the sidebar and the content.

    In a wide window the user folds the sidebar away and it stays away; in a narrow one it is folded until it
    is called, and goes when it has been used.

    Signals:
        folded_changed: Whether the sidebar is away.
        content_moved: How far from the left edge the content begins now, px.
    """

    folded_changed = Signal(bool)
    content_moved = Signal(int)

    def __init__(self, theme: Theme, sidebar: QWidget, content: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sidebar = sidebar
        self._content = content
        self._wanted_when_wide = True
        self._called = False
        self._folded = False
        self._scrim = _Scrim(self)
        self._scrim.pressed.connect(self.close_overlay)
        self._scrim.hide()
        for widget in (content, self._scrim, sidebar):
            widget.setParent(self)
        theme.changed.connect(self._fit)

    @property
    def folded(self) -> bool:
        """Whether the sidebar is away."""
        return self._folded

    @property
    def narrow(self) -> bool:
        """Whether the sidebar has no place beside the content."""
        return self.width() < self._theme.scale.room(NARROW_WIDTH)

    @property
    def wanted_when_wide(self) -> bool:
        """Whether the sidebar stands beside the content in a window that has room for both."""
        return self._wanted_when_wide

    def want_when_wide(self, wanted: bool) -> None:
        """Choose that."""
        self._wanted_when_wide = wanted
        self._place()

    @property
    def overlaid(self) -> bool:
        """Whether the sidebar stands in front of the content."""
        return self.narrow and self._called

    def toggle(self) -> None:
        """Fold the sidebar away, or bring it back."""
        if self.narrow:
            self._called = not self._called
        else:
            self._wanted_when_wide = not self._wanted_when_wide
        self._place()

    def unfold(self) -> None:
        """Bring the sidebar back."""
        if self._folded:
            self.toggle()

    def close_overlay(self) -> None:
        """Fold a sidebar away that stands in front of the content."""
        self._called = False
        self._place()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @override
    def minimumSizeHint(self) -> QSize:
        return self._content.minimumSizeHint()

    @override
    def sizeHint(self) -> QSize:
        return self._content.sizeHint()

    def _fit(self) -> None:
        if not self.narrow:
            self._called = False
        self._place()

    def _place(self) -> None:
        width, height = self.width(), self.height()
        wide = self._theme.scale.room(SIDEBAR_WIDTH)
        folded = not (self._called if self.narrow else self._wanted_when_wide)
        taken = 0 if self.narrow or folded else wide
        moved = taken != self._content.x()
        self._content.setGeometry(taken, 0, width - taken, height)
        room = width - _LEFT_FREE if self.narrow else width
        self._sidebar.setGeometry(0, 0, min(wide, room), height)
        self._scrim.setGeometry(0, 0, width, height)
        self._sidebar.setVisible(not folded)
        self._scrim.setVisible(self.overlaid)
        self._scrim.raise_()
        self._sidebar.raise_()
        if moved:
            self.content_moved.emit(taken)
        if folded != self._folded:
            self._folded = folded
            self.folded_changed.emit(folded)


class _Scrim(QWidget):
    """A veil over what is behind the sidebar.

    Signals:
        pressed: It was clicked.
    """

    pressed = Signal()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(0, 0, 0, 90))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()
