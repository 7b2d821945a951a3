"""One turn in the conversation: what was asked and what came of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.ui.copy_button import CopyButton
from s2s_desktop.ui.error_card import ErrorCard
from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.reply_text import ReplyText
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import GAP
from s2s_desktop.ui.tool_line import ToolLine
from s2s_desktop.ui.turn_record import TextRun, TurnRecord
from s2s_desktop.ui.turn_words import describe_metrics, last_words, short_latency
from s2s_desktop.ui.user_bubble import UserBubble
from s2s_desktop.ui.wrapping_label import WrappingLabel


class TurnView(QWidget):
    """Shows a record. `refresh` brings it up to date; it may be called as often as one likes.

    Signals:
        retry_requested: With the user's text, to ask again.
    """

    retry_requested = Signal(str)

    def __init__(self, theme: Theme, record: TurnRecord, width: int, parent: QWidget) -> None:
        """Make the row.

        Args:
            theme: Colours and sizes.
            record: What to show.
            width: The width the row is going to have, in px: a text laid out twice costs twice.
            parent: The column.
        """
        super().__init__(parent)
        self.resize(width, self.height())
        self._theme = theme
        self.record = record
        self._revision = record.revision
        self._parts: list[ReplyText | ToolLine] = []
        self._error_card: ErrorCard | None = None
        self._is_latest = True
        self._bubble = UserBubble(theme, self)
        self._bubble.resize(width, self._bubble.height())
        self._waiting = WrappingLabel(self, "muted-body")
        self._waiting.show_sentence(self.tr("Thinking…"))
        self._notice = WrappingLabel(self, "muted")
        self._mark = _Marked(theme, "stop", self)
        self._latency = QLabel(self)
        self._latency.setProperty("role", "muted")
        self._copy = CopyButton(theme, self.tr("Copy the answer"), lambda: self.record.reply_text, self)
        actions = QHBoxLayout()
        actions.setSpacing(GAP)
        actions.addWidget(self._latency)
        actions.addWidget(self._copy)
        actions.addStretch(1)
        self._actions = QWidget(self)
        self._actions.setLayout(actions)
        actions.setContentsMargins(0, 0, 0, 0)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(10)
        self._layout.addWidget(self._bubble)
        self._layout.addSpacing(2)
        self._reply = QVBoxLayout()
        self._reply.setSpacing(10)
        self._layout.addLayout(self._reply)
        for widget in (self._waiting, self._mark, self._notice, self._actions):
            self._layout.addWidget(widget)
        self.refresh()

    def set_latest(self, latest: bool) -> None:
        """Show the actions always on the latest turn, and on the others when the pointer is on them."""
        self._is_latest = latest
        self._reveal(latest or self.underMouse())

    def refresh(self) -> None:
        """Show what the record says now."""
        record = self.record
        if record.revision != self._revision:
            self._revision = record.revision
            self._clear_reply()
        self._bubble.show_text(record.user_text)
        self._bubble.setVisible(bool(record.user_text))
        self._refresh_parts()
        self._waiting.setVisible(record.is_waiting)
        self._refresh_mark()
        self._notice.show_sentence(record.notice)
        self._notice.setVisible(bool(record.notice))
        self._refresh_error()
        self._latency.setText(short_latency(self, record.metrics))
        self._latency.setToolTip(describe_metrics(self, record.metrics, record.usage))
        self._actions.setVisible(record.finished and bool(record.reply_text))

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self._reveal(True)
        super().enterEvent(event)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._reveal(self._is_latest)
        super().leaveEvent(event)

    def _refresh_parts(self) -> None:
        for index, part in enumerate(self.record.parts):
            if index == len(self._parts):
                new = (
                    ReplyText(self._theme, self) if isinstance(part, TextRun) else ToolLine(self._theme, self)
                )
                new.resize(self.width(), new.height())
                self._parts.append(new)
                self._reply.addWidget(new)
            view = self._parts[index]
            if isinstance(part, TextRun):
                if isinstance(view, ReplyText):
                    view.set_text(part.text, part.closed)
            elif isinstance(view, ToolLine):
                view.show_use(part, abandoned=self.record.finished)

    def _refresh_mark(self) -> None:
        record = self.record
        words = last_words(record.heard)
        if not record.interrupted:
            text = ""
        elif words:
            text = self.tr("Interrupted after “{words}”").format(words=words)
        else:
            text = self.tr("Interrupted")
        self._mark.show_text(text)

    def _refresh_error(self) -> None:
        error = self.record.error
        if error is None or self._error_card is not None:
            return
        card = ErrorCard(self._theme, error, bool(self.record.user_text), self)
        card.retry_requested.connect(lambda: self.retry_requested.emit(self.record.user_text))
        self._error_card = card
        self._layout.insertWidget(self._layout.indexOf(self._actions), card)

    def _clear_reply(self) -> None:
        for view in self._parts:
            self._reply.removeWidget(view)
            view.deleteLater()
        self._parts = []
        if self._error_card is not None:
            self._layout.removeWidget(self._error_card)
            self._error_card.deleteLater()
            self._error_card = None

    def _reveal(self, shown: bool) -> None:
        self._copy.set_concealed(not shown)
        self._latency.setVisible(shown)
        self._bubble.copy_button.set_concealed(not self.underMouse())


class _Marked(QWidget):
    """A quiet sentence with an icon."""

    def __init__(self, theme: Theme, icon: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = WrappingLabel(self, "muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(IconLabel(theme, icon, "muted", self, size=14), 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self._label, 1)

    def show_text(self, text: str) -> None:
        self._label.show_sentence(text)
        self.setVisible(bool(text))
