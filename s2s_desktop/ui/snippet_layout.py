"""Lays out a snippet of a search result: a few lines with the matches marked."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QTextCharFormat, QTextLayout, QTextOption

from s2s_desktop.conversation.store.snippets import Snippet
from s2s_desktop.ui.displayable import displayable_text


def utf16_ranges(text: str, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return half-open ranges of characters as start and length in UTF-16 units, as Qt counts."""
    return [(_units(text[:start]), _units(text[start:end])) for start, end in ranges]


def layout_snippet(
    snippet: Snippet, font: QFont, width: int, lines: int, *, text: QColor, mark: QColor
) -> QTextLayout:
    """Return the snippet in at most `lines` lines of `width` px, ready to draw.

    Args:
        snippet: What is shown.
        font: Of the text.
        width: In px.
        lines: The last one is cut with an ellipsis where there is more.
        text: Color of a match.
        mark: Background of a match.
    """
    shown = displayable_text(snippet.text)
    ranges = utf16_ranges(shown, snippet.highlights)
    layout = _laid_out(shown, font, width, lines, ranges, text, mark)
    last = layout.lineAt(layout.lineCount() - 1) if layout.lineCount() else None
    if last is not None and last.textStart() + last.textLength() < _units(shown):
        encoded = shown.encode("utf-16-le")
        head = encoded[: 2 * last.textStart()].decode("utf-16-le", "ignore")
        tail = encoded[2 * last.textStart() :].decode("utf-16-le", "ignore")
        # Bold letters are wider than the metrics of the font say.
        cut = QFontMetrics(font).elidedText(tail, Qt.TextElideMode.ElideRight, round(width * 0.94))
        layout = _laid_out(head + cut, font, width, lines, ranges, text, mark)
    return layout


def _laid_out(
    shown: str,
    font: QFont,
    width: int,
    lines: int,
    ranges: Sequence[tuple[int, int]],
    text: QColor,
    mark: QColor,
) -> QTextLayout:
    layout = QTextLayout(shown, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats([_format(start, length, text, mark) for start, length in ranges])
    layout.beginLayout()
    y = 0.0
    for _ in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, y))
        y += line.height()
    layout.endLayout()
    return layout


def _format(start: int, length: int, text: QColor, mark: QColor) -> QTextLayout.FormatRange:
    style = QTextCharFormat()
    style.setFontWeight(QFont.Weight.DemiBold)
    style.setForeground(text)
    style.setBackground(mark)
    found = QTextLayout.FormatRange()
    found.start, found.length, found.format = start, length, style
    return found


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
