"""A button made of labels below each other."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.ui.form.button import FormButton
from s2s_desktop.ui.wrapping_label import WrappingLabel


class ColumnButton(FormButton):
    """Grows with its words where Qt's own button would cut them off.

    Args:
        parent: Owner.
        role: Of the button, in the stylesheet.
    """

    def __init__(self, parent: QWidget, role: str) -> None:
        super().__init__(parent)
        self.setProperty("role", role)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 12, 16, 12)
        self._column.setSpacing(2)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add_label(self, role: str) -> WrappingLabel:
        """Return a new label below the others."""
        label = WrappingLabel(self, role)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._column.addWidget(label)
        return label

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
