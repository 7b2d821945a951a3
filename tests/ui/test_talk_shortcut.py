"""A key of the keyboard talks while another program has the focus: as a person at a real X server does it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from Xlib import X

from s2s_desktop.conversation.events import MicrophoneChanged, Notice, SettingsChanged
from s2s_desktop.runtime.global_shortcut import system
from s2s_desktop.settings.schema import GeneralSettings, Settings
from s2s_desktop.ui.form.keys_box import KeysBox
from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.talk_shortcut import TalkShortcut
from ui.fake_preferences import FakePreferences
from ui.settings_kit import open_settings
from window_helpers import Conversation
from x11_keyboard import Keyboard, keyboard

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="X11 exists on Linux only")

PRESS, RELEASE = ("push_to_talk", True), ("push_to_talk", False)
KEYS = "Keys to talk from any program"
CHORD = ("Control_L", "Alt_L", "space")


@pytest.fixture
def person() -> Iterator[Keyboard]:
    with keyboard() as person:
        yield person


class Desk:
    """A window whose settings name the keys."""

    def __init__(self, window: MainWindow, keys: str) -> None:
        self.preferences = FakePreferences(Settings(general=GeneralSettings(talk_shortcut=keys)))
        self.told: list[str] = []
        self.shortcut = TalkShortcut(self.preferences, window.dock.talk, self.told.append, window)
        self.preferences.tell = lambda event: self.shortcut.observe(None, event)
        self.shortcut.begin()

    def choose(self, keys: str) -> None:
        def change(settings: Settings) -> None:
            settings.general.talk_shortcut = keys

        self.preferences.change_elsewhere(change)


@pytest.fixture
def desk(window: MainWindow) -> Iterator[Desk]:
    desk = Desk(window, "Ctrl+Alt+Space")
    yield desk
    desk.shortcut.close()


def test_hands_free_it_switches_the_microphone(
    qtbot: QtBot, desk: Desk, conversation: Conversation, person: Keyboard
) -> None:
    assert desk.shortcut.success == "These keys work in every window."
    qtbot.waitUntil(lambda: QApplication.activeWindow() is None)  # another program has the keyboard
    person.type(*CHORD)
    qtbot.waitUntil(lambda: conversation.asked == [("set_microphone", True)])
    conversation.tell(MicrophoneChanged(on=True))
    person.type(*CHORD)
    qtbot.waitUntil(lambda: conversation.asked == [("set_microphone", True), ("set_microphone", False)])


def test_with_push_to_talk_the_turn_lasts_as_long_as_the_keys_are_held(
    qtbot: QtBot, window: MainWindow, desk: Desk, conversation: Conversation, person: Keyboard
) -> None:
    window.dock.set_mode("push-to-talk")
    person.press(*CHORD)
    qtbot.waitUntil(lambda: conversation.asked == [PRESS])
    assert window.dock.state_text == "Hearing you"
    person.release(*CHORD)
    qtbot.waitUntil(lambda: conversation.asked == [PRESS, RELEASE])


def test_a_window_that_loses_the_keyboard_does_not_end_a_hold(
    qtbot: QtBot, window: MainWindow, desk: Desk, conversation: Conversation
) -> None:
    window.dock.set_mode("push-to-talk")
    desk.shortcut._shortcut.pressed.emit()  # type: ignore[union-attr]
    other = QWidget()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(lambda: not window.isActiveWindow())
    assert conversation.asked == [PRESS]
    desk.shortcut._shortcut.released.emit()  # type: ignore[union-attr]
    assert conversation.asked == [PRESS, RELEASE]


def test_with_toggle_one_press_begins_and_the_next_ends(
    qtbot: QtBot, window: MainWindow, desk: Desk, conversation: Conversation, person: Keyboard
) -> None:
    window.dock.set_mode("toggle")
    person.type(*CHORD)
    qtbot.waitUntil(lambda: conversation.asked == [PRESS])
    person.type(*CHORD)
    qtbot.waitUntil(lambda: conversation.asked == [PRESS, RELEASE])


def test_other_keys_in_the_settings_are_used_at_once_and_the_old_ones_given_back(
    qtbot: QtBot, desk: Desk, conversation: Conversation, person: Keyboard
) -> None:
    desk.choose("F9")
    person.grab("space", X.ControlMask | X.Mod1Mask)  # free again
    person.ungrab("space")
    person.type("F9")
    qtbot.waitUntil(lambda: conversation.asked == [("set_microphone", True)])


def test_the_end_ends_a_hold(
    qtbot: QtBot, window: MainWindow, desk: Desk, conversation: Conversation, person: Keyboard
) -> None:
    window.dock.set_mode("push-to-talk")
    person.press(*CHORD)
    qtbot.waitUntil(lambda: conversation.asked == [PRESS])
    desk.shortcut.close()
    person.release(*CHORD)
    assert conversation.asked == [PRESS, RELEASE]


def test_the_keys_do_nothing_while_they_are_being_chosen(
    qtbot: QtBot, window: MainWindow, desk: Desk, conversation: Conversation, person: Keyboard
) -> None:
    box = KeysBox(window)
    box.waiting_changed.connect(desk.shortcut.set_paused)
    shortcut = desk.shortcut._shortcut
    assert shortcut is not None
    for kind, expected in ((QEvent.Type.FocusIn, []), (QEvent.Type.FocusOut, [("set_microphone", True)])):
        QApplication.sendEvent(box, QFocusEvent(kind))
        with qtbot.waitSignal(shortcut.released):
            person.type(*CHORD)
        assert conversation.asked == expected


def test_by_default_no_key_is_taken(window: MainWindow) -> None:
    assert Settings().general.talk_shortcut == ""
    desk = Desk(window, "")
    assert desk.shortcut._shortcut is None
    assert (desk.shortcut.problem, desk.told) == ("", [])


def test_a_start_without_keys_imports_nothing_for_them() -> None:
    code = (
        "import sys, s2s_desktop.ui.talk_shortcut, s2s_desktop.ui.main_window;"
        "print([each for each in sys.modules if each.startswith(('Xlib', 'jeepney'))])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


@pytest.mark.parametrize("at_start", [True, False])
def test_keys_of_another_program_are_told_at_the_start_and_else_in_the_settings(
    window: MainWindow, person: Keyboard, at_start: bool
) -> None:
    person.grab("F9", 0)
    desk = Desk(window, "F9" if at_start else "")
    desk.choose("F9")
    person.ungrab("F9")
    assert desk.shortcut.problem.startswith("Another program or the desktop itself uses F9 already.")
    assert desk.told == ([desk.shortcut.problem] if at_start else [])
    desk.shortcut.close()


def test_a_text_that_names_no_keys_is_said(window: MainWindow) -> None:
    desk = Desk(window, "Hyper+Nonsense")
    assert desk.told == ["“Hyper+Nonsense” names no keys."]


def test_other_events_are_none_of_its_business(window: MainWindow) -> None:
    desk = Desk(window, "")
    desk.preferences._settings.general.talk_shortcut = "F9"
    desk.shortcut.observe(None, Notice("x"))
    assert desk.shortcut.success == ""
    desk.shortcut.observe(None, SettingsChanged())
    assert desk.shortcut.success
    desk.shortcut.close()


class TestInTheSettings:
    async def test_the_field_says_that_the_keys_work(self, qapp: QApplication) -> None:
        async with open_settings("general") as driver:
            await driver.press_keys(KEYS, "Ctrl+Alt+Space")
            assert "These keys work in every window." in driver.control(KEYS).accessibleDescription()

    async def test_keys_of_another_program_are_refused_in_words(
        self, qapp: QApplication, person: Keyboard
    ) -> None:
        person.grab("F9", 0)
        async with open_settings("general") as driver:
            await driver.press_keys(KEYS, "F9")
            assert "uses F9 already" in driver.control(KEYS).accessibleDescription()
            person.ungrab("F9")

    @pytest.mark.parametrize(
        ("keys", "sentence"),
        [
            ("A", "A is needed for typing."),
            ("Shift+A", "Shift+A is needed for typing."),
            ("Space", "Space is needed for typing."),
            ("Ctrl+C", "Ctrl+C has a meaning in most programs"),
            ("Ctrl+L", "Ctrl+L has a meaning in most programs"),
            ("Alt+F", "Alt+F has a meaning in most programs"),
            ("F5", "F5 has a meaning in most programs"),
        ],
    )
    async def test_keys_that_other_programs_need_are_refused_in_words(
        self, qapp: QApplication, keys: str, sentence: str
    ) -> None:
        async with open_settings("general") as driver:
            await driver.press_keys(KEYS, keys)
            assert sentence in driver.control(KEYS).accessibleDescription()
            assert driver.preferences.applied == []
            await driver.press_keys(KEYS, "Ctrl+Alt+M")
            assert sentence not in driver.control(KEYS).accessibleDescription()
            assert driver.preferences.settings.general.talk_shortcut == "Ctrl+Alt+M"

    @pytest.mark.parametrize("key", ["Backspace", "Del"])
    async def test_backspace_and_delete_take_the_keys_away(self, qapp: QApplication, key: str) -> None:
        async with open_settings("general") as driver:
            await driver.press_keys(KEYS, "F9")
            await driver.press_keys(KEYS, key)
            assert driver.preferences.settings.general.talk_shortcut == ""

    async def test_where_it_cannot_be_the_field_says_what_to_do_instead(
        self, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(system, "impossible", system.by_command)
        async with open_settings("general") as driver:
            field = driver.control(KEYS)
            assert not field.isEnabled()
            assert "s2s-desktop --toggle-mic" in field.accessibleDescription()


async def test_a_grabbed_key_in_the_settings_is_released_with_the_window(
    qapp: QApplication, person: Keyboard
) -> None:
    async with open_settings("general") as driver:
        await driver.press_keys(KEYS, "F9")
    person.grab("F9", 0)
    person.ungrab("F9")
