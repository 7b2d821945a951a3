"""What can be done with an answer: a quiet line below it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from s2s_desktop.conversation.events import TurnMetrics, Usage
from s2s_desktop.ui.copy_button import CopyButton
from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.plain_tip import plain_tip
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.turn_record import TurnRecord
from s2s_desktop.ui.turn_words import describe_metrics, short_latency


class ReplyActions(QWidget):
    """Copy, answer again, and the time one waited.

    Attributes:
        latency: The time as a button.

    Signals:
        regenerate_requested: The question is to be answered anew.
        times_requested: Where the time went is to be shown.
    """

    regenerate_requested = Signal()
    times_requested = Signal()

    def __init__(self, theme: Theme, record: TurnRecord, parent: QWidget) -> None:
        super().__init__(parent)
        self._copy = CopyButton(theme, self.tr("Copy the answer"), lambda: record.reply_text, self)
        self._again = IconButton(theme, "refresh", self.tr("Answer again"), size=28, parent=self)
        self._again.clicked.connect(self.regenerate_requested)
        self._again.hide()
        self.latency = QPushButton(self)
        self.latency.setProperty("role", "latency")
        self.latency.setCursor(Qt.CursorShape.PointingHandCursor)
        self.latency.clicked.connect(self.times_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._copy)
        layout.addWidget(self._again)
        layout.addWidget(self.latency)
        layout.addStretch(1)

    def show_times(self, metrics: TurnMetrics | None, usage: Usage | None) -> None:
        """Show how long the user waited."""
        waited = short_latency(self, metrics)
        self.latency.setText(waited)
        self.latency.setAccessibleName(self.tr("Where the time went: {time}").format(time=waited))
        self.latency.setToolTip(plain_tip(describe_metrics(self, metrics, usage)))

    def set_can_regenerate(self, can: bool) -> None:
        """Offer to answer again: only for the newest turn, when its question is known."""
        self._again.setVisible(can)

    def reveal(self, shown: bool) -> None:
        """Show the actions, or only leave their place."""
        self._copy.set_concealed(not shown)
        self._again.set_concealed(not shown)
        self.latency.setVisible(shown and bool(self.latency.text()))

    def set_reachable(self, reachable: bool) -> None:
        """Let Tab stop at the actions."""
        focus = Qt.FocusPolicy.StrongFocus if reachable else Qt.FocusPolicy.ClickFocus
        for button in (self._copy, self._again, self.latency):
            button.setFocusPolicy(focus)
