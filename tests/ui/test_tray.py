"""The icon in the tray is there when it is wanted and the desktop has a place for it."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.events import MicrophoneChanged, State, StateChanged
from s2s_desktop.settings.schema import Settings
from s2s_desktop.ui.main_window import MainWindow
from window_helpers import Conversation


@pytest.fixture
def desktop_with_tray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda self: None)


def entry(window: MainWindow, text: str) -> QAction:
    window.tray.menu.aboutToShow.emit()
    (action,) = [action for action in window.tray.menu.actions() if action.text() == text]
    return action


def test_without_a_tray_there_is_no_icon_and_closing_ends_the_program(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    window.use_settings(Settings())
    assert not window.tray.shown
    with qtbot.waitSignal(window.close_requested, timeout=1000):
        window.close()


@pytest.mark.usefixtures("desktop_with_tray")
class TestWithTray:
    def test_the_setting_shows_and_hides_it(self, window: MainWindow) -> None:
        settings = Settings()
        window.use_settings(settings)
        assert window.tray.shown
        settings.general.tray = False
        window.use_settings(settings)
        assert not window.tray.shown

    def test_it_says_the_state_and_offers_what_can_be_done(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        window.use_settings(Settings())
        conversation.tell(MicrophoneChanged(on=True), StateChanged(State.LISTENING))
        assert not entry(window, "Listening").isEnabled()
        assert not entry(window, "Stop").isEnabled()
        entry(window, "Stop listening").trigger()
        conversation.tell(StateChanged(State.SPEAKING))
        entry(window, "Stop").trigger()
        assert conversation.asked == [("set_microphone", False), ("stop_reply", None)]

    def test_the_window_goes_and_comes_back(self, window: MainWindow) -> None:
        window.use_settings(Settings())
        entry(window, "Hide the window").trigger()
        assert not window.isVisible()
        entry(window, "Show the window").trigger()
        assert window.isVisible()

    def test_closing_the_window_and_quit_end_the_program(self, qtbot: QtBot, window: MainWindow) -> None:
        window.use_settings(Settings())
        with qtbot.waitSignal(window.close_requested, timeout=1000):
            entry(window, "Quit").trigger()
        assert not window.tray.shown

    def test_settings(self, qtbot: QtBot, window: MainWindow) -> None:
        window.use_settings(Settings())
        with qtbot.waitSignal(window.settings_requested, timeout=1000):
            entry(window, "Settings…").trigger()


def test_another_start_brings_the_window_to_the_front(window: MainWindow) -> None:
    window.showMinimized()
    window.obey("show")
    assert window.isVisible()
    assert not window.isMinimized()


def test_another_start_presses_the_microphone_button(window: MainWindow, conversation: Conversation) -> None:
    window.obey("toggle-mic")
    conversation.tell(MicrophoneChanged(on=True))
    window.obey("toggle-mic")
    assert conversation.asked == [("set_microphone", True), ("set_microphone", False)]
