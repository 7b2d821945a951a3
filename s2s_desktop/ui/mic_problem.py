"""Why the microphone cannot listen, with what to do."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from s2s_desktop.ui.action_sentence import ActionSentence
from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import GAP


class MicProblem(QWidget):
    """A sentence with a warning sign above the dock's controls; hidden while all is well.

    Signals:
        settings_requested: The user wants to choose another microphone.
    """

    settings_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = ActionSentence(theme, "warning", self)
        choose = QPushButton(self.tr("Audio settings"), self)
        choose.setProperty("role", "link")
        choose.setAccessibleName(self.tr("Audio settings"))
        choose.clicked.connect(self.settings_requested)
        self._words.add_action(choose)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addWidget(IconLabel(theme, "warning", "warning", self, size=16))
        layout.addWidget(self._words, 1)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence shown; "" when there is none."""
        return self._words.sentence

    def show_text(self, text: str) -> None:
        """Show a sentence, or nothing for ""."""
        self._words.show_sentence(text)
        self.setVisible(bool(text))
