"""What a conversation shows before it has begun: three questions to click."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from s2s_desktop.ui.tokens import BLOCK_GAP, GAP

_WIDTH = 440


class EmptyState(QWidget):
    """Says what one can do here.

    Signals:
        question_chosen: With the question that was clicked.
    """

    question_chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        title = QLabel(self.tr("What would you like to know?"), self)
        title.setProperty("role", "title")
        title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        title.setWordWrap(True)
        hint = QLabel(self.tr("Press the microphone and speak, or type. Try one of these:"), self)
        hint.setProperty("role", "muted-body")
        hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        hint.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addStretch(1)
        layout.addWidget(title)
        layout.addWidget(hint)
        layout.addSpacing(BLOCK_GAP)
        for question in (
            self.tr("What is the capital of France?"),
            self.tr("Why is the sky blue?"),
            self.tr("Tell me a short story about a fox."),
        ):
            button = QPushButton(question, self)
            button.setProperty("role", "example")
            button.setAccessibleName(self.tr("Ask: {question}").format(question=question))
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _=False, text=question: self.question_chosen.emit(text))
            layout.addWidget(button)
        layout.addStretch(2)
        self.setMaximumWidth(_WIDTH)
