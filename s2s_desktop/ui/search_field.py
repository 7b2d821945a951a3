"""The field that searches the conversations."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from s2s_desktop.ui.icons import icon_pixmap, paint_icon
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import SEARCH_ICON

_PAUSE_MS = 150
_MAX_QUERY = 500


class SearchField(QLineEdit):
    """Reports what is typed when the typing pauses; Esc empties it.

    Signals:
        query_changed: With the query; "" ends the search.
        left: Arrow down or Enter: the results are wanted.
    """

    query_changed = Signal(str)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._reported = ""
        self.setProperty("role", "search")
        self.setPlaceholderText(self.tr("Search…"))
        self.setAccessibleName(self.tr("Search all conversations"))
        self.setToolTip(self.tr("Search all conversations (Ctrl+F)"))
        self._clear = QAction(self.tr("Clear the search"), self)
        self._clear.setVisible(False)
        self._clear.triggered.connect(self.clear)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._tint()
        theme.changed.connect(self._tint)
        self.setMaxLength(_MAX_QUERY)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.report)
        self.textChanged.connect(self._text_changed)

    def report(self) -> None:
        """Report the query now."""
        self._pause.stop()
        query = self.text().strip()
        if query != self._reported:
            self._reported = query
            self.query_changed.emit(query)

    @override
    def event(self, event: QEvent) -> bool:
        # Esc belongs to the field while there is something to empty, not to the window's shortcut.
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and self.text()
        ):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.report()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        side = self._theme.scale.sign(SEARCH_ICON)
        top = (self.height() - side) / 2
        paint_icon(painter, "search", self._theme.color("muted"), QRectF(10, top, side, side))

    def _tint(self) -> None:
        side = self._theme.scale.sign(SEARCH_ICON)
        color, screen = self._theme.color("muted"), self.devicePixelRatioF()
        self._clear.setIcon(icon_pixmap("close", color, side, screen))

    def _text_changed(self, text: str) -> None:
        self._clear.setVisible(bool(text))
        if text.strip():
            self._pause.start()
        else:
            self.report()
