"""The rows of a conversation: which turns have one, and in which order they come and go."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from s2s_desktop.ui.coalescer import Coalescer
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.turn_records import TurnRecords
from s2s_desktop.ui.turn_view import TurnView

MAX_ROWS = 50
"""Turns that have widgets; older ones are kept as text and shown again on request."""

TURN_GAP = 4
_FIRST_ROWS = 3
_RETIRED_AT_ONCE = 4


class TurnRows(QWidget):
    """One row a turn. A saved conversation comes in slices, the newest first: the window stays alive.

    Attributes:
        row_width: The width a new row is going to have, px.

    Signals:
        retry_requested: A failed turn is to be asked again, with the user's text.
        settings_requested: The settings are to open on this page.
        edit_requested: The message of the turn with this number is to be replaced by this text.
        regenerate_requested: The newest question is to be answered anew.
        delete_requested: The turn with this number is to go.
        row_reached: The keyboard went to this row.
        growing_above: Rows are about to be added above those in view.
        row_added: There is one more row.
        complete: Every row that was wanted is there.
    """

    retry_requested = Signal(str)
    settings_requested = Signal(str)
    edit_requested = Signal(int, str)
    regenerate_requested = Signal()
    delete_requested = Signal(int)
    row_reached = Signal(QWidget)
    growing_above = Signal()
    row_added = Signal()
    complete = Signal()

    def __init__(self, theme: Theme, records: TurnRecords, parent: QWidget) -> None:
        """Begin without rows.

        Args:
            theme: Colors and sizes.
            records: What there is to show.
            parent: The column.
        """
        super().__init__(parent)
        self._theme = theme
        self._records = records
        self.row_width = parent.width()
        self._views: dict[int, TurnView] = {}
        self._most = MAX_ROWS
        self._waiting: list[int] = []
        self._retired: list[TurnView] = []
        self._slices = Coalescer(0, self._add_slice, self)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(TURN_GAP)

    def __len__(self) -> int:
        return len(self._views)

    @property
    def views(self) -> list[TurnView]:
        """The rows, from top to bottom."""
        return list(self._views.values())

    def get(self, number: int) -> TurnView | None:
        """Return the row of the turn with this number, if it has one."""
        return self._views.get(number)

    def show_saved(self, least: int = 0) -> None:
        """Take every row away and show the records there are now.

        Args:
            least: Turns that are to have rows, where the usual number is too small.
        """
        self._retire_all()
        self._most = max(MAX_ROWS, least)
        self._waiting = self._wanted()
        self._add_slice(_FIRST_ROWS)

    def show_more(self) -> None:
        """Give rows to earlier turns, as many as fit above those there are."""
        self._most = len(self._views) + MAX_ROWS
        for number in self._wanted():
            if number not in self._views:
                self._add(number)

    def refresh(self, numbers: Iterable[int]) -> None:
        """Bring the rows of these turns up to date: they come, change and go with what there is to show."""
        for number in sorted(numbers):
            view = self._views.get(number)
            if not self._records[number].has_content:
                self.remove(number)
            elif view is not None:
                view.refresh()
            elif number in self._wanted():
                self._add(number)

    def remove(self, number: int) -> None:
        """Take a row away."""
        view = self._views.pop(number, None)
        if view is not None:
            self._take_out(view)
            view.deleteLater()
            self._mark_latest()

    def limit(self) -> None:
        """Take the oldest rows away where there are more than usual."""
        self._most = MAX_ROWS
        wanted = set(self._wanted())
        for number in [number for number in self._views if number not in wanted]:
            view = self._views.pop(number)
            self._take_out(view)
            view.deleteLater()

    def _wanted(self) -> list[int]:
        return self._records.with_content[-self._most :]

    def _retire_all(self) -> None:
        self._waiting = []
        for view in self._views.values():
            self._take_out(view)
            self._retired.append(view)
        self._views = {}

    def _add_slice(self, count: int = 1) -> None:
        """Add the next rows above the others and drop old ones, a few at a time."""
        if self._waiting and self._views:
            self.growing_above.emit()
        for _ in range(min(count, len(self._waiting))):
            number = self._waiting.pop()
            if number not in self._views:
                self._add(number)
        for view in self._retired[-_RETIRED_AT_ONCE:]:
            view.deleteLater()
        del self._retired[-_RETIRED_AT_ONCE:]
        if self._waiting or self._retired:
            self._slices.request()
        else:
            self.complete.emit()

    def _add(self, number: int) -> None:
        view = TurnView(self._theme, self._records[number], self.row_width, self)
        view.retry_requested.connect(self.retry_requested)
        view.settings_requested.connect(self.settings_requested)
        known_as = self._records.known_as(number)
        view.edited.connect(lambda text: self.edit_requested.emit(known_as, text))
        view.regenerate_requested.connect(self.regenerate_requested)
        view.delete_requested.connect(lambda: self.delete_requested.emit(known_as))
        view.neighbor_requested.connect(lambda step: self._go_to_neighbor(number, step))
        self._rows.insertWidget(sum(1 for shown in self._views if shown < number), view)
        self._views[number] = view
        self._views = dict(sorted(self._views.items()))
        self.row_added.emit()
        self._mark_latest()

    def _take_out(self, view: TurnView) -> None:
        self._rows.removeWidget(view)
        view.hide()

    def _mark_latest(self) -> None:
        newest = max(self._views, default=None)
        for shown, row in self._views.items():
            row.set_latest(shown == newest)

    def _go_to_neighbor(self, number: int, step: int) -> None:
        numbers = list(self._views)
        place = numbers.index(number) + step
        if 0 <= place < len(numbers):
            row = self._views[numbers[place]]
            row.setFocus(Qt.FocusReason.OtherFocusReason)
            self.row_reached.emit(row)
