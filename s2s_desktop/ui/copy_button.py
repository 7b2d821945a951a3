"""Copies a text and says that it did."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.theme import Theme

_CONFIRMED_MS = 1500


class CopyButton(IconButton):
    """An icon button that puts a text on the clipboard and shows a tick for a moment."""

    def __init__(self, theme: Theme, name: str, text: Callable[[], str], parent: QWidget) -> None:
        super().__init__(theme, "copy", name, size=28, parent=parent)
        self._name = name
        self._text = text
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text())
        self.set_icon("check", self.tr("Copied"))
        QTimer.singleShot(_CONFIRMED_MS, self, self._restore)

    def _restore(self) -> None:
        self.set_icon("copy", self._name)
