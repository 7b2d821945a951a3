"""The microphone button, Space and Ctrl+M do what the chosen mode says, and the dock says what goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.events import (
    MicLevel,
    MicrophoneChanged,
    SpokenProgress,
    State,
    StateChanged,
    TypedMessage,
    VoicePaused,
)
from s2s_desktop.ui import signal_watch
from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.mic_button import MicButton
from s2s_desktop.ui.signal_watch import PATIENCE_S, SignalWatch
from s2s_desktop.ui.text_view import TextView
from window_helpers import Conversation, button

PRESS, RELEASE = ("push_to_talk", True), ("push_to_talk", False)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class TestPushToTalk:
    @pytest.fixture(autouse=True)
    def mode(self, window: MainWindow) -> None:
        window.dock.set_mode("push-to-talk")

    def test_the_turn_lasts_as_long_as_the_button_is_held(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        talk = button(window, "Hold to talk")
        qtbot.mousePress(talk, Qt.MouseButton.LeftButton)
        assert conversation.asked == [PRESS]
        assert (window.dock.state_text, window.dock.hint) == ("Hearing you", "Let go to send")
        qtbot.mouseRelease(talk, Qt.MouseButton.LeftButton)
        assert conversation.asked == [PRESS, RELEASE]
        assert window.dock.state_text == "Hold to talk"

    @pytest.mark.parametrize("place", ["row", "text", "microphone", "conversation"])
    def test_space_does_the_same_wherever_one_does_not_type(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation, place: str
    ) -> None:
        conversation.hold_turn(1, "Q", "An answer.")
        QApplication.processEvents()
        row = window.conversation.views[0]
        places: dict[str, QWidget] = {
            "row": row,
            "text": row.findChildren(TextView)[1],
            "microphone": window.dock.mic_button,
            "conversation": window.conversation,
        }
        focused = places[place]
        focused.setFocus()
        qtbot.keyPress(focused, Qt.Key.Key_Space)
        self.repeat(focused)
        assert conversation.asked == [PRESS]
        qtbot.keyRelease(focused, Qt.Key.Key_Space)
        assert conversation.asked == [PRESS, RELEASE]
        assert window.dock.field.input.toPlainText() == ""

    @staticmethod
    def repeat(widget: QWidget) -> None:
        """A key that is held is pressed and released again and again by the system."""
        for kind in (QEvent.Type.KeyRelease, QEvent.Type.KeyPress):
            event = QKeyEvent(kind, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, " ", True)
            QApplication.sendEvent(widget, event)

    def test_space_types_in_the_field(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        qtbot.keyClicks(window.dock.field.input, "a b")
        assert window.dock.field.input.toPlainText() == "a b"
        assert conversation.asked == []

    def test_losing_the_window_lets_go(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        window.conversation.setFocus()
        qtbot.keyPress(window.conversation, Qt.Key.Key_Space)
        other = QWidget()
        qtbot.addWidget(other)
        other.show()
        other.activateWindow()
        qtbot.waitUntil(lambda: conversation.asked == [PRESS, RELEASE])

    def test_a_shortcut_without_a_length_begins_and_ends_with_two_presses(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        for _ in range(2):
            qtbot.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
        assert conversation.asked == [PRESS, RELEASE]

    def test_a_microphone_that_is_lost_ends_the_turn_on_screen(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        qtbot.mousePress(window.dock.mic_button, Qt.MouseButton.LeftButton)
        conversation.tell(MicrophoneChanged(on=False, problem="It was unplugged."))
        assert window.dock.state_text == "Microphone not available"
        assert window.dock.problem == "It was unplugged."

    def test_an_open_microphone_is_not_called_listening(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(MicrophoneChanged(on=True), StateChanged(State.LISTENING))
        assert window.dock.state_text == "Hold to talk"
        conversation.tell(MicrophoneChanged(on=False), StateChanged(State.IDLE))
        assert window.dock.state_text == "Hold to talk"


class TestToggle:
    @pytest.fixture(autouse=True)
    def mode(self, window: MainWindow) -> None:
        window.dock.set_mode("toggle")

    def test_one_press_begins_and_the_next_ends(self, window: MainWindow, conversation: Conversation) -> None:
        button(window, "Talk").click()
        assert (window.dock.state_text, window.dock.hint) == ("Hearing you", "Press again to send")
        button(window, "End and send").click()
        assert conversation.asked == [PRESS, RELEASE]

    def test_a_turn_that_ended_by_itself_is_begun_anew(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        button(window, "Talk").click()
        conversation.tell(StateChanged(State.TRANSCRIBING), StateChanged(State.THINKING))
        button(window, "Talk").click()
        assert conversation.asked == [PRESS, PRESS]


class TestHandsFree:
    def test_a_microphone_that_was_switched_off_is_crossed_out_and_said(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        assert window.dock.state_text == "Press to talk"
        assert window.dock.mic_button.icon_name == "mic"
        conversation.tell(MicrophoneChanged(on=True), StateChanged(State.LISTENING))
        assert window.dock.mic_button.icon_name == "mic"
        conversation.tell(MicrophoneChanged(on=False), StateChanged(State.IDLE))
        assert (window.dock.state_text, window.dock.hint) == ("Microphone off", "Press to talk")
        assert window.dock.mic_button.icon_name == "mic-off"

    def test_changing_the_mode_ends_a_turn_that_goes_on(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        window.dock.set_mode("toggle")
        button(window, "Talk").click()
        window.dock.set_mode("hands-free")
        assert conversation.asked == [PRESS, RELEASE]


def test_the_voice_that_waits_is_said(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(TypedMessage("Q"), SpokenProgress("x"), turn=1)
    conversation.tell(MicrophoneChanged(on=True), StateChanged(State.SPEAKING), VoicePaused(paused=True))
    assert (window.dock.state_text, window.dock.hint) == ("Waiting", "Did you say something?")
    conversation.tell(VoicePaused(paused=False))
    assert window.dock.state_text == "Speaking"
    conversation.tell(VoicePaused(paused=True), StateChanged(State.LISTENING), StateChanged(State.SPEAKING))
    assert window.dock.state_text == "Speaking"


class TestNoSignal:
    def test_five_seconds_of_digital_silence_are_noticed(self) -> None:
        clock = Clock()
        watch = SignalWatch(clock)
        assert not watch.hears_nothing(-90.0)
        clock.now += PATIENCE_S - 0.1
        assert not watch.hears_nothing(-90.0)
        clock.now += 0.1
        assert watch.hears_nothing(-90.0)
        assert not watch.hears_nothing(-70.0)
        assert not watch.hears_nothing(-90.0)

    @pytest.fixture
    def clock(self, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
        clock = Clock()
        monkeypatch.setattr(window.dock, "_signal", SignalWatch(clock))
        return clock

    def test_the_dock_says_so_and_leads_to_the_audio_settings(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation, clock: Clock
    ) -> None:
        conversation.tell(MicrophoneChanged(on=True), StateChanged(State.LISTENING), MicLevel(-90.0, -90.0))
        assert window.dock.problem == ""
        clock.now += PATIENCE_S
        conversation.tell(MicLevel(-90.0, -90.0))
        assert "No sound arrives" in window.dock.problem
        with qtbot.waitSignal(window.settings_requested) as asked:
            button(window, "Audio settings").click()
        assert asked.args == ["audio"]
        conversation.tell(MicLevel(-45.0, -40.0))
        assert window.dock.problem == ""

    def test_a_quiet_room_is_no_problem(
        self, window: MainWindow, conversation: Conversation, clock: Clock
    ) -> None:
        conversation.tell(MicrophoneChanged(on=True))
        for _ in range(10):
            clock.now += 1
            conversation.tell(MicLevel(signal_watch.SILENT_DBFS + 1, -70.0))
        assert window.dock.problem == ""


def test_the_name_of_the_button_says_what_it_does(window: MainWindow) -> None:
    (talk,) = window.findChildren(MicButton)
    names = []
    for mode in ("hands-free", "push-to-talk", "toggle"):
        window.dock.set_mode(mode)
        names.append(talk.accessibleName())
    assert names == ["Talk", "Hold to talk", "Talk"]
