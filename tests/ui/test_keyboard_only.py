"""A whole first conversation without a mouse, and without knowing where anything is but by its name."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.events import (
    MicrophoneChanged,
    SpeechStarted,
    State,
    StateChanged,
    TextDelta,
    TypedMessage,
)
from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.turn_editor import TurnEditor
from window_helpers import Conversation

_STOPS = 80


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def tab_to(qtbot: QtBot, name: str) -> QWidget:
    """Press Tab until the control with this name has the keyboard."""
    passed = []
    for _ in range(_STOPS):
        if focused().accessibleName() == name:
            return focused()
        passed.append(focused().accessibleName())
        qtbot.keyClick(focused(), Qt.Key.Key_Tab)
    raise AssertionError(f"Tab never reaches {name!r}, only {passed}")


def press(qtbot: QtBot, name: str) -> None:
    control = tab_to(qtbot, name)
    assert isinstance(control, QAbstractButton)
    qtbot.keyClick(control, Qt.Key.Key_Space)


def test_the_first_conversation(qtbot: QtBot, window: MainWindow, conversation: Conversation) -> None:
    # One of the examples.
    press(qtbot, "Ask: Why is the sky blue?")
    assert conversation.asked.pop() == ("send_text", "Why is the sky blue?")
    conversation.hold_turn(1, "Why is the sky blue?", "Air scatters blue light more than red light.")
    # By voice.
    press(qtbot, "Talk")
    assert conversation.asked.pop() == ("set_microphone", True)
    conversation.tell(MicrophoneChanged(on=True), StateChanged(State.LISTENING), SpeechStarted(0))
    press(qtbot, "Stop listening")
    assert conversation.asked.pop() == ("set_microphone", False)
    conversation.tell(MicrophoneChanged(on=False), StateChanged(State.IDLE))
    # By typing, from wherever the keyboard is.
    qtbot.keyClick(focused(), Qt.Key.Key_A)
    qtbot.keyClicks(focused(), "nd at dusk?")
    qtbot.keyClick(focused(), Qt.Key.Key_Return)
    assert conversation.asked.pop() == ("send_text", "and at dusk?")
    conversation.tell(TypedMessage("and at dusk?"), TextDelta("Then"), StateChanged(State.SPEAKING), turn=2)
    # Stopping it.
    qtbot.keyClick(focused(), Qt.Key.Key_Escape)
    assert conversation.asked.pop() == ("stop_reply", None)
    conversation.tell(StateChanged(State.IDLE))
    conversation.hold_turn(2, "and at dusk?", " the light takes a longer way.")
    # Reading, copying, asking again, changing the question.
    QApplication.processEvents()
    press(qtbot, "Copy the answer")
    assert "longer way" in QApplication.clipboard().text()
    press(qtbot, "Answer again")
    assert conversation.asked.pop() == ("regenerate", None)
    row = window.conversation.views[-1]
    tab_to(qtbot, row.accessibleName())
    qtbot.keyClick(focused(), Qt.Key.Key_Up)
    assert focused() is window.conversation.views[0]
    press(qtbot, "Edit and send again")
    assert isinstance(focused().parent(), TurnEditor)
    qtbot.keyClicks(focused(), "Why is it red?")
    qtbot.keyClick(focused(), Qt.Key.Key_Return)
    assert conversation.asked.pop() == ("edit_and_resend", (1, "Why is it red?"))
    # What was typed before comes back with the arrow keys.
    qtbot.keyClick(focused(), Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(focused(), Qt.Key.Key_Up)
    assert window.dock.field.input.toPlainText() == "and at dusk?"
    # The settings, and the end.
    with qtbot.waitSignal(window.settings_requested, timeout=1000):
        qtbot.keyClick(focused(), Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(window.close_requested, timeout=1000):
        qtbot.keyClick(focused(), Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert conversation.asked == []
