"""Why the microphone cannot listen, with what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.wrapping_label import WrappingLabel


class MicProblem(QWidget):
    """A sentence with a warning sign above the dock's controls; hidden while all is well."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = WrappingLabel(self, "warning")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(IconLabel(theme, "warning", "warning", self, size=16), 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._label, 1)
        self.hide()

    @property
    def text(self) -> str:
        """The sentence shown; "" when there is none."""
        return self._label.sentence

    def show_text(self, text: str) -> None:
        """Show a sentence, or nothing for ""."""
        self._label.show_sentence(text)
        self.setVisible(bool(text))
