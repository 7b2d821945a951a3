"""A sentence and the buttons that do something about it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QSizePolicy, QWidget
from typing_extensions import override

from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import GAP
from s2s_desktop.ui.wrapping_label import WrappingLabel

_NARROW = 340
_DIRECTIONS = QBoxLayout.Direction


class ActionSentence(QWidget):
    """The buttons stand beside the sentence, or below it where there is little room.

    Args:
        theme: The size of text.
        role: Of the sentence, in the stylesheet.
        parent: Owner.
    """

    def __init__(self, theme: Theme, role: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._label = WrappingLabel(self, role)
        self._box = QBoxLayout(_DIRECTIONS.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(GAP)
        self._box.addWidget(self._label, 1)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def sentence(self) -> str:
        """The sentence shown."""
        return self._label.sentence

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence."""
        self._label.show_sentence(sentence)

    def add_action(self, button: QPushButton) -> None:
        """Add a button behind the others."""
        self._box.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < self._theme.scale.room(_NARROW)
        self._box.setDirection(_DIRECTIONS.TopToBottom if narrow else _DIRECTIONS.LeftToRight)
