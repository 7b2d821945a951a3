"""Tab goes through the window from top to bottom, and one always sees where the keyboard is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.events import AssistantError, State, StateChanged, TurnFailed, TypedMessage
from s2s_desktop.errors import ErrorKind
from s2s_desktop.ui.main_window import MainWindow
from window_helpers import Conversation

_MOST = 60
_AIR = 6


def tab_stops(qtbot: QtBot) -> list[QWidget]:
    """Press Tab until the first stop comes again."""
    stops: list[QWidget] = []
    for _ in range(_MOST):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        stop = QApplication.focusWidget()
        assert stop is not None
        if stop in stops:
            return stops
        stops.append(stop)
    raise AssertionError(f"more than {_MOST} stops")


def picture(stop: QWidget, window: MainWindow) -> QImage:
    """Return what is to be seen of a control and close around it: some draw their frame in a parent."""
    QApplication.processEvents()
    place = stop.rect().translated(stop.mapTo(window, QPoint(0, 0)))
    return window.grab(place.adjusted(-_AIR, -_AIR, _AIR, _AIR)).toImage()


@pytest.fixture
def talked_window(window: MainWindow, conversation: Conversation) -> MainWindow:
    conversation.hold_turn(1, "Why is the sky blue?", "Because of the air.")
    failure = AssistantError(ErrorKind.AUTH, "OpenAI needs a key.")
    conversation.tell(TypedMessage("And red?"), TurnFailed(failure), StateChanged(State.ERROR), turn=2)
    conversation.hold_turn(3, "And green?", "It hardly ever is.")
    window.banners.show_offer("“Trip” was deleted.", "Undo", print, 60_000)
    window.dock.field.input.setPlainText("Something to send")
    QApplication.processEvents()
    return window


def test_the_stops_follow_what_one_sees(qtbot: QtBot, talked_window: MainWindow) -> None:
    names = [stop.accessibleName() for stop in tab_stops(qtbot)]
    wanted = [
        "Hide conversations",
        "Settings",
        "Search all conversations",
        "New conversation",
        "Undo",
        "Dismiss",
        "Try again",
        "Edit and send again",
        "Copy the answer",
        "Talk",
        "Message",
        "Send",
    ]
    assert [name for name in names if name in wanted] == wanted[wanted.index(names[0]) :] + (
        wanted[: wanted.index(names[0])]
    )


def test_the_focus_can_be_seen_at_every_stop(qtbot: QtBot, talked_window: MainWindow) -> None:
    for stop in tab_stops(qtbot):
        if isinstance(stop, QAbstractItemView) and stop.model().rowCount() == 0:
            continue
        talked_window.dock.field.input.setFocus()
        while QApplication.focusWidget() is not stop:
            without = picture(stop, talked_window)
            qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert picture(stop, talked_window) != without, stop.accessibleName()
