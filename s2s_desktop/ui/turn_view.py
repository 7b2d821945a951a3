"""One turn in the conversation: what was asked and what came of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.ui.error_card import ErrorCard
from s2s_desktop.ui.marked_sentence import MarkedSentence
from s2s_desktop.ui.reply_actions import ReplyActions
from s2s_desktop.ui.reply_parts import ReplyParts
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import FIELD_RADIUS, ROW_AIR
from s2s_desktop.ui.turn_editor import TurnEditor
from s2s_desktop.ui.turn_menu import TurnActions, TurnMenu
from s2s_desktop.ui.turn_record import TurnRecord
from s2s_desktop.ui.turn_words import last_words, time_of_day
from s2s_desktop.ui.user_bubble import UserBubble
from s2s_desktop.ui.waterfall_popup import WaterfallPopup
from s2s_desktop.ui.wrapping_label import WrappingLabel

_MAX_NAME = 2000
"""Characters of an answer that a screen reader is given as the name of its row."""


class TurnView(QWidget):
    """Shows a record. `refresh` brings it up to date; it may be called as often as one likes.

    Signals:
        retry_requested: With the user's text, to ask again.
        settings_requested: The settings are to open on this page.
        edited: With the text that takes the place of the user's message.
        regenerate_requested: The question is to be answered anew.
        delete_requested: The turn is to go.
        neighbor_requested: The keyboard is to go to the row above (-1) or below (1).
    """

    retry_requested = Signal(str)
    settings_requested = Signal(str)
    edited = Signal(str)
    regenerate_requested = Signal()
    delete_requested = Signal()
    neighbor_requested = Signal(int)

    def __init__(self, theme: Theme, record: TurnRecord, width: int, parent: QWidget) -> None:
        """Make the row.

        Args:
            theme: Colors and sizes.
            record: What to show.
            width: The width the row is going to have, in px: a text laid out twice costs twice.
            parent: The column.
        """
        super().__init__(parent)
        self.resize(width, self.height())
        self._theme = theme
        self.record = record
        self._revision = record.revision
        self._error_card: ErrorCard | None = None
        self._editor: TurnEditor | None = None
        self._is_latest = True
        self._bubble = UserBubble(theme, self)
        self._bubble.resize(width - 2 * ROW_AIR, self._bubble.height())
        self._waiting = WrappingLabel(self, "muted-body")
        self._waiting.show_sentence(self.tr("Thinking…"))
        self._notice = WrappingLabel(self, "muted")
        self._mark = MarkedSentence(theme, "stop", self)
        self._actions = ReplyActions(theme, record, self)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(ROW_AIR, ROW_AIR // 2, ROW_AIR, ROW_AIR // 2)
        self._layout.setSpacing(10)
        self._layout.addWidget(self._bubble)
        self._layout.addSpacing(2)
        self._reply = ReplyParts(theme, record, self)
        self._layout.addLayout(self._reply)
        for widget in (self._waiting, self._mark, self._notice, self._actions):
            self._layout.addWidget(widget)
        self._connect()
        self.refresh()
        self.set_latest(True)

    def _connect(self) -> None:
        self._bubble.edit_requested.connect(self.edit)
        self._bubble.delete_requested.connect(self.delete_requested)
        self._bubble.menu_requested.connect(self.show_menu)
        self._actions.regenerate_requested.connect(self.regenerate_requested)
        self._actions.times_requested.connect(self.show_times)

    def set_latest(self, latest: bool) -> None:
        """Show the actions always on the latest turn, and on the others when the pointer is on them.

        Tab stops at the latest row only; the arrow keys go from there to the others.
        """
        self._is_latest = latest
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if latest else Qt.FocusPolicy.ClickFocus)
        self._bubble.set_reachable(latest)
        self._actions.set_reachable(latest)
        self._offer_regenerate()
        self._reveal()

    def refresh(self) -> None:
        """Show what the record says now."""
        record = self.record
        if record.revision != self._revision:
            self._revision = record.revision
            self._clear_reply()
        self._bubble.show_text(record.user_text)
        self._bubble.show_time(time_of_day(record.began_at))
        self._bubble.setVisible(bool(record.user_text) and self._editor is None)
        self._reply.refresh()
        self._waiting.setVisible(record.is_waiting)
        self._refresh_mark()
        self._notice.show_sentence(record.notice)
        self._notice.setVisible(bool(record.notice))
        self._refresh_error()
        self._actions.show_times(record.metrics, record.usage)
        self._actions.setVisible(record.finished and bool(record.reply_text))
        self._offer_regenerate()
        self._reveal()
        self._name()
        self.show_heard()

    def show_heard(self) -> None:
        """Mark the word that is being heard, while the voice speaks."""
        self._reply.show_heard()

    def edit(self) -> None:
        """Let the user change the message and send it again."""
        if self._editor is not None or not self.record.user_text:
            return
        editor = self._editor = TurnEditor(self.record.user_text, self)
        editor.submitted.connect(self._finish_editing)
        editor.cancelled.connect(lambda: self._finish_editing(""))
        self._layout.insertWidget(0, editor)
        self._bubble.hide()
        editor.show()
        editor.begin()

    def show_times(self) -> None:
        """Show where the time of the turn went."""
        if self.record.metrics is not None:
            WaterfallPopup(self._theme, self.record.metrics, self.record.usage, self).show_above(
                self._actions.latency
            )

    def show_menu(self, place: QPoint | None = None) -> None:
        """Show everything that can be done with the turn.

        Args:
            place: On the screen; None is below the message.
        """
        record = self.record
        copy = QGuiApplication.clipboard().setText
        has_times = record.metrics is not None and any(
            value is not None for value in (record.metrics.llm_first_token, record.metrics.voice_to_voice)
        )
        actions = TurnActions(
            copy_message=(lambda: copy(record.user_text)) if record.user_text else None,
            copy_answer=(lambda: copy(record.reply_text)) if record.reply_text else None,
            edit=self.edit if record.user_text else None,
            regenerate=self.regenerate_requested.emit if self._can_regenerate else None,
            show_times=self.show_times if has_times else None,
            delete=self.delete_requested.emit if record.finished else None,
        )
        TurnMenu(actions, self).popup(place or self._bubble.mapToGlobal(self._bubble.rect().bottomLeft()))

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.show_menu(None if by_key else event.globalPos())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        step = steps.get(Qt.Key(event.key()))
        if step is not None and self.hasFocus():
            self.neighbor_requested.emit(step)
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # Who came here with the arrow keys goes on to the actions with Tab.
        self._bubble.set_reachable(True)
        self._actions.set_reachable(True)
        self._reveal()
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._reveal()
        self.update()

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        self._reveal()
        super().enterEvent(event)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._reveal()
        super().leaveEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(self._theme.color("accent"), 2))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), FIELD_RADIUS, FIELD_RADIUS)

    @property
    def _can_regenerate(self) -> bool:
        return self._is_latest and self.record.finished and bool(self.record.user_text)

    def _offer_regenerate(self) -> None:
        self._actions.set_can_regenerate(self._can_regenerate)

    def _finish_editing(self, text: str) -> None:
        editor, self._editor = self._editor, None
        if editor is not None:
            self._layout.removeWidget(editor)
            editor.hide()
            editor.deleteLater()
        self._bubble.setVisible(bool(self.record.user_text))
        self.setFocus()
        if text:
            self.edited.emit(text)

    def _name(self) -> None:
        """Give a screen reader the turn in one piece."""
        lines = [self.tr("You: {text}").format(text=self.record.user_text)] if self.record.user_text else []
        if self.record.finished and self.record.reply_text:
            lines.append(self.tr("Assistant: {text}").format(text=self.record.reply_text[:_MAX_NAME]))
        self.setAccessibleName("\n".join(lines) or self.tr("Turn"))

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
        card.settings_requested.connect(self.settings_requested)
        self._error_card = card
        self._layout.insertWidget(self._layout.indexOf(self._actions), card)

    def _clear_reply(self) -> None:
        self._reply.clear()
        if self._error_card is not None:
            self._layout.removeWidget(self._error_card)
            self._error_card.deleteLater()
            self._error_card = None

    def _reveal(self) -> None:
        pointed_at = self.underMouse() or self.hasFocus()
        self._actions.reveal(self._is_latest or pointed_at)
        self._bubble.reveal(pointed_at)
