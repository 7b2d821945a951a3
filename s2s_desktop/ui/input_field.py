"""The field with its buttons: type, send, stop."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.message_input import MessageInput
from s2s_desktop.ui.theme import Theme

_BUTTON = 34


class InputField(QFrame):
    """A rounded field.

    Signals:
        text_submitted: With the message.
        stop_requested: The reply is to end.
    """

    text_submitted = Signal(str)
    stop_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "field")
        self.input = MessageInput(self)
        self.stop_button = IconButton(theme, "stop", self.tr("Stop"), size=_BUTTON, parent=self)
        self.stop_button.setToolTip(self.tr("Stop (Esc)"))
        self.stop_button.backed = True
        self.stop_button.hide()
        self.send_button = IconButton(theme, "send", self.tr("Send"), size=_BUTTON, filled=True, parent=self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 4, 4, 4)
        layout.setSpacing(4)
        layout.addWidget(self.input, 1, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.stop_button, 0, Qt.AlignmentFlag.AlignBottom)
        layout.addWidget(self.send_button, 0, Qt.AlignmentFlag.AlignBottom)
        self.input.submitted.connect(self._submit)
        self.input.textChanged.connect(self._enable)
        self.input.focus_changed.connect(self._mark_focus)
        self.send_button.clicked.connect(self._submit)
        self.stop_button.clicked.connect(self.stop_requested)
        self._enable()

    def set_can_stop(self, can_stop: bool) -> None:
        """Show the stop button while there is something to stop."""
        if not can_stop and self.stop_button.hasFocus():
            self.input.setFocus()
        self.stop_button.setVisible(can_stop)

    def _submit(self) -> None:
        if self.input.toPlainText().strip():
            self.text_submitted.emit(self.input.take())

    def _enable(self) -> None:
        self.send_button.setEnabled(bool(self.input.toPlainText().strip()))
        self.send_button.update()

    def _mark_focus(self, focused: bool) -> None:
        self.setProperty("focused", "true" if focused else "false")
        self.style().polish(self)
