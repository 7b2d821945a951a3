"""The conversation: one row a turn, in order, following the newest while the reader is at the end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.conversation.events import (
    Event,
    FinalTranscript,
    PartialTranscript,
    SpeechDiscarded,
    SpeechStarted,
    SpokenProgress,
    State,
    StateChanged,
    TextDelta,
    TurnFailed,
    TurnId,
    TurnRemoved,
    TurnReopened,
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
from s2s_desktop.ui.turn_view import TurnView

MAX_ROWS = 50
"""Turns that have widgets; older ones are kept as text and shown again on request."""

_REFRESH_MS = 33
_FIRST_ROWS = 3
_RETIRED_AT_ONCE = 4
_TURN_GAP = 4
_WIDEST = COLUMN_WIDTH + 2 * ROW_AIR


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
        self._views: dict[int, TurnView] = {}
        self._dirty: set[int] = set()
        self._shown_rows = MAX_ROWS
        self._waiting_rows: list[int] = []
        self._retired: list[TurnView] = []
        self._turn_to_show: int | None = None
        self._slices = Coalescer(0, self._add_slice, self)
        self._refresh = Coalescer(_REFRESH_MS, self._refresh_dirty, self)
        self.setAccessibleName(self.tr("Conversation"))

        self._page = page = QWidget(self)
        page.setProperty("role", "page")
        self._column = QWidget(page)
        self._column.setMaximumWidth(_WIDEST)
        self._empty = EmptyState(page)
        self._empty.question_chosen.connect(self.question_chosen)
        self._earlier = QPushButton(self.tr("Show earlier messages"), self._column)
        self._earlier.setProperty("role", "link")
        self._earlier.setAccessibleName(self.tr("Show earlier messages"))
        self._earlier.clicked.connect(self._show_earlier)
        self._earlier.hide()
        self._caption = Caption(theme, self._column)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(_TURN_GAP)
        inside = QVBoxLayout(self._column)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(_TURN_GAP)
        inside.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        inside.addLayout(self._rows)
        inside.addWidget(self._caption)
        inside.addStretch(1)
        self._margins = QHBoxLayout(page)
        self._margins.addStretch(1)
        self._margins.addWidget(self._empty, 1000)
        self._margins.addWidget(self._column, 1000)
        self._margins.addStretch(1)
        self.setWidget(page)

        self._show_empty_or_rows()

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
        return list(self._views.values())

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
        self._clear()
        self._records.begin(turns, more)
        self._shown_rows = max(MAX_ROWS, len(turns) if show is not None else 0)
        self._waiting_rows = self._wanted_rows()
        self._turn_to_show = None if show is None else self._records.number_of_saved(show)
        self.follow()
        self._add_slice(_FIRST_ROWS)
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
        self._update_caption(turn, event)
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
        return bool(self._views)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        edge = EDGE if self.width() >= NARROW_WIDTH else EDGE_NARROW
        # As much air at the left as the scroll bar takes at the right keeps the column above the dock.
        scroll_bar = self.width() - self.viewport().width()
        balance = scroll_bar if self.viewport().width() > COLUMN_WIDTH + 2 * edge else 0
        side = edge - ROW_AIR  # rows have air of their own
        self._margins.setContentsMargins(side + balance, BLOCK_GAP, side, BLOCK_GAP)

    def _clear(self) -> None:
        self._waiting_rows = []
        self._dirty.clear()
        for view in self._views.values():
            self._rows.removeWidget(view)
            view.hide()
            self._retired.append(view)
        self._views = {}
        self._shown_rows = MAX_ROWS
        self._caption.clear()

    def _add_slice(self, count: int = 1) -> None:
        """Add the next rows above the others and drop old ones, a few at a time: the window stays alive."""
        if self._waiting_rows and self._views and (self._turn_to_show is not None or not self.following):
            self.hold()
        for _ in range(min(count, len(self._waiting_rows))):
            number = self._waiting_rows.pop()
            if number not in self._views:
                self._add_row(number)
        for view in self._retired[-_RETIRED_AT_ONCE:]:
            view.deleteLater()
        del self._retired[-_RETIRED_AT_ONCE:]
        if self._waiting_rows or self._retired:
            self._slices.request()
        elif self._turn_to_show is not None:
            QTimer.singleShot(0, self, self._show_turn)  # when the last rows have found their places

    def _show_turn(self) -> None:
        number, self._turn_to_show = self._turn_to_show, None
        view = self._views.get(number) if number is not None else None
        if view is not None:
            self.leave_end()
            place = view.mapTo(self._page, QPoint(0, 0)).y()
            self.verticalScrollBar().setValue(place - BLOCK_GAP)

    def _remove(self, turn: int) -> None:
        number = self._records.remove(turn)
        self._dirty.discard(number)
        self._take_row_away(number)
        self._show_empty_or_rows()

    def _take_row_away(self, number: int) -> None:
        view = self._views.pop(number, None)
        if view is None:
            return
        self._rows.removeWidget(view)
        view.hide()
        view.deleteLater()
        self._mark_latest()

    def _update_caption(self, turn: TurnId | None, event: Event) -> None:
        match event:
            case SpeechStarted():
                self._caption.listen()
            case PartialTranscript(text=text, stable=stable):
                self._caption.show_partial(text, stable)
            case TurnReopened() if turn is not None:
                # What was said stays in view, and goes on where it stopped.
                before = self._records.get(turn.number)
                if before is not None and before.user_text:
                    self._caption.show_partial(before.user_text, len(before.user_text))
            case FinalTranscript() | SpeechDiscarded() | TypedMessage() | TurnFailed():
                self._caption.clear()
            case StateChanged(state=State.IDLE):
                self._caption.clear()
            case _:
                return
        self._show_empty_or_rows()

    def _refresh_dirty(self) -> None:
        for number in sorted(self._dirty):
            view = self._views.get(number)
            if not self._records[number].has_content:
                self._take_row_away(number)
                self._show_empty_or_rows()
            elif view is not None:
                view.refresh()
            elif number in self._wanted_rows():
                self._add_row(number)
        self._dirty.clear()

    def _wanted_rows(self) -> list[int]:
        return self._records.with_content[-self._shown_rows :]

    def _add_row(self, number: int) -> None:
        margins = self._margins.contentsMargins()
        room = self.viewport().width() - margins.left() - margins.right()
        view = TurnView(self._theme, self._records[number], min(room, _WIDEST), self._column)
        view.retry_requested.connect(self.retry_requested)
        view.settings_requested.connect(self.settings_requested)
        known_as = self._records.known_as(number)
        view.edited.connect(lambda text: self.edit_requested.emit(known_as, text))
        view.regenerate_requested.connect(self.regenerate_requested)
        view.delete_requested.connect(lambda: self.delete_requested.emit(known_as))
        view.neighbour_requested.connect(lambda step: self._go_to_neighbour(number, step))
        self._rows.insertWidget(sum(1 for shown in self._views if shown < number), view)
        self._views[number] = view
        self._views = dict(sorted(self._views.items()))
        if self.following:
            self._drop_old_rows()
        self._mark_latest()
        self._show_empty_or_rows()

    def _mark_latest(self) -> None:
        newest = max(self._views, default=None)
        for shown, row in self._views.items():
            row.set_latest(shown == newest)

    def _go_to_neighbour(self, number: int, step: int) -> None:
        numbers = list(self._views)
        place = numbers.index(number) + step
        if 0 <= place < len(numbers):
            row = self._views[numbers[place]]
            row.setFocus(Qt.FocusReason.OtherFocusReason)
            self.ensureWidgetVisible(row, 0, BLOCK_GAP)

    def _drop_old_rows(self) -> None:
        self._shown_rows = MAX_ROWS
        wanted = set(self._wanted_rows())
        for number in [number for number in self._views if number not in wanted]:
            view = self._views.pop(number)
            self._rows.removeWidget(view)
            view.hide()
            view.deleteLater()

    def _show_earlier(self) -> None:
        hidden = len(self._views) < len(self._records)
        if not hidden and self._records.earliest is not None:
            self.earlier_requested.emit(self._records.earliest)
            return
        self.hold()
        self._shown_rows = len(self._views) + MAX_ROWS
        for number in self._wanted_rows():
            if number not in self._views:
                self._add_row(number)

    def _show_empty_or_rows(self) -> None:
        begun = bool(self._views) or not self._caption.isHidden()
        self._empty.setVisible(not begun)
        self._column.setVisible(begun)
        more = len(self._views) < len(self._records) or self._records.earliest is not None
        self._earlier.setVisible(more and bool(self._views))
