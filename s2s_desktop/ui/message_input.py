"""Where one types: grows with the text, sends with Enter, remembers what was sent."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from s2s_desktop.ui.fitted_text import FittedText

MAX_LINES = 5
_REMEMBERED = 50
_AIR = 3


class MessageInput(FittedText):
    """A text field of one to five lines.

    Enter sends, Shift+Enter begins a new line, the arrow keys at the first and last line walk through what
    was sent before.

    Signals:
        submitted: Enter was pressed with something to send.
        focus_changed: The field got or lost the keyboard.
    """

    submitted = Signal()
    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._history: list[str] = []
        self._place = 0
        self._draft = ""
        self.setAccessibleName(self.tr("Message"))
        self.setPlaceholderText(self.tr("Type a message"))
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportMargins(0, _AIR, 0, _AIR)
        self.textChanged.connect(self.fit)
        self.fit()

    def show_text(self, text: str) -> None:
        """Show a text, with the cursor at its end."""
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    def take(self) -> str:
        """Return what was typed, remember it and empty the field."""
        text = self.toPlainText().strip()
        if text and text not in self._history[-1:]:
            self._history = [*self._history, text][-_REMEMBERED:]
        self._place = len(self._history)
        self.clear()
        return text

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers()
        plain = modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            if self.toPlainText().strip():
                self.submitted.emit()
        elif key == Qt.Key.Key_Up and plain and self._on_first_line() and self._place > 0:
            self._recall(self._place - 1)
        elif key == Qt.Key.Key_Down and plain and self._on_last_line() and self._place < len(self._history):
            self._recall(self._place + 1)
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def _recall(self, place: int) -> None:
        if self._place == len(self._history):
            self._draft = self.toPlainText()
        self._place = place
        self.show_text(self._history[place] if place < len(self._history) else self._draft)

    def _on_first_line(self) -> bool:
        return self._stays(QTextCursor.MoveOperation.Up)

    def _on_last_line(self) -> bool:
        return self._stays(QTextCursor.MoveOperation.Down)

    def _stays(self, movement: QTextCursor.MoveOperation) -> bool:
        cursor = self.textCursor()
        return not cursor.movePosition(movement)

    @override
    def fit(self) -> None:
        lines = min(max(round(self.document().size().height()), 1), MAX_LINES)
        # Qt rounds every line up, and scrolls unless a pixel is left below the last one.
        height = math.ceil(QFontMetricsF(self.font()).lineSpacing()) * lines + 1 + 2 * _AIR
        overflowing = self.document().size().height() > MAX_LINES
        policy = Qt.ScrollBarPolicy
        wanted = policy.ScrollBarAsNeeded if overflowing else policy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(wanted)
        if height != self.height():
            self.setFixedHeight(height)
        if not overflowing:  # Qt scrolled to the cursor while the field was still lower
            self.verticalScrollBar().setValue(0)
