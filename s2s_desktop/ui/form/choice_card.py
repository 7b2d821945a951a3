"""One of a few large choices: a name and a sentence, all of it to click."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.ui.form.button import FormButton
from s2s_desktop.ui.wrapping_label import WrappingLabel


class ChoiceCard(FormButton):
    """Is chosen while it is checked; put several into a `QButtonGroup`.

    Args:
        title: The name of the choice.
        text: What it means.
        parent: Owner.
    """

    def __init__(self, title: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setProperty("role", "choice")
        self._title = WrappingLabel(self, "label")
        self._text = WrappingLabel(self, "muted")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 12, 16, 12)
        self._column.setSpacing(2)
        for label in (self._title, self._text):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._column.addWidget(label)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.show_choice(title, text)

    def show_choice(self, title: str, text: str) -> None:
        """Name the choice and say what it means."""
        self._title.show_sentence(title)
        self._text.show_sentence(text)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)

    # A push button measures its own text, of which it has none.

    @override
    def sizeHint(self) -> QSize:
        return self._column.totalSizeHint()

    @override
    def minimumSizeHint(self) -> QSize:
        return self._column.totalMinimumSize()

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self._column.totalHeightForWidth(width)
