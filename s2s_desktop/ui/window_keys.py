"""The keyboard of the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QWidget

from s2s_desktop.ui.message_input import MessageInput
from s2s_desktop.ui.talk_control import TalkControl

_NO_COMMAND = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)


class WindowKeys(QObject):
    """Shortcuts, talking with Space, and typing from wherever the focus is.

    Args:
        window: Whose keyboard it is.
        talk: What Space does with push-to-talk.
        field: Where text goes that nothing else wants.
    """

    def __init__(self, window: QWidget, talk: TalkControl, field: MessageInput) -> None:
        super().__init__(window)
        self._window = window
        self._talk = talk
        self._field = field

    def add_shortcut(self, keys: str, act: Callable[[], object]) -> None:
        """Do something whenever these keys are pressed in the window, for example "Ctrl+N"."""
        shortcut = QShortcut(QKeySequence(keys), self._window)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(act)

    def press(self, event: QKeyEvent) -> bool:
        """Take a key that no part of the window wanted. Returns False for one that means nothing here."""
        if event.key() == Qt.Key.Key_Space and self._talk.mode == "push-to-talk":
            if not event.isAutoRepeat():
                self._talk.press()
            return True
        if event.text().isprintable() and event.text() and event.modifiers() in _NO_COMMAND:
            self._field.setFocus()
            QApplication.sendEvent(self._field, event)
            return True
        return False

    def release(self, event: QKeyEvent) -> None:
        """Take the end of a key press."""
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._talk.release()
