"""The saved conversations as rows: headings and the conversations under them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from typing_extensions import override

from s2s_desktop.conversation.store.records import Conversation
from s2s_desktop.ui.day_groups import group_of, long_date
from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.plain_tip import plain_tip

ConversationRole = Qt.ItemDataRole.UserRole
"""The `Conversation` of a row; None for a heading."""

AnyIndex = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_QUARTER_HOUR_MS = 900_000
"""In every time zone a day begins at a full quarter of an hour."""


class ConversationListModel(QAbstractListModel):
    """Rows in the order they are given. More are asked for as the reader comes near the end.

    Attributes:
        conversations: What is listed.

    Signals:
        more_wanted: There may be more, and the end is near.
        rename_requested: The user wrote a title: id of the conversation, title.
    """

    more_wanted = Signal()
    rename_requested = Signal(str, str)

    def __init__(self, parent: QObject, today: Callable[[], date] = date.today) -> None:
        super().__init__(parent)
        self._today = today
        self._rows: list[str | Conversation] = []
        self._places: dict[str, int] = {}
        self._complete = True
        self._headings: dict[int, str] = {}
        self._headings_of = today()
        self.conversations: list[Conversation] = []

    def show_all(self, conversations: Sequence[Conversation], complete: bool) -> bool:
        """List these and no others.

        Args:
            conversations: In the order of the list.
            complete: There are no more.

        Returns:
            Whether anything looks different.
        """
        self._complete = complete
        rows = self._with_headings(conversations, "")
        if rows == self._rows:
            return False
        self.beginResetModel()
        self._rows = rows
        self.conversations = list(conversations)
        self._places = {row.id: place for place, row in enumerate(rows) if isinstance(row, Conversation)}
        self.endResetModel()
        return True

    def append(self, conversations: Sequence[Conversation], complete: bool) -> None:
        """List these below the others. Those that are listed already are passed over."""
        self._complete = complete
        fresh = [conversation for conversation in conversations if conversation.id not in self._places]
        last = self._rows[-1] if self._rows else ""
        heading = self._heading_of(last) if isinstance(last, Conversation) else ""
        rows = self._with_headings(fresh, heading)
        if rows:
            start = len(self._rows)
            self.beginInsertRows(_NOWHERE, start, start + len(rows) - 1)
            self._rows += rows
            self.conversations += fresh
            for place, row in enumerate(rows, start):
                if isinstance(row, Conversation):
                    self._places[row.id] = place
            self.endInsertRows()

    def row_of(self, conversation_id: str) -> int:
        """Return the row of a conversation, or -1."""
        return self._places.get(conversation_id, -1)

    @override
    def rowCount(self, parent: AnyIndex = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    @override
    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._rows[index.row()]
        if not isinstance(row, Conversation):
            texts = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)
            return row if role in texts else None
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return displayable_text(row.title) or self.tr("New conversation")
            case Qt.ItemDataRole.AccessibleTextRole:
                title = displayable_text(row.title) or self.tr("New conversation")
                return self.tr("{title}, pinned").format(title=title) if row.pinned else title
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(self._describe(row))
            case _:
                return row if role == ConversationRole else None

    @override
    def setData(self, index: AnyIndex, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self._rows[index.row()]
        if role != Qt.ItemDataRole.EditRole or not isinstance(row, Conversation):
            return False
        title = str(value).strip()
        if title and title != row.title:
            self.rename_requested.emit(row.id, title)
        return True

    @override
    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        if not index.isValid() or not isinstance(self._rows[index.row()], Conversation):
            return Qt.ItemFlag.NoItemFlags  # the arrow keys pass headings over
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    @override
    def canFetchMore(self, parent: AnyIndex) -> bool:
        return not parent.isValid() and not self._complete

    @override
    def fetchMore(self, parent: AnyIndex) -> None:
        self.more_wanted.emit()

    def _with_headings(self, conversations: Sequence[Conversation], heading: str) -> list[str | Conversation]:
        rows: list[str | Conversation] = []
        for conversation in conversations:
            group = self._heading_of(conversation)
            if group != heading:
                rows.append(group)
                heading = group
            rows.append(conversation)
        return rows

    def _heading_of(self, conversation: Conversation) -> str:
        """Remember headings: a list of ten thousand is made anew within milliseconds."""
        today = self._today()
        if today != self._headings_of:
            self._headings_of, self._headings = today, {}
        slot = -1 if conversation.pinned else conversation.updated_at // _QUARTER_HOUR_MS
        heading = self._headings.get(slot)
        if heading is None:
            heading = self._headings[slot] = group_of(self, conversation, today)
        return heading

    def _describe(self, conversation: Conversation) -> str:
        facts = (long_date(conversation.updated_at), conversation.profile, conversation.persona)
        return f"{conversation.title}\n{' · '.join(fact for fact in facts if fact)}"
