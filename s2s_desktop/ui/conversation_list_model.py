"""The saved conversations as rows: headings and the conversations under them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from typing_extensions import override

from s2s_desktop.conversation.store.records import Conversation
from s2s_desktop.ui.day_groups import group_of, long_date
from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.plain_tip import plain_tip

ConversationRole = Qt.ItemDataRole.UserRole
"""The `Conversation` of a row; None for a heading."""

AnyIndex = QModelIndex | QPersistentModelIndex
_QUARTER_HOUR_MS = 900_000
"""In every time zone a day begins at a full quarter of an hour."""


class ConversationListModel(QStandardItemModel):
    """Rows in the order they are given. More are asked for as the reader comes near the end.

    Qt keeps the number of rows: a view asks for it and for the index of every row when it lays them out,
    which takes a quarter of a second for ten thousand rows where those calls lead to Python.

    Signals:
        more_wanted: There may be more, and the end is near.
        rename_requested: The user wrote a title: id of the conversation, title.
    """

    more_wanted = Signal()
    rename_requested = Signal(str, str)

    def __init__(self, parent: QObject, today: Callable[[], date] = date.today) -> None:
        super().__init__(0, 1, parent)
        self._today = today
        self._rows: list[str | Conversation] = []
        self._places: dict[str, int] | None = {}
        self._complete = True
        self._headings: dict[int, str] = {}
        self._headings_of = today()
        self._arriving: Sequence[str | Conversation] = ()
        # The first to hear of it: views ask about rows until they are gone, and about new ones at once.
        self.rowsInserted.connect(self._take_in)
        self.rowsRemoved.connect(self._let_go)

    @property
    def conversations(self) -> list[Conversation]:
        """What is listed."""
        return [row for row in self._rows if isinstance(row, Conversation)]

    def show_all(self, conversations: Sequence[Conversation], complete: bool) -> bool:
        """List these and no others. Rows that stay where they are are left alone.

        Args:
            conversations: In the order of the list.
            complete: There are no more.

        Returns:
            Whether anything looks different.
        """
        self._complete = complete
        self._look_at_the_calendar()
        old, new = self._rows, self._with_headings(conversations, "")
        if new == old:
            return False
        shorter = min(len(old), len(new))
        head = next((place for place in range(shorter) if old[place] != new[place]), shorter)
        tail = next((n for n in range(shorter - head) if old[-1 - n] != new[-1 - n]), shorter - head)
        self._replace(head, len(old) - tail, new[head : len(new) - tail])
        return True

    def append(self, conversations: Sequence[Conversation], complete: bool) -> None:
        """List these below the others. Those that are listed already are passed over."""
        self._complete = complete
        self._look_at_the_calendar()
        fresh = [conversation for conversation in conversations if self.row_of(conversation.id) < 0]
        last = self._rows[-1] if self._rows else ""
        heading = self._heading_of(last) if isinstance(last, Conversation) else ""
        end = len(self._rows)
        self._replace(end, end, self._with_headings(fresh, heading))

    def update_one(self, conversation: Conversation) -> None:
        """Show what became of one conversation, also when it is new or has another place now."""
        self._look_at_the_calendar()
        place = self.row_of(conversation.id)
        if place >= 0 and self._rows[place] == conversation:
            return
        self.remove_one(conversation.id)
        self._insert(conversation)

    def remove_one(self, conversation_id: str) -> None:
        """List a conversation no longer, and its heading neither where it stood alone."""
        place = self.row_of(conversation_id)
        if place >= 0:
            above, below = self._rows[place - 1], self._rows[place + 1 : place + 2]
            alone = isinstance(above, str) and not (below and isinstance(below[0], Conversation))
            self._replace(place - alone, place + 1, [])

    def row_of(self, conversation_id: str) -> int:
        """Return the row of a conversation, or -1."""
        if self._places is None:
            self._places = {row.id: n for n, row in enumerate(self._rows) if isinstance(row, Conversation)}
        return self._places.get(conversation_id, -1)

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

    def _insert(self, conversation: Conversation) -> None:
        """Put a conversation where it belongs, under its heading."""
        rows, heading = self._rows, self._heading_of(conversation)
        below = (n for n, row in enumerate(rows) if not isinstance(row, str) and _above(conversation, row))
        place = next(below, len(rows))
        if place == len(rows) and not self._complete:
            return  # further down than what was fetched
        if 0 < place < len(rows) and isinstance(rows[place - 1], str) and rows[place - 1] != heading:
            place -= 1  # the last one of the group before, or a group of its own
        before = rows[place - 1] if place else ""
        group = before if isinstance(before, str) else self._heading_of(before)
        self._replace(place, place, [conversation] if group == heading else [heading, conversation])

    def _replace(self, start: int, end: int, rows: Sequence[str | Conversation]) -> None:
        """Put rows in place of those from start to before end, and tell the views."""
        self._places = None
        kept = min(end - start, len(rows))
        self._rows[start : start + kept] = rows[:kept]
        if kept:
            self.dataChanged.emit(self.index(start, 0), self.index(start + kept - 1, 0))
        if end - start > kept:
            self.removeRows(start + kept, end - start - kept)
        if len(rows) > kept:
            self._arriving = rows[kept:]
            self.insertRows(start + kept, len(rows) - kept)

    def _take_in(self, parent: QModelIndex, first: int, last: int) -> None:
        self._rows[first:first] = self._arriving
        self._places, self._arriving = None, ()

    def _let_go(self, parent: QModelIndex, first: int, last: int) -> None:
        del self._rows[first : last + 1]
        self._places = None

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
        slot = -1 if conversation.pinned else conversation.updated_at // _QUARTER_HOUR_MS
        heading = self._headings.get(slot)
        if heading is None:
            heading = self._headings[slot] = group_of(self, conversation, self._headings_of)
        return heading

    def _look_at_the_calendar(self) -> None:
        """Forget the headings of another day: yesterday is another day by now."""
        today = self._today()
        if today != self._headings_of:
            self._headings_of, self._headings = today, {}

    def _describe(self, conversation: Conversation) -> str:
        facts = (long_date(conversation.updated_at), conversation.profile, conversation.persona)
        return f"{conversation.title}\n{' · '.join(fact for fact in facts if fact)}"


def _above(one: Conversation, other: Conversation) -> bool:
    """Tell whether a conversation stands above another one: pinned ones first, then the newest."""
    return (one.pinned, one.updated_at) > (other.pinned, other.updated_at)
