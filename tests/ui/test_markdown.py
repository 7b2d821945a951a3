"""Markdown of a stranger: shown, never fetched, never run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices, QTextCursor, QTextDocument, QTextTable

from s2s_desktop.ui.links import is_openable, open_link
from s2s_desktop.ui.markdown import SealedDocument, render_document, render_markdown
from s2s_desktop.ui.segments import TABLE_BARS
from s2s_desktop.ui.theme import Theme


@pytest.fixture
def document(theme: Theme) -> Iterator[QTextDocument]:
    owner = QObject()
    yield SealedDocument(owner)
    owner.deleteLater()


def anchors(document: QTextDocument) -> list[tuple[str, str]]:
    found = []
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            if fragment.charFormat().isAnchor():
                found.append((fragment.text(), fragment.charFormat().anchorHref()))
            iterator += 1
        block = block.next()
    return found


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "before <img src='http://127.0.0.1:9/x.png'> after",
        "<b>bold</b>",
        "<!-- hidden -->",
        "a &lt; b",
    ],
)
def test_html_stays_text(document: QTextDocument, theme: Theme, text: str) -> None:
    render_markdown(document, text, theme)
    assert document.toPlainText() == text.replace("&lt;", "<")


@pytest.mark.parametrize(
    "address",
    ["http://127.0.0.1:9/x.png", "file:///dev/zero", "data:image/png;base64,iVBORw0KGgo=", "x.png", "//h/x"],
)
def test_a_picture_becomes_its_name_and_is_not_fetched(
    document: QTextDocument, theme: Theme, address: str
) -> None:
    """With Qt's own document `file:///dev/zero` is read until the memory is full."""
    render_markdown(document, f"See ![a map]({address}).", theme)
    document.setTextWidth(400)
    assert document.toPlainText() == "See [a map]."
    assert document.resource(QTextDocument.ResourceType.ImageResource.value, QUrl(address)) is None


def test_links_to_the_web_can_be_clicked_and_others_are_text(document: QTextDocument, theme: Theme) -> None:
    render_markdown(
        document,
        "[web](https://example.org/a) [mail](mailto:a@example.org) [file](file:///etc/passwd) "
        "[script](javascript:alert(1)) [call](tel:1) [relative](other.html)",
        theme,
    )
    assert anchors(document) == [("web", "https://example.org/a"), ("mail", "mailto:a@example.org")]


def test_only_web_and_mail_are_handed_to_the_desktop(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    for address in ("https://example.org", "HTTP://example.org", "file:///etc/passwd", "smb://h/x", "x"):
        open_link(QUrl(address))
    assert opened == ["https://example.org", "http://example.org"]
    assert not is_openable(QUrl())


@pytest.mark.parametrize(
    "text", ["`" * 50, "[a]: http://example.org", ">>>>", "![]()", "![](http://h/x.png)"]
)
def test_what_markdown_would_hide_is_shown_as_written(
    document: QTextDocument, theme: Theme, text: str
) -> None:
    render_markdown(document, text, theme)
    assert document.toPlainText().strip() != ""


def test_a_table_behind_a_quotation_has_no_empty_line_in_its_first_cell(
    document: QTextDocument, theme: Theme
) -> None:
    render_markdown(document, "> said\n\n| Time | Temp |\n|---|---|\n| 9 | 12 |\n\nAfter", theme)
    table = next(frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable))
    first = table.cellAt(0, 0)
    assert first.firstCursorPosition().block().text() == "Time"
    assert first.firstCursorPosition().block() == first.lastCursorPosition().block()


def test_a_table_too_large_to_lay_out_is_shown_as_written(document: QTextDocument, theme: Theme) -> None:
    row = "|".join(["cell"] * (TABLE_BARS // 3))
    text = "\n".join([row, "|".join(["-"] * (TABLE_BARS // 3)), row, row])
    render_markdown(document, text, theme)
    assert document.toPlainText() == text


def test_right_to_left_text_runs_its_own_way_and_its_marks_stay_inside(
    document: QTextDocument, theme: Theme
) -> None:
    render_markdown(document, "مرحبا\n\n\u202eabc\n\nplain", theme)
    assert document.toPlainText() == "مرحبا\n\u202eabc\nplain"
    from PySide6.QtCore import Qt

    assert document.begin().textDirection() == Qt.LayoutDirection.RightToLeft
    assert document.lastBlock().textDirection() == Qt.LayoutDirection.LeftToRight


def test_headings_have_the_sizes_of_the_theme(document: QTextDocument, theme: Theme) -> None:
    document.setDefaultFont(theme.body_font())
    render_markdown(document, "# One\n\n## Two *it* `x`\n\n### Three\n\n#### Four\n\ntext", theme)
    document.documentLayout().documentSize()
    heights = [document.findBlockByNumber(number).layout().lineAt(0).height() for number in range(5)]
    assert heights == sorted(heights, reverse=True)
    assert len(set(heights[:3])) == 3
    assert heights[3] == heights[4]
    cursor = QTextCursor(document)
    cursor.movePosition(QTextCursor.MoveOperation.Right)
    assert cursor.charFormat().font().pixelSize() == theme.scale.title


def test_lines_of_code_stand_close_with_their_empty_lines(document: QTextDocument, theme: Theme) -> None:
    render_document(document, "```\none\n\ntwo\n```\n\nAfter", theme)
    blocks = [document.findBlockByNumber(number) for number in range(3)]
    assert [block.text() for block in blocks] == ["one", "", "two"]
    assert [block.blockFormat().bottomMargin() for block in blocks][:2] == [0, 0]
    assert blocks[2].blockFormat().bottomMargin() > 0
    empty, full = (block.blockFormat().lineHeight() for block in (blocks[1], blocks[0]))
    assert empty == full


def test_emphasis_lists_and_headings_are_laid_out(document: QTextDocument, theme: Theme) -> None:
    render_markdown(document, "# Title\n\n**bold** and `code`\n\n5. five\n6. six", theme)
    assert document.toPlainText() == "Title\nbold and code\nfive\nsix"
    assert document.begin().blockFormat().headingLevel() == 1
    cursor = QTextCursor(document.findBlockByNumber(1))
    cursor.movePosition(QTextCursor.MoveOperation.Right)
    assert cursor.charFormat().fontWeight() > 500
    item = document.findBlockByNumber(2)
    assert item.textList().itemText(item) == "5."


def test_lines_have_the_air_of_the_design(document: QTextDocument, theme: Theme) -> None:
    document.setDefaultFont(theme.body_font())
    render_markdown(document, "one", theme)
    one_line = document.size().height()
    render_markdown(document, "one\ntwo", theme)
    distance = document.size().height() - one_line
    assert distance == pytest.approx(theme.scale.body * theme.scale.line_height, abs=1.5)
