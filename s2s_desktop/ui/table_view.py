"""A table of a reply: words stay whole, and what is too wide scrolls sideways."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QResizeEvent,
    QTextCursor,
    QTextLayout,
    QTextOption,
    QTextTable,
    QTextTableCell,
    QWheelEvent,
)
from PySide6.QtWidgets import QTextBrowser, QWidget
from typing_extensions import override

from s2s_desktop.ui.markdown import CELL_BORDER, CELL_PADDING
from s2s_desktop.ui.sideways import is_sideways
from s2s_desktop.ui.text_view import TextView
from s2s_desktop.ui.theme import Theme

_LEAST_EM = 5.5
"""A table is folded to the width of the window as long as each column that needs it keeps this width."""
_COMFORTABLE_EM = 9.0
"""Width of the columns of a table that is too wide for that; both are sizes of the body font."""


class TableView(TextView):
    """Shows Markdown that is one table."""

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(theme, name, parent)
        self._columns: list[tuple[float, float]] = []
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.setLineWrapMode(TextView.LineWrapMode.FixedPixelWidth)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.horizontalScrollBar().rangeChanged.connect(self.fit)

    @override
    def show_markdown(self, text: str) -> None:
        scrolled = self.horizontalScrollBar().value()
        super().show_markdown(text)
        self.moveCursor(QTextCursor.MoveOperation.Start)  # Qt keeps the cursor in view, and it was at the end
        self._columns = [
            column
            for frame in self.document().rootFrame().childFrames()
            if isinstance(frame, QTextTable)
            for column in _measure(frame)
        ]
        self._spread()
        self.horizontalScrollBar().setValue(scrolled)

    @override
    def append_plain(self, text: str) -> None:
        self._text += text
        self.has_plain_tail = True  # a row without its cells is no sight: it comes with the next layout

    @override
    def mark_word(self, start: int, length: int) -> None:
        super().mark_word(start, length)
        for mark in self.extraSelections():
            self._bring_into_view(mark.cursor)

    @override
    def bar_height(self) -> int:
        bar = self.horizontalScrollBar()
        return bar.sizeHint().height() if bar.maximum() > bar.minimum() else 0

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._spread()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if is_sideways(event):
            QTextBrowser.wheelEvent(self, event)
        else:
            super().wheelEvent(event)

    def _spread(self) -> None:
        """Fold the text to the width of the view if that leaves words and columns whole."""
        width = self.viewport().width()
        if self._width_at(_LEAST_EM) > width:
            width = max(width, self._width_at(_COMFORTABLE_EM))
        if width != self.lineWrapColumnOrWidth():
            self.setLineWrapColumnOrWidth(width)

    def _width_at(self, em: float) -> int:
        """Return the width of the table in px if no column took more than `em` without need."""
        most = em * self._theme.scale.body
        widths = [max(least, min(natural, most)) for least, natural in self._columns]
        return math.ceil(sum(width + 2 * CELL_PADDING + CELL_BORDER for width in widths) + CELL_BORDER)

    def _bring_into_view(self, cursor: QTextCursor) -> None:
        place, width, bar = self.cursorRect(cursor), self.viewport().width(), self.horizontalScrollBar()
        if not 0 <= place.left() <= width:
            bar.setValue(bar.value() + place.left() - width // 2)


def _measure(table: QTextTable) -> list[tuple[float, float]]:
    """Return for every column the width of its longest word and of its longest line, in px."""
    return [
        (max(layout.minimumWidth() for layout in layouts), max(layout.maximumWidth() for layout in layouts))
        for layouts in (
            [layout for row in range(table.rows()) for layout in _layouts(table.cellAt(row, column))]
            for column in range(table.columns())
        )
    ]


def _layouts(cell: QTextTableCell) -> list[QTextLayout]:
    block, last = cell.firstCursorPosition().block(), cell.lastCursorPosition().block()
    found = [block.layout()]
    while block != last:
        block = block.next()
        found.append(block.layout())
    return found
