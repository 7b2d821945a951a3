"""Changes a message of the user that was sent before."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.ui.message_input import MessageInput
from s2s_desktop.ui.tokens import GAP
from s2s_desktop.ui.wrapping_label import WrappingLabel


class TurnEditor(QFrame):
    """A field with the message; Enter sends it, Escape leaves it as it was.

    Signals:
        submitted: With the new text.
        cancelled: Nothing is to change.
    """

    submitted = Signal(str)
    cancelled = Signal()

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.input = MessageInput(self)
        self.input.setAccessibleName(self.tr("Edit your message"))
        self.input.setPlainText(text)
        self.input.submitted.connect(self._submit)
        hint = WrappingLabel(self, "muted")
        hint.show_sentence(self.tr("The answer to it and everything after it is replaced."))
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.setAccessibleName(self.tr("Cancel editing"))
        cancel.clicked.connect(self.cancelled)
        self._send = QPushButton(self.tr("Send again"), self)
        self._send.setProperty("role", "primary")
        self._send.setAccessibleName(self.tr("Send again"))
        self._send.clicked.connect(self._submit)
        self.input.textChanged.connect(self._enable)
        buttons = QHBoxLayout()
        buttons.setSpacing(GAP)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self._send)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 10, 10)
        layout.setSpacing(GAP)
        layout.addWidget(self.input)
        layout.addWidget(hint)
        layout.addLayout(buttons)
        self._enable()

    def begin(self) -> None:
        """Take the keyboard, with the whole message selected."""
        self.input.setFocus()
        self.input.selectAll()

    @override
    def event(self, event: QEvent) -> bool:
        # Else the window's shortcut would take Escape and stop a reply.
        if event.type() == QEvent.Type.ShortcutOverride and _is_escape(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_escape(event):
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _submit(self) -> None:
        text = self.input.toPlainText().strip()
        if text:
            self.submitted.emit(text)

    def _enable(self) -> None:
        self._send.setEnabled(bool(self.input.toPlainText().strip()))


def _is_escape(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
