"""What the user is saying, before it is a message."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from s2s_desktop.ui.tokens import COLUMN_WIDTH
from s2s_desktop.ui.wrapping_label import WrappingLabel

_WIDEST = round(COLUMN_WIDTH * 0.8)
_PADDING_X = 14
_PADDING_Y = 9
_MAX_CHARACTERS = 600


class Caption(QWidget):
    """A dashed bubble where the message is going to be: first a hint, then the words so far."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = WrappingLabel(self, "muted-body")
        self._label.setAccessibleName(self.tr("What you are saying"))
        self._bubble = QFrame(self)
        self._bubble.setProperty("role", "caption")
        inside = QHBoxLayout(self._bubble)
        inside.setContentsMargins(_PADDING_X, _PADDING_Y, _PADDING_X, _PADDING_Y)
        inside.addWidget(self._label)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addStretch(1)
        layout.addWidget(self._bubble, 1000)
        self.hide()

    @property
    def text(self) -> str:
        """What is shown; "" while nothing is being said."""
        return "" if self.isHidden() else self._label.sentence

    def listen(self) -> None:
        """The user began to speak."""
        self._show(self.tr("Listening to you…"))

    def show_partial(self, text: str) -> None:
        """Show what the words seem to be; the end of them when they are many."""
        shown = text.strip()
        if shown:
            self._show(shown if len(shown) <= _MAX_CHARACTERS else "…" + shown[-_MAX_CHARACTERS:])

    def clear(self) -> None:
        """The words became a message, or were none."""
        self.hide()

    def _show(self, text: str) -> None:
        self._label.show_sentence(text)
        line = self._label.fontMetrics().horizontalAdvance(self._label.text())
        self._bubble.setMaximumWidth(min(line + 4, _WIDEST) + 2 * _PADDING_X + 2)
        self.show()
