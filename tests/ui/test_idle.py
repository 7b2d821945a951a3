"""A window in which nothing moves does nothing."""

from __future__ import annotations

from PySide6.QtCore import QAbstractEventDispatcher, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.events import MicLevel, MicrophoneChanged, State, StateChanged
from s2s_desktop.ui.level_meter import LevelBar
from s2s_desktop.ui.main_window import MainWindow
from window_helpers import Conversation


def running_timers(window: MainWindow) -> list[str]:
    """Name every object of the window that a timer will wake up."""
    dispatcher = QAbstractEventDispatcher.instance()
    owners: list[QObject] = [window, *window.findChildren(QObject)]
    blinking = {id(window.dock.field.input)}  # the caret of the field
    return [
        f"{type(owner).__name__} {owner.objectName()}"
        for owner in owners
        if dispatcher.registeredTimers(owner) and id(owner.parent()) not in blinking
    ]


def test_no_timer_runs_after_a_conversation(
    qtbot: QtBot, window: MainWindow, conversation: Conversation
) -> None:
    conversation.tell(MicrophoneChanged(on=True))
    for state in (State.HEARING, State.TRANSCRIBING, State.THINKING, State.SPEAKING, State.LISTENING):
        conversation.tell(StateChanged(state), MicLevel(-20.0, -10.0))
    conversation.hold_turn(1, "Q", "An **answer**.\n\n```\ncode\n```")
    conversation.tell(MicrophoneChanged(on=False), StateChanged(State.IDLE))
    qtbot.waitUntil(lambda: running_timers(window) == [], timeout=10_000)


def test_the_meter_is_painted_only_when_it_changes(
    qtbot: QtBot, window: MainWindow, conversation: Conversation
) -> None:
    painted = 0
    original = LevelBar.paintEvent

    def paint(bar: LevelBar, event: object) -> None:
        nonlocal painted
        painted += 1
        original(bar, event)

    LevelBar.paintEvent = paint
    try:
        conversation.tell(MicrophoneChanged(on=True), StateChanged(State.LISTENING))
        bar = window.dock.meter.bar
        bar.set_level(0.5, 0.6)
        QApplication.processEvents()
        before = painted
        for _ in range(10):
            bar.set_level(0.5, 0.6)
            QApplication.processEvents()
        assert painted == before
        bar.set_level(0.9, 0.9)
        qtbot.waitUntil(lambda: painted > before)
    finally:
        LevelBar.paintEvent = original
