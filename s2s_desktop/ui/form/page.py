"""One page of a form: a column of groups that scrolls."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.ui.form.tab_order import order_tabs
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import BLOCK_GAP, EDGE
from s2s_desktop.ui.wrapping_label import WrappingLabel

COLUMN = 40
"""Widest column of fields, as a multiple of the text size."""


class Page(QScrollArea):
    """Groups below each other, with a line where they meet.

    Args:
        theme: Colors.
        parent: Owner.

    Attributes:
        theme: As given.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields have it, and come into view with it
        content = QWidget(self)
        content.setProperty("role", "page")
        column = QWidget(content)
        self._layout = QVBoxLayout(column)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(EDGE)
        self._heading = QLabel(column)
        self._heading.setProperty("role", "title")
        self._heading.setWordWrap(True)
        self._text = WrappingLabel(column, "muted-body")
        self._text.hide()
        self._head = QVBoxLayout()
        self._head.setSpacing(6)
        self._head.addWidget(self._heading)
        self._head.addWidget(self._text)
        self._layout.addLayout(self._head)
        centered = QHBoxLayout(content)
        centered.setContentsMargins(EDGE, EDGE, EDGE, EDGE)
        centered.addWidget(column, 1, Qt.AlignmentFlag.AlignTop)
        self.setWidget(content)
        self.column = column
        theme.changed.connect(self._fit)
        self._fit()
        self._empty = True

    def set_title(self, title: str, text: str = "") -> None:
        """Say what the page is about, and a sentence about it."""
        self._heading.setText(title)
        self._text.show_sentence(text)
        self._text.setVisible(bool(text))

    def welcome(self, picture: QLabel) -> None:
        """Put a picture above the title, both in the middle."""
        for label in (picture, self._heading, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._head.insertWidget(0, picture)
        self._head.insertSpacing(1, BLOCK_GAP)

    def add(self, group: QWidget) -> None:
        """Add a group at the end."""
        if not self._empty:
            line = QFrame(self.column)
            line.setProperty("role", "line")
            line.setFixedHeight(1)
            self._layout.addWidget(line)
        self._empty = False
        self._layout.addWidget(group)

    def opened(self) -> None:
        """The page came into view; pages that ask for something do it here."""

    def _fit(self) -> None:
        self.column.setMaximumWidth(COLUMN * self.theme.scale.body)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        order_tabs(self.column)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(320, 240)
