"""A table keeps its words whole at every width, and scrolls sideways where it does not fit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextDocument, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from s2s_desktop.ui.table_view import TableView
from s2s_desktop.ui.theme import Theme

PLAN = """| Day | Morning | Afternoon | Evening |
|---|---|---|---|
| One | The Louvre, early, before the crowds | A walk along the Seine | Dinner in the Marais |
| Two | Montmartre | Sacré-Cœur and the vineyards | The last train home |"""


@pytest.fixture
def table(qtbot: QtBot, theme: Theme) -> Iterator[TableView]:
    host = QWidget()
    host.resize(1200, 400)
    view = TableView(theme, "Table", host)
    host.show()
    yield view
    host.hide()
    host.deleteLater()


def show_at(table: TableView, width: int, text: str = PLAN) -> None:
    table.resize(width, table.height())
    table.show_markdown(text)
    QApplication.processEvents()


def lines(document: QTextDocument) -> list[str]:
    found, block = [], document.begin()
    while block.isValid():
        layout = block.layout()
        for index in range(layout.lineCount()):
            line = layout.lineAt(index)
            found.append(block.text()[line.textStart() : line.textStart() + line.textLength()])
        block = block.next()
    return found


def scrolls(table: TableView) -> bool:
    return table.horizontalScrollBar().maximum() > 0


@pytest.mark.parametrize("text_scale", [0.8, 1.0, 2.0])
@pytest.mark.parametrize("width", [120, 310, 420, 600, 900])
def test_no_word_is_broken_at_any_width(
    table: TableView, theme: Theme, width: int, text_scale: float
) -> None:
    theme.choose("light", text_scale)
    show_at(table, width)
    words = {word for line in lines(table.document()) for word in line.split()}
    assert words <= {word for cell in PLAN.split("|") for word in cell.split()}


def test_a_table_that_fits_does_not_scroll_and_one_that_does_not_fit_does(table: TableView) -> None:
    show_at(table, 900)
    assert not scrolls(table)
    high = table.height()
    table.resize(310, table.height())
    QApplication.processEvents()
    assert scrolls(table)
    assert table.horizontalScrollBar().value() == 0
    assert table.height() > high, "the scroll bar has room of its own"


def test_a_table_is_folded_before_it_scrolls(table: TableView) -> None:
    show_at(table, 310, "| What | Why |\n|---|---|\n| Stairs | They are " + "much " * 20 + "quicker |")
    assert not scrolls(table)


def test_columns_of_a_table_that_scrolls_are_wide_enough_to_read(table: TableView) -> None:
    show_at(table, 310)
    assert lines(table.document()).count("The Louvre, early, ") == 1


def test_the_wheel_scrolls_the_conversation_and_sideways_the_table(table: TableView) -> None:
    show_at(table, 310)

    def turn(x: int, y: int) -> bool:
        event = QWheelEvent(
            QPointF(9, 9),
            QPointF(9, 9),
            QPoint(),
            QPoint(x, y),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        table.wheelEvent(event)
        return event.isAccepted()

    assert not turn(0, -120)
    assert table.horizontalScrollBar().value() == 0
    assert turn(-120, 0)
    assert table.horizontalScrollBar().value() > 0


def test_a_word_that_is_spoken_is_brought_into_view(table: TableView) -> None:
    show_at(table, 310)
    last = table.toPlainText().index("train")
    table.mark_word(last, len("train"))
    assert table.horizontalScrollBar().value() > 0
    table.mark_word(table.toPlainText().index("Two"), 3)
    assert table.horizontalScrollBar().value() == 0


def test_rows_that_arrive_leave_the_place_that_is_looked_at(table: TableView) -> None:
    show_at(table, 310)
    table.horizontalScrollBar().setValue(40)
    show_at(table, 310, PLAN + "\n| Three | Versailles | The gardens | Home |")
    assert table.horizontalScrollBar().value() == 40


def test_a_row_is_not_shown_before_its_cells_are(table: TableView) -> None:
    show_at(table, 600)
    before = table.toPlainText()
    table.append_plain("\n| Three | Versailles |")
    assert table.toPlainText() == before
    assert table.has_plain_tail
    assert table.text.endswith("| Three | Versailles |")
