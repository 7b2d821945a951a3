"""Text of a message that can be selected, as high as it needs to be."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent, QTextCharFormat, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget
from typing_extensions import override

from s2s_desktop.ui.links import open_link
from s2s_desktop.ui.markdown import SealedDocument, render_markdown, render_plain
from s2s_desktop.ui.theme import Theme


class TextView(QTextBrowser):
    """Shows text, plain or as Markdown, without scroll bars of its own.

    Attributes:
        has_plain_tail: Characters were added since the Markdown was laid out.
    """

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._is_markdown = False
        self._marked_place: tuple[int, int] | None = None
        self.has_plain_tail = False
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setDocument(SealedDocument(self))
        self.document().setDefaultFont(theme.body_font())
        self.setOpenLinks(False)
        self.anchorClicked.connect(open_link)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.document().documentLayout().documentSizeChanged.connect(self.fit)
        theme.changed.connect(self._restyle)

    @property
    def text(self) -> str:
        """The text as it was given."""
        return self._text

    def show_plain(self, text: str) -> None:
        """Show `text` as it is."""
        self._text, self._is_markdown = text, False
        render_plain(self.document(), text, self._theme)

    def show_markdown(self, text: str) -> None:
        """Show `text` as Markdown."""
        self._text, self._is_markdown, self.has_plain_tail = text, True, False
        self._marked_place = None  # the words have other places now
        render_markdown(self.document(), text, self._theme)
        # Links are reached by keyboard; text without links need not be a stop on the way.
        has_links = "](" in text or "://" in text or "@" in text
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if has_links else Qt.FocusPolicy.ClickFocus)

    def append_plain(self, text: str) -> None:
        """Add characters at the end as they are, which is cheaper than laying out everything again."""
        self._text += text
        self.has_plain_tail = True
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text, QTextCharFormat())

    def mark_word(self, start: int, length: int) -> None:
        """Mark a word that is being spoken; nothing is laid out again.

        Args:
            start: Position in the document, in UTF-16 units.
            length: In UTF-16 units.
        """
        if (start, length) == self._marked_place:
            return
        self._marked_place = (start, length)
        mark = QTextEdit.ExtraSelection()
        mark.cursor = QTextCursor(self.document())
        mark.cursor.setPosition(start)
        mark.cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        mark.format.setBackground(self._theme.color("user_bubble"))
        mark.format.setForeground(self._theme.color("text"))
        self.setExtraSelections([mark])

    def unmark(self) -> None:
        """Mark no word."""
        self._marked_place = None
        self.setExtraSelections([])

    @property
    def marked_word(self) -> str:
        """The word that is marked; "" when none is."""
        marks = self.extraSelections()
        return marks[0].cursor.selectedText() if marks else ""

    def bar_height(self) -> int:
        """Return the room in px that a scroll bar below the text takes."""
        return 0

    def ideal_width(self) -> int:
        """Return the width in px at which no line would wrap."""
        return math.ceil(self.document().idealWidth())

    @override
    def sizeHint(self) -> QSize:
        return QSize(self.width(), self._height_needed())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            event.ignore()  # Space belongs to the window: it types, or talks
        else:
            super().keyPressEvent(event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the conversation scrolls, not the message

    def fit(self) -> None:
        """Be as high as the text."""
        height = self._height_needed()
        if height != self.height():
            self.setFixedHeight(height)

    def _height_needed(self) -> int:
        return math.ceil(self.document().size().height()) + self.bar_height()

    def _restyle(self) -> None:
        self.document().setDefaultFont(self._theme.body_font())
        if self._is_markdown:
            self.show_markdown(self._text)
        else:
            self.show_plain(self._text)
