"""Widgets beside each other where there is room, else below each other."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

_DIRECTIONS = QBoxLayout.Direction


class SideBySide(QWidget):
    """A row that becomes a column.

    Args:
        parent: Owner.
        spacing: Between the widgets in px.
        letters: Least width of each widget in a row, in letters of the font.
    """

    def __init__(self, parent: QWidget, spacing: int, letters: int) -> None:
        super().__init__(parent)
        self._letters = letters
        self._widgets: list[QWidget] = []
        self._box = QBoxLayout(_DIRECTIONS.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(spacing)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, widget: QWidget, stretch: int = 1) -> None:
        """Add a widget at the end."""
        self._widgets.append(widget)
        self._box.addWidget(widget, stretch, Qt.AlignmentFlag.AlignTop)

    @override
    def minimumSizeHint(self) -> QSize:
        # As narrow as a column may be; without this the row itself would keep the window wide.
        widths = [widget.minimumSizeHint().width() for widget in self._widgets if not widget.isHidden()]
        return QSize(max(widths, default=0), self._box.totalMinimumSize().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        shown = sum(not widget.isHidden() for widget in self._widgets)
        needed = shown * self._letters * self.fontMetrics().averageCharWidth()
        wanted = _DIRECTIONS.LeftToRight if self.width() >= needed else _DIRECTIONS.TopToBottom
        if self._box.direction() != wanted:
            self._box.setDirection(wanted)
            self.updateGeometry()
        super().resizeEvent(event)
