"""A quiet sentence with a sign before it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.wrapping_label import WrappingLabel


class MarkedSentence(QWidget):
    """Hidden while there is nothing to say."""

    def __init__(self, theme: Theme, icon: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = WrappingLabel(self, "muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(IconLabel(theme, icon, "muted", self, size=14), 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self._label, 1)

    def show_text(self, text: str) -> None:
        """Show a sentence, or nothing for ""."""
        self._label.show_sentence(text)
        self.setVisible(bool(text))
