"""What a conversation shows before it has begun: three questions to click."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from s2s_desktop.ui.form.column_button import ColumnButton
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import BLOCK_GAP, GAP, ROW_AIR

_WIDTH = 440


class EmptyState(QWidget):
    """Says what one can do here.

    Signals:
        question_chosen: With the question that was clicked.
    """

    question_chosen = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        layout = QVBoxLayout(self)
        layout.setContentsMargins(ROW_AIR, 0, ROW_AIR, 0)
        layout.setSpacing(GAP)
        layout.addStretch(1)
        layout.addWidget(self._words(self.tr("What would you like to know?"), "title"))
        layout.addWidget(self._words(self.tr("Speak or type. Try one of these:"), "muted-body"))
        layout.addSpacing(BLOCK_GAP)
        for question in (
            self.tr("What is the capital of France?"),
            self.tr("Why is the sky blue?"),
            self.tr("Tell me a short story about a fox."),
        ):
            layout.addWidget(self._example(question))
        layout.addStretch(2)
        theme.changed.connect(self._fit)
        self._fit()

    def _words(self, text: str, role: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("role", role)
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        label.setWordWrap(True)
        return label

    def _example(self, question: str) -> ColumnButton:
        example = ColumnButton(self, "example")
        example.add_label("body").show_sentence(question)
        example.setAccessibleName(self.tr("Ask: {question}").format(question=question))
        example.clicked.connect(lambda: self.question_chosen.emit(question))
        return example

    def _fit(self) -> None:
        self.setMaximumWidth(self._theme.scale.room(_WIDTH) + 2 * ROW_AIR)
