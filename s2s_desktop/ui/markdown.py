"""Markdown of a reply as a document in the colors of the theme. Nothing in it is fetched or run."""

from __future__ import annotations

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import (
    QBrush,
    QFont,
    QFontMetricsF,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from typing_extensions import override

from s2s_desktop.ui.line_breaks import keep_line_breaks
from s2s_desktop.ui.links import is_openable
from s2s_desktop.ui.segments import TABLE_BARS
from s2s_desktop.ui.theme import Theme

_FEATURES = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
_PARAGRAPH_GAP = 10
_HEADING_GAP = 6
_ITEM_GAP = 4
_INDENT = 22
CELL_PADDING = 6
CELL_BORDER = 1


class SealedDocument(QTextDocument):
    """A document that loads nothing.

    Qt's own `loadResource` reads `file:` addresses of pictures from the disk, so a reply with
    `![](file:///dev/zero)` would hang the program.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setDocumentMargin(0)
        self.setUndoRedoEnabled(False)

    @override
    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return None


def render_markdown(document: QTextDocument, text: str, theme: Theme) -> None:
    """Replace the content of `document` by `text`.

    HTML stays text, pictures become links to them, links that may not be opened become plain text. Text
    that Markdown would make invisible, and tables too large to lay out in time, are shown as written.
    """
    if text.count("|") > TABLE_BARS:
        render_plain(document, text, theme)
        return
    render_document(document, keep_line_breaks(text), theme)
    if not document.toPlainText().strip() and text.strip():
        render_plain(document, text, theme)


def render_document(document: QTextDocument, text: str, theme: Theme) -> None:
    """Replace the content of `document` by a text that was written as Markdown, of any length."""
    document.setIndentWidth(round(_INDENT * theme.scale.factor))
    document.setMarkdown(text, _FEATURES)
    edit = QTextCursor(document)
    edit.beginEditBlock()  # one layout for all changes
    _replace_pictures(document)
    _style_tables(document, theme)
    _style_blocks(document, theme)
    edit.endEditBlock()


def render_plain(document: QTextDocument, text: str, theme: Theme) -> None:
    """Replace the content of `document` by `text` as it is."""
    document.setPlainText(text)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    spacing = QTextBlockFormat()
    proportional = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
    spacing.setLineHeight(_line_height(document, theme), proportional)
    cursor.mergeBlockFormat(spacing)


def _line_height(document: QTextDocument, theme: Theme) -> float:
    """Return the line height in percent of the font's own."""
    natural = QFontMetricsF(document.defaultFont()).lineSpacing()
    return max(100 * theme.scale.line_height * theme.scale.body / natural, 100.0)


def _fragments(block: QTextBlock) -> list[tuple[int, int, QTextCharFormat]]:
    found = []
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        found.append((fragment.position(), fragment.length(), fragment.charFormat()))
        iterator += 1
    return found


def _blocks(document: QTextDocument) -> list[QTextBlock]:
    blocks = []
    block = document.begin()
    while block.isValid():
        blocks.append(block)
        block = block.next()
    return blocks


def _select(document: QTextDocument, position: int, length: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(position)
    cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _replace_pictures(document: QTextDocument) -> None:
    pictures = [
        (position, length, char_format.toImageFormat())
        for block in _blocks(document)
        for position, length, char_format in _fragments(block)
        if char_format.isImageFormat()
    ]
    for position, length, picture in reversed(pictures):
        address = picture.name()
        label = picture.stringProperty(QTextFormat.Property.ImageAltText.value) or address
        link = QTextCharFormat()
        link.setAnchor(True)
        link.setAnchorHref(address)
        _select(document, position, length).insertText(f"[{label}]", link)


def _style_blocks(document: QTextDocument, theme: Theme) -> None:
    blocks = _blocks(document)
    line_height = _line_height(document, theme)
    for block in blocks:
        if _is_filler(block):
            _set_block_format(block, 0, 0, line_height=None)
            continue
        level = block.blockFormat().headingLevel()
        above = _HEADING_GAP if level and block != blocks[0] else 0
        _set_block_format(
            block, above, _gap_below(block), line_height=100 if _is_code(block) else line_height
        )
        if level:
            _set_heading(block, level, theme)
        if _is_ruler(block):
            faint = QTextCharFormat()
            faint.setForeground(theme.color("line"))
            QTextCursor(block).mergeBlockCharFormat(faint)
        if _is_code(block):
            _shade(block, theme)
        if _quote_level(block):
            quoted = QTextCharFormat()
            quoted.setForeground(theme.color("muted"))
            _select(document, block.position(), block.length() - 1).mergeCharFormat(quoted)
        for position, length, char_format in _fragments(block):
            _style_fragment(_select(document, position, length), char_format, theme)


def _set_heading(block: QTextBlock, level: int, theme: Theme) -> None:
    sizes = {1: theme.scale.title, 2: theme.scale.body + 3, 3: theme.scale.body + 1}
    for position, length, letters in _fragments(block):
        # Qt's own sizes of headings win over a size in pixels while they are there.
        letters.clearProperty(QTextFormat.Property.FontSizeAdjustment.value)
        letters.setProperty(QTextFormat.Property.FontPixelSize.value, sizes.get(level, theme.scale.body))
        letters.setFontWeight(QFont.Weight.DemiBold)
        _select(block.document(), position, length).setCharFormat(letters)


def _is_filler(block: QTextBlock) -> bool:
    """Tell whether `block` is one of the empty paragraphs Qt needs before and behind a table."""
    in_table = QTextCursor(block).currentTable() is not None
    blank = not block.text() and block.textList() is None and not _is_ruler(block)
    return blank and not in_table and not _is_code(block)


def _is_ruler(block: QTextBlock) -> bool:
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockTrailingHorizontalRulerWidth.value)


def _is_code(block: QTextBlock) -> bool:
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeLanguage.value)


def _shade(block: QTextBlock, theme: Theme) -> None:
    shaded = QTextBlockFormat()
    shaded.setBackground(QBrush(theme.color("raised")))
    QTextCursor(block).mergeBlockFormat(shaded)
    letters = QTextCharFormat()
    _use_mono(letters, theme)
    cursor = _select(block.document(), block.position(), block.length() - 1)
    cursor.mergeCharFormat(letters)
    cursor.mergeBlockCharFormat(letters)


def _gap_below(block: QTextBlock) -> int:
    following = block.next()
    if not following.isValid() or QTextCursor(block).currentTable() is not None:
        return 0
    if _is_code(block) and _is_code(following):
        return 0
    inside_list = block.textList() is not None and following.textList() is not None
    return _ITEM_GAP if inside_list else _PARAGRAPH_GAP


def _quote_level(block: QTextBlock) -> int:
    level = block.blockFormat().property(QTextFormat.Property.BlockQuoteLevel.value)
    return level if isinstance(level, int) else 0


def _set_block_format(block: QTextBlock, above: int, below: int, line_height: float | None) -> None:
    change = QTextBlockFormat()
    change.setTopMargin(above)
    change.setBottomMargin(below)
    heights = QTextBlockFormat.LineHeightTypes
    if line_height is None:
        change.setLineHeight(1, heights.FixedHeight.value)
    else:
        change.setLineHeight(line_height, heights.ProportionalHeight.value)
    if _quote_level(block):
        change.setLeftMargin(_INDENT * _quote_level(block))
    QTextCursor(block).mergeBlockFormat(change)


def _style_fragment(cursor: QTextCursor, char_format: QTextCharFormat, theme: Theme) -> None:
    change = QTextCharFormat()
    if char_format.isAnchor():
        openable = is_openable(QUrl(char_format.anchorHref()))
        change.setAnchor(openable)
        change.setFontUnderline(openable)
        change.setForeground(theme.color("accent" if openable else "text"))
        if openable:
            change.setToolTip(char_format.anchorHref())
    if char_format.fontFixedPitch():
        _use_mono(change, theme)
        change.setBackground(QBrush(theme.color("raised")))
    if not change.isEmpty():
        cursor.mergeCharFormat(change)


def _use_mono(letters: QTextCharFormat, theme: Theme) -> None:
    letters.setFontFamilies([theme.mono_family])
    letters.setProperty(QTextFormat.Property.FontPixelSize.value, theme.scale.small)


def _style_tables(document: QTextDocument, theme: Theme) -> None:
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            look = frame.format().toTableFormat()
            look.setBorder(CELL_BORDER)
            look.setBorderCollapse(True)
            look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            look.setBorderBrush(QBrush(theme.color("line")))
            look.setCellPadding(CELL_PADDING)
            look.setCellSpacing(0)
            look.setWidth(QTextLength())
            # Qt keeps an empty paragraph before a table that begins a document, and one behind every table.
            begins, ends = frame.firstPosition() == 1, frame.lastPosition() + 2 == document.characterCount()
            look.setTopMargin(0 if begins else _ITEM_GAP)
            look.setBottomMargin(0 if ends else _PARAGRAPH_GAP)
            frame.setFormat(look)
            _mend_header(frame)


def _mend_header(table: QTextTable) -> None:
    """Take away the empty line that Qt 6 puts into the first cell of a table behind a quotation."""
    bold = QTextCharFormat()
    bold.setFontWeight(QFont.Weight.DemiBold)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        cursor = cell.firstCursorPosition()
        if not cursor.block().text() and cursor.block() != cell.lastCursorPosition().block():
            cursor.deleteChar()
        cursor = cell.firstCursorPosition()
        cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(bold)
