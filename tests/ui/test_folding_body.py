"""The sidebar folds away, by hand in a wide window and by itself in a narrow one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from s2s_desktop.ui.main_window import SMALLEST, MainWindow
from s2s_desktop.ui.tokens import ROW_AIR, SIDEBAR_WIDTH
from window_helpers import Conversation, button


def resize(window: MainWindow, width: int, height: int = 600) -> None:
    window.resize(width, height)
    QApplication.processEvents()


def test_it_stands_beside_the_conversation_in_a_wide_window(window: MainWindow) -> None:
    assert window.sidebar.isVisible()
    assert window.conversation.mapTo(window, window.conversation.rect().topLeft()).x() == SIDEBAR_WIDTH


@pytest.mark.parametrize("width", [1000, 1920])
def test_the_dock_stands_below_the_conversation(
    window: MainWindow, conversation: Conversation, width: int
) -> None:
    conversation.hold_turn(1, "Why?", "Because.")
    resize(window, width)
    for _ in range(2):  # beside the sidebar, and without it
        row, field = window.conversation.views[0], window.dock.field
        right_of_row = row.mapTo(window, row.rect().topRight()).x() - ROW_AIR
        assert abs(field.mapTo(window, field.rect().topRight()).x() - right_of_row) <= 2
        window.body.toggle()
        QApplication.processEvents()


def test_large_text_makes_the_sidebar_wider_and_folds_it_sooner(window: MainWindow) -> None:
    resize(window, 1200)
    window.theme.choose("system", 1.5)
    QApplication.processEvents()
    assert window.sidebar.width() == round(SIDEBAR_WIDTH * window.theme.scale.factor)
    resize(window, 1000)
    assert not window.sidebar.isVisible()


def test_the_button_folds_it_away_and_brings_it_back(window: MainWindow) -> None:
    button(window, "Hide conversations").click()
    assert not window.sidebar.isVisible()
    assert window.conversation.mapTo(window, window.conversation.rect().topLeft()).x() == 0
    button(window, "Show conversations").click()
    assert window.sidebar.isVisible()


def test_without_it_the_top_bar_offers_a_new_conversation(window: MainWindow) -> None:
    button(window, "Hide conversations").click()
    assert button(window.top_bar, "New conversation")


def test_a_narrow_window_folds_it_and_a_wide_one_shows_it_again(window: MainWindow) -> None:
    resize(window, 700)
    assert not window.sidebar.isVisible()
    resize(window, 900)
    assert window.sidebar.isVisible()


def test_what_was_folded_by_hand_stays_folded(window: MainWindow) -> None:
    button(window, "Hide conversations").click()
    resize(window, 700)
    resize(window, 900)
    assert not window.sidebar.isVisible()


def test_in_a_narrow_window_it_comes_in_front_and_goes_with_a_click_beside_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    resize(window, *SMALLEST)
    button(window, "Show conversations").click()
    assert window.sidebar.isVisible()
    assert window.conversation.width() == SMALLEST[0]
    beside = window.body.childAt(SMALLEST[0] - 10, 50)
    qtbot.mouseClick(beside, Qt.MouseButton.LeftButton)
    assert not window.sidebar.isVisible()


def test_escape_closes_it_in_a_narrow_window(qtbot: QtBot, window: MainWindow) -> None:
    resize(window, 600)
    button(window, "Show conversations").click()
    qtbot.keyClick(window.dock.field.input, Qt.Key.Key_Escape)
    assert not window.sidebar.isVisible()


def test_typing_over_the_list_goes_into_the_message(qtbot: QtBot, window: MainWindow) -> None:
    window.sidebar.list.setFocus()
    qtbot.keyClicks(window.sidebar.list, "hi")
    assert window.dock.field.input.toPlainText() == "hi"
