"""A scroll area that follows what arrives at its end, unless the reader is elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QWidget
from typing_extensions import override

from s2s_desktop.ui.icons import icon_pixmap
from s2s_desktop.ui.theme import Theme

_AT_END_PX = 32
_ICON = 16


class FollowingScrollArea(QScrollArea):
    """Stays at the end while the reader is there, and offers the way back when not."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._following = True
        self._held_from_end: int | None = None
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._jump = QPushButton(self.tr("Jump to latest"), self)
        self._jump.setProperty("role", "jump")
        self._jump.setAccessibleName(self.tr("Jump to latest"))
        self._jump.clicked.connect(self.follow)
        self._jump.hide()
        self._tint_jump()
        theme.changed.connect(self._tint_jump)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._range_changed)
        bar.valueChanged.connect(self._scrolled)
        bar.actionTriggered.connect(self._let_go)

    @property
    def following(self) -> bool:
        """Whether the view moves along with what arrives."""
        return self._following

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._following = True
        self._held_from_end = None
        self._scroll_to_end()

    def hold(self) -> None:
        """Keep what is in view where it is while rows are added above it, until the reader scrolls."""
        self._following = False
        bar = self.verticalScrollBar()
        self._held_from_end = bar.maximum() - bar.value()

    def leave_end(self) -> None:
        """Stay where the view is now, whatever arrives."""
        self._following = False
        self._held_from_end = None

    def has_content(self) -> bool:
        """Tell whether there is anything whose end could be followed."""
        return True

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_jump()

    def _range_changed(self) -> None:
        bar = self.verticalScrollBar()
        if self._following and self.has_content():
            self._scroll_to_end()
        elif self._held_from_end is not None:
            bar.setValue(bar.maximum() - self._held_from_end)
        self._place_jump()

    def _scrolled(self, value: int) -> None:
        at_end = value >= self.verticalScrollBar().maximum() - _AT_END_PX
        self._following = at_end or not self.has_content()
        self._place_jump()

    def _let_go(self) -> None:
        self._held_from_end = None  # from here on the reader decides

    def _scroll_to_end(self) -> None:
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())
        self._place_jump()

    def _place_jump(self) -> None:
        self._jump.setVisible(not self._following)
        size, viewport = self._jump.sizeHint(), self.viewport().size()
        x, y = (viewport.width() - size.width()) // 2, viewport.height() - size.height() - 12
        self._jump.setGeometry(x, y, size.width(), size.height())
        self._jump.raise_()

    def _tint_jump(self) -> None:
        side = self._theme.scale.sign(_ICON)
        self._jump.setIconSize(QSize(side, side))
        self._jump.setIcon(
            icon_pixmap("arrow-down", self._theme.color("text"), side, self.devicePixelRatioF())
        )
