"""The list of conversations in the sidebar."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget
from typing_extensions import override

from s2s_desktop.conversation.store.records import Conversation
from s2s_desktop.ui.conversation_list_delegate import ConversationListDelegate
from s2s_desktop.ui.conversation_list_model import ConversationListModel, ConversationRole
from s2s_desktop.ui.theme import Theme


class ConversationList(QListView):
    """Arrow keys and Enter open, F2 renames, Del deletes; everything else is in the context menu.

    Signals:
        open_requested: With the id.
        delete_requested: With the conversation.
        menu_requested: With the conversation and the place on the screen.
    """

    open_requested = Signal(str)
    delete_requested = Signal(object)
    menu_requested = Signal(object, QPoint)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows = ConversationListModel(self)
        self._waiting: list[Callable[[], None]] = []
        self._delegate = ConversationListDelegate(theme, self)
        self._delegate.closeEditor.connect(self._show_waiting, Qt.ConnectionType.QueuedConnection)
        self.setModel(self.rows)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Conversations"))
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setMouseTracking(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        theme.changed.connect(self.viewport().update)

    @property
    def in_use(self) -> str:
        """Id of the conversation that is going on."""
        return self._delegate.in_use

    def last_in_view(self) -> int:
        """Return how many conversations there are down to the end of what is in view."""
        index = self.indexAt(QPoint(self.viewport().width() // 2, self.viewport().height() - 1))
        return index.row() + 1 if index.isValid() else 0

    def set_in_use(self, conversation_id: str) -> None:
        """Mark the conversation that is going on."""
        if conversation_id != self._delegate.in_use:
            self._delegate.in_use = conversation_id
            self.viewport().update()

    def show_all(self, conversations: list[Conversation], complete: bool) -> None:
        """List these; the place of the reader stays. While a title is being written the list waits."""
        self._waiting.clear()
        self._change(lambda: self.rows.show_all(conversations, complete))

    def update_one(self, conversation: Conversation) -> None:
        """Show what became of one conversation; as `show_all`."""
        self._change(lambda: self.rows.update_one(conversation))

    def remove_one(self, conversation_id: str) -> None:
        """List a conversation no longer; as `show_all`."""
        self._change(lambda: self.rows.remove_one(conversation_id))

    def append(self, conversations: list[Conversation], complete: bool) -> None:
        """List these below the others."""
        self.rows.append(conversations, complete)

    def _change(self, change: Callable[[], object]) -> None:
        if self.state() == QAbstractItemView.State.EditingState:
            self._waiting.append(lambda: self._change(change))
            return
        current = self.currentIndex().data(ConversationRole)
        bar = self.verticalScrollBar()
        place, first = bar.value(), self.indexAt(QPoint(self.viewport().width() // 2, 0))
        seen = first.siblingAtRow(first.row() + 1).data(ConversationRole) if first.isValid() else None
        before = self._top_of(seen) if isinstance(seen, Conversation) else 0
        change()
        if isinstance(current, Conversation):
            self.setCurrentIndex(self._index(current.id))
        self.doItemsLayout()
        # A reader who is not at the top keeps the rows in view where they are.
        moved = self._top_of(seen) - before if place and isinstance(seen, Conversation) else 0
        bar.setValue(place + moved)

    def _top_of(self, conversation: Conversation) -> int:
        """Return how far down a conversation is, in pixels of the whole list."""
        index = self._index(conversation.id)
        return self.visualRect(index).top() + self.verticalScrollBar().value() if index.isValid() else 0

    def rename(self, conversation_id: str) -> None:
        """Let the user write another title."""
        index = self._index(conversation_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.edit(index)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        conversation = self.currentIndex().data(ConversationRole)
        editing = self.state() == QAbstractItemView.State.EditingState
        if editing or not isinstance(conversation, Conversation):
            conversation = None
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if conversation is not None:
                self.open_requested.emit(conversation.id)
            case Qt.Key.Key_Delete if conversation is not None:
                self.delete_requested.emit(conversation)
            case _ if event.text().isprintable() and event.text():
                event.ignore()  # what is typed goes into the message
            case _:
                super().keyPressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        conversation = index.data(ConversationRole) if index.isValid() else None
        if event.button() == Qt.MouseButton.LeftButton and isinstance(conversation, Conversation):
            self.open_requested.emit(conversation.id)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        conversation = index.data(ConversationRole) if index.isValid() else None
        if isinstance(conversation, Conversation):
            place = self.visualRect(index).center() if by_key else event.pos()
            self.menu_requested.emit(conversation, self.viewport().mapToGlobal(place))

    def _show_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for change in waiting:
            change()

    def _index(self, conversation_id: str) -> QModelIndex:
        return self.rows.index(self.rows.row_of(conversation_id), 0)
