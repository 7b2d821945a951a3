"""A field that takes a key combination by pressing it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QLineEdit, QWidget
from typing_extensions import override


class KeysBox(QKeySequenceEdit):
    """Shows a key combination; Backspace and Delete take it away, Tab, Return and Esc are left to the dialog.

    Attributes:
        line: Shows the keys inside.

    Signals:
        chosen: With the combination that was pressed, empty for none.
        waiting_changed: Whether keys that are pressed now are taken.
    """

    chosen = Signal(QKeySequence)
    waiting_changed = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setMaximumSequenceLength(1)
        line = self.findChild(QLineEdit)
        assert line is not None
        self.line = line
        line.setPlaceholderText(self.tr("Click here and press the keys"))
        self.keySequenceChanged.connect(self.chosen)

    def show_keys(self, keys: QKeySequence) -> None:
        """Show a combination that was not pressed here."""
        blocked = self.blockSignals(True)
        self.setKeySequence(keys)
        self.blockSignals(blocked)

    def set_name(self, name: str, description: str = "") -> None:
        """Tell screen readers what is chosen here."""
        for part in (self, self.line):
            part.setAccessibleName(name)
            part.setAccessibleDescription(description)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.waiting_changed.emit(True)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.waiting_changed.emit(False)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.modifiers() == Qt.KeyboardModifier.NoModifier:
            match event.key():
                case Qt.Key.Key_Backspace | Qt.Key.Key_Delete:
                    self.clear()
                    return
                case Qt.Key.Key_Escape | Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    event.ignore()
                    return
                case _:
                    pass
        super().keyPressEvent(event)
