"""What a reply is made of: runs of text and uses of tools, below each other."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from s2s_desktop.ui.read_along import ReadAlong
from s2s_desktop.ui.reply_text import ReplyText
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import ROW_AIR
from s2s_desktop.ui.tool_line import ToolLine
from s2s_desktop.ui.turn_record import TextRun, ToolUse, TurnRecord

_GAP = 10


class ReplyParts(QVBoxLayout):
    """Shows the parts of a record, and marks the word that is being heard.

    Args:
        theme: Colors and sizes.
        record: What to show.
        row: The row that the parts are in.
    """

    def __init__(self, theme: Theme, record: TurnRecord, row: QWidget) -> None:
        super().__init__()
        self.setSpacing(_GAP)
        self._theme = theme
        self._record = record
        self._row = row
        self._views: list[ReplyText | ToolLine] = []
        self._read_along = ReadAlong()

    def refresh(self) -> None:
        """Show what the record says now."""
        for index, part in enumerate(self._record.parts):
            if index == len(self._views):
                self._add(part)
            view = self._views[index]
            if isinstance(part, TextRun):
                if isinstance(view, ReplyText):
                    view.set_text(part.text, part.closed)
            elif isinstance(view, ToolLine):
                view.show_use(part, abandoned=self._record.finished)

    def show_heard(self) -> None:
        """Mark the word that is being heard, while the voice speaks."""
        if self._record.being_spoken:
            texts = (view for view in self._views if isinstance(view, ReplyText))
            views = [view for text in texts for view in text.text_views]
            self._read_along.follow(views, self._record.heard)
        else:
            self._read_along.clear()

    def clear(self) -> None:
        """Take everything away."""
        for view in self._views:
            self.removeWidget(view)
            view.deleteLater()
        self._views = []

    def _add(self, part: TextRun | ToolUse) -> None:
        new: ReplyText | ToolLine
        if isinstance(part, TextRun):
            new = ReplyText(self._theme, self._row)
            new.laid_out.connect(self.show_heard)
        else:
            new = ToolLine(self._theme, self._row)
        new.resize(self._row.width() - 2 * ROW_AIR, new.height())
        self._views.append(new)
        self.addWidget(new)
