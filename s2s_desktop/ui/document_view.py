"""A document to read: laid out, selected and searched as one text, with scroll bars of its own."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from s2s_desktop.ui.links import open_link
from s2s_desktop.ui.markdown import SealedDocument, render_document
from s2s_desktop.ui.theme import Theme


class DocumentView(QTextBrowser):
    """Shows Markdown of ours. Code and tables that are too wide scroll sideways.

    Args:
        theme: Colors and sizes.
        name: For screen readers.
        text: Markdown.
        parent: Owner.
    """

    def __init__(self, theme: Theme, name: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = text
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setOpenLinks(False)
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self.setDocument(SealedDocument(self))
        self.anchorClicked.connect(open_link)
        theme.changed.connect(self._render)
        self._render()

    def find_from(self, words: str, *, beyond: bool) -> bool:
        """Select where the document says something next; behind the end it begins again.

        Args:
            words: What is looked for, in capitals or not; "" selects nothing.
            beyond: Look behind what is selected, else from its start on.

        Returns:
            Whether the document says it.
        """
        cursor = self.textCursor()
        cursor.setPosition(cursor.selectionEnd() if beyond else cursor.selectionStart())
        found = self.document().find(words, cursor) if words else QTextCursor()
        if found.isNull() and words:
            found = self.document().find(words)
        cursor.clearSelection()
        self.setTextCursor(cursor if found.isNull() else found)
        return not found.isNull()

    def _render(self) -> None:
        self.document().setDefaultFont(self._theme.body_font())
        render_document(self.document(), self._text, self._theme)
        self.moveCursor(QTextCursor.MoveOperation.Start)
