"""A code block of a reply: its language, a copy button, lines that do not wrap."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetricsF, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.ui.copy_button import CopyButton
from s2s_desktop.ui.fitted_text import FittedText
from s2s_desktop.ui.sideways import is_sideways
from s2s_desktop.ui.theme import Theme


class CodeText(FittedText):
    """Lines of code, all of them visible, with a horizontal scroll bar when one is too long."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setProperty("role", "code")
        self.setReadOnly(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setUndoRedoEnabled(False)
        self.horizontalScrollBar().rangeChanged.connect(self.fit)

    def show_text(self, text: str) -> None:
        """Show `text`; only what is new is added when it continues what is shown."""
        shown = self.toPlainText()
        if text.startswith(shown):
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(text[len(shown) :])
        else:
            self.setPlainText(text)
        self.fit()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if is_sideways(event):
            super().wheelEvent(event)
        else:
            event.ignore()  # the conversation scrolls, not the code

    @override
    def fit(self) -> None:
        bar = self.horizontalScrollBar()
        bar_height = bar.sizeHint().height() if bar.maximum() > bar.minimum() else 0
        lines = QFontMetricsF(self.font()).lineSpacing() * self.document().blockCount()
        self.setFixedHeight(math.ceil(lines) + bar_height + 2)


class CodeView(QFrame):
    """A code block with its header."""

    def __init__(self, theme: Theme, language: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "code")
        self._code = CodeText(self.tr("Code"), self)
        header = QHBoxLayout()
        label = QLabel(language or self.tr("Code"), self)
        label.setProperty("role", "muted")
        label.setTextFormat(Qt.TextFormat.PlainText)
        header.addWidget(label)
        header.addStretch(1)
        header.addWidget(CopyButton(theme, self.tr("Copy code"), lambda: self.text, self))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 4, 6, 10)
        layout.setSpacing(2)
        layout.addLayout(header)
        layout.addWidget(self._code)

    @property
    def text(self) -> str:
        """The code."""
        return self._code.toPlainText()

    def show_text(self, text: str) -> None:
        """Show the code as far as it has come."""
        self._code.show_text(text)
