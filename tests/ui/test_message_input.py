"""Typing: Enter sends, the field grows, and what was sent can be fetched back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from s2s_desktop.ui.message_input import MAX_LINES, MessageInput


@pytest.fixture
def field(qtbot: QtBot) -> Iterator[MessageInput]:
    host = QWidget()
    field = MessageInput(host)
    field.resize(300, field.height())
    host.resize(320, 300)
    host.show()
    yield field
    host.hide()
    host.deleteLater()


def send(qtbot: QtBot, field: MessageInput, text: str) -> str:
    qtbot.keyClicks(field, text)
    return field.take()


def test_enter_submits_and_shift_enter_begins_a_line(qtbot: QtBot, field: MessageInput) -> None:
    submitted: list[str] = []
    field.submitted.connect(lambda: submitted.append(field.toPlainText()))
    qtbot.keyClicks(field, "one")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(field, "two")
    assert submitted == []
    qtbot.keyClick(field, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert submitted == ["one\ntwo"]


def test_an_empty_field_submits_nothing(qtbot: QtBot, field: MessageInput) -> None:
    submitted: list[bool] = []
    field.submitted.connect(lambda: submitted.append(True))
    qtbot.keyClicks(field, "  ")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert submitted == []


def test_the_field_grows_to_five_lines_and_then_scrolls(field: MessageInput) -> None:
    heights = []
    for count in range(1, MAX_LINES + 3):
        field.setPlainText("\n".join(["line"] * count))
        heights.append(field.height())
    assert heights[:MAX_LINES] == sorted(set(heights))
    assert heights[MAX_LINES:] == [heights[MAX_LINES - 1]] * 2
    field.clear()
    assert field.height() == heights[0]


def test_a_long_line_wraps_and_makes_the_field_grow(field: MessageInput) -> None:
    before = field.height()
    field.setPlainText("many words " * 10)
    assert field.height() > before


def test_the_arrows_walk_through_what_was_sent_and_back_to_the_draft(
    qtbot: QtBot, field: MessageInput
) -> None:
    for text in ("first", "second"):
        assert send(qtbot, field, text) == text
    qtbot.keyClicks(field, "draft")
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        qtbot.keyClick(field, key)
        seen.append(field.toPlainText())
    assert seen == ["second", "first", "first", "second", "draft"]


def test_the_arrows_move_inside_a_message_of_several_lines(qtbot: QtBot, field: MessageInput) -> None:
    send(qtbot, field, "sent")
    field.setPlainText("one\ntwo")
    field.moveCursor(field.textCursor().MoveOperation.End)
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.toPlainText() == "one\ntwo"
    qtbot.keyClick(field, Qt.Key.Key_Up)
    assert field.toPlainText() == "sent"


def test_the_same_message_is_remembered_once(qtbot: QtBot, field: MessageInput) -> None:
    for _ in range(2):
        send(qtbot, field, "again")
    for _ in range(2):
        qtbot.keyClick(field, Qt.Key.Key_Up)
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert field.toPlainText() == ""


def test_pasted_formatting_is_left_behind(field: MessageInput) -> None:
    from PySide6.QtCore import QMimeData
    from PySide6.QtWidgets import QApplication

    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold")
    QApplication.clipboard().setMimeData(data)
    field.paste()
    assert field.take() == "bold"
