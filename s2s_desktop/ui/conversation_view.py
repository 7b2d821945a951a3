"""The conversation: its turns in order, following the newest while the reader is at the end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.conversation.events import (
    Event,
    SpokenProgress,
    TextDelta,
    TurnId,
    TurnRemoved,
    TypedMessage,
    VoiceChunk,
)
from s2s_desktop.conversation.store.records import SavedTurn
from s2s_desktop.ui.caption import Caption
from s2s_desktop.ui.coalescer import Coalescer
from s2s_desktop.ui.empty_state import EmptyState
from s2s_desktop.ui.following_scroll_area import FollowingScrollArea
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import BLOCK_GAP, COLUMN_WIDTH, EDGE, EDGE_NARROW, NARROW_WIDTH, ROW_AIR
from s2s_desktop.ui.turn_record import TurnRecord
from s2s_desktop.ui.turn_records import TurnRecords
from s2s_desktop.ui.turn_rows import TURN_GAP, TurnRows
from s2s_desktop.ui.turn_view import TurnView

_REFRESH_MS = 33


class ConversationView(FollowingScrollArea):
    """Turns, the live caption, and what to show before there are any.

    Signals:
        question_chosen: An example question was clicked.
        retry_requested: A failed turn is to be asked again, with the user's text.
        settings_requested: The settings are to open on this page.
        edit_requested: The message of the turn with this number is to be replaced by this text.
        regenerate_requested: The newest question is to be answered anew.
        delete_requested: The turn with this number is to go.
        earlier_requested: Turns before the one with this number (of a saved conversation) are wanted.
    """

    question_chosen = Signal(str)
    retry_requested = Signal(str)
    settings_requested = Signal(str)
    edit_requested = Signal(int, str)
    regenerate_requested = Signal()
    delete_requested = Signal(int)
    earlier_requested = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._records = TurnRecords()
        self._dirty: set[int] = set()
        self._turn_to_show: int | None = None
        self._refresh = Coalescer(_REFRESH_MS, self._refresh_dirty, self)
        self.setAccessibleName(self.tr("Conversation"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # its rows have it, and come into view with it
        self._page = page = QWidget(self)
        page.setProperty("role", "page")
        self._column = QWidget(page)
        self._empty = EmptyState(theme, page)
        self._earlier = QPushButton(self.tr("Show earlier messages"), self._column)
        self._earlier.setProperty("role", "link")
        self._earlier.setAccessibleName(self.tr("Show earlier messages"))
        self._earlier.hide()
        self._rows = TurnRows(theme, self._records, self._column)
        self._caption = Caption(theme, self._column)
        inside = QVBoxLayout(self._column)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(TURN_GAP)
        inside.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        inside.addWidget(self._rows)
        inside.addWidget(self._caption)
        inside.addStretch(1)
        self._margins = QHBoxLayout(page)
        self._margins.addStretch(1)
        self._margins.addWidget(self._empty, 1000)
        self._margins.addWidget(self._column, 1000)
        self._margins.addStretch(1)
        self.setWidget(page)
        theme.changed.connect(self._arrange)
        self._connect()
        self._arrange()
        self._show_empty_or_rows()

    def _connect(self) -> None:
        self._empty.question_chosen.connect(self.question_chosen)
        self._earlier.clicked.connect(self._show_earlier)
        rows = self._rows
        rows.retry_requested.connect(self.retry_requested)
        rows.settings_requested.connect(self.settings_requested)
        rows.edit_requested.connect(self.edit_requested)
        rows.regenerate_requested.connect(self.regenerate_requested)
        rows.delete_requested.connect(self.delete_requested)
        rows.row_reached.connect(lambda row: self.ensureWidgetVisible(row, 0, BLOCK_GAP))
        rows.growing_above.connect(self._hold_what_is_read)
        rows.row_added.connect(self._row_added)
        rows.complete.connect(self._rows_complete)

    @property
    def records(self) -> list[TurnRecord]:
        """Every turn of this conversation, oldest first."""
        return self._records.all

    def record(self, number: int) -> TurnRecord | None:
        """Return the turn with this number, if there is one."""
        return self._records.get(number)

    @property
    def views(self) -> list[TurnView]:
        """The rows that are shown, from top to bottom."""
        return self._rows.views

    @property
    def caption(self) -> str:
        """What the user is saying at the moment; "" when nothing."""
        return self._caption.text

    def show_saved(self, turns: Sequence[SavedTurn], more: bool, show: int | None = None) -> None:
        """Show a saved conversation in place of this one. Its rows come in slices, the newest first.

        Args:
            turns: The newest turns, oldest first; none for a new conversation.
            more: There are earlier ones: `earlier_requested` asks for them.
            show: Number of the turn to show; None shows the end.
        """
        self._dirty.clear()
        self._caption.clear()
        self._records.begin(turns, more)
        self._turn_to_show = None if show is None else self._records.number_of_saved(show)
        self.follow()
        self._rows.show_saved(len(turns) if show is not None else 0)
        self._show_empty_or_rows()

    def show_earlier(self, turns: Sequence[SavedTurn], more: bool) -> None:
        """Show saved turns above the others.

        Args:
            turns: Those before the first one that is shown, oldest first.
            more: There are still earlier ones.
        """
        self._records.add_saved(turns, more)
        self._show_earlier()

    def apply(self, turn: TurnId | None, event: Event) -> None:
        """Take an event."""
        if isinstance(event, TurnRemoved):
            self._remove(event.turn)
            return
        before = self._records.get(turn.number) if turn is not None else None
        if self._caption.observe(event, before.user_text if before is not None else ""):
            self._show_empty_or_rows()
        record = self._records.of_event(turn, event)
        if record is None:
            return
        if isinstance(event, TypedMessage):
            self.follow()
        record.apply(event)
        self._dirty.add(record.number)
        if isinstance(event, TextDelta | VoiceChunk | SpokenProgress):
            self._refresh.request()
        else:
            self._refresh_dirty()

    def flush(self) -> None:
        """Show everything that has arrived now."""
        self._refresh.flush()

    @override
    def has_content(self) -> bool:
        return len(self._rows) > 0

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        room = self._theme.scale.room
        column, seen = room(COLUMN_WIDTH), self.viewport().width()
        edge = EDGE if self.width() >= room(NARROW_WIDTH) else EDGE_NARROW
        # As much air at the left as the scroll bar takes at the right keeps the column above the dock.
        balance = self.width() - seen if seen > column + 2 * edge else 0
        side = edge - ROW_AIR  # rows have air of their own
        self._margins.setContentsMargins(side + balance, BLOCK_GAP, side, BLOCK_GAP)
        self._column.setMaximumWidth(column + 2 * ROW_AIR)
        self._rows.row_width = min(seen - balance - 2 * side, column + 2 * ROW_AIR)

    def _hold_what_is_read(self) -> None:
        if self._turn_to_show is not None or not self.following:
            self.hold()

    def _row_added(self) -> None:
        if self.following:
            self._rows.limit()
        self._show_empty_or_rows()

    def _rows_complete(self) -> None:
        if self._turn_to_show is not None:
            QTimer.singleShot(0, self, self._show_turn)  # when the last rows have found their places

    def _show_turn(self) -> None:
        number, self._turn_to_show = self._turn_to_show, None
        view = self._rows.get(number) if number is not None else None
        if view is not None:
            self.leave_end()
            place = view.mapTo(self._page, QPoint(0, 0)).y()
            self.verticalScrollBar().setValue(place - BLOCK_GAP)

    def _remove(self, turn: int) -> None:
        number = self._records.remove(turn)
        self._dirty.discard(number)
        self._rows.remove(number)
        self._show_empty_or_rows()

    def _refresh_dirty(self) -> None:
        dirty, self._dirty = self._dirty, set()
        rows = len(self._rows)
        self._rows.refresh(dirty)
        if len(self._rows) != rows:
            self._show_empty_or_rows()

    def _show_earlier(self) -> None:
        hidden = len(self._rows) < len(self._records)
        if not hidden and self._records.earliest is not None:
            self.earlier_requested.emit(self._records.earliest)
            return
        self.hold()
        self._rows.show_more()

    def _show_empty_or_rows(self) -> None:
        begun = self.has_content() or not self._caption.isHidden()
        self._empty.setVisible(not begun)
        self._column.setVisible(begun)
        more = len(self._rows) < len(self._records) or self._records.earliest is not None
        self._earlier.setVisible(more and self.has_content())
