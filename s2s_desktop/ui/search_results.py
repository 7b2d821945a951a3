"""What a search found: titles and pieces of messages, with the words marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget
from typing_extensions import override

from s2s_desktop.conversation.store.searching import SearchHit
from s2s_desktop.ui.conversation_list_model import AnyIndex
from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.search_hit_delegate import HitRole, SearchHitDelegate
from s2s_desktop.ui.theme import Theme

_NOWHERE = QModelIndex()


class _Hits(QAbstractListModel):
    """The hits as rows."""

    hits: Sequence[SearchHit] = ()

    def show_hits(self, hits: Sequence[SearchHit]) -> None:
        self.beginResetModel()
        self.hits = hits
        self.endResetModel()

    @override
    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.hits)

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        hit = self.hits[index.row()]
        if role == HitRole:
            return hit
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return displayable_text(f"{hit.conversation.title}: {hit.snippet.text}")
        return None


class SearchResults(QListView):
    """The list of hits.

    Signals:
        open_requested: With the hit.
    """

    open_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._hits = _Hits(self)
        self.setModel(self._hits)
        self.setItemDelegate(SearchHitDelegate(theme, self))
        self.setAccessibleName(self.tr("Search results"))
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        theme.changed.connect(self.viewport().update)

    @property
    def hits(self) -> Sequence[SearchHit]:
        """What is listed."""
        return self._hits.hits

    def show_hits(self, hits: Sequence[SearchHit]) -> None:
        """List these."""
        self._hits.show_hits(hits)

    def focus_first(self) -> None:
        """Give the keyboard to the first hit."""
        self.setFocus()
        self.setCurrentIndex(self._hits.index(0, 0))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.open_requested.emit(self.currentIndex().data(HitRole))
        elif event.text().isprintable() and event.text():
            event.ignore()
        else:
            super().keyPressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            self.open_requested.emit(index.data(HitRole))
