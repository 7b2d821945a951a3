"""A key of the X server reaches the program while another one has the keyboard."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QKeyCombination
from pytestqt.qtbot import QtBot
from Xlib import X

from s2s_desktop.runtime.global_shortcut.combination import read_combination
from s2s_desktop.runtime.global_shortcut.x11 import X11Shortcut
from x11_keyboard import Keyboard, keyboard

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="X11 exists on Linux only")


def combination(text: str) -> QKeyCombination:
    found = read_combination(text)
    assert found is not None
    return found


class Log:
    """What a shortcut told, in order."""

    def __init__(self, shortcut: X11Shortcut) -> None:
        self.told: list[str] = []
        shortcut.pressed.connect(lambda: self.told.append("down"))
        shortcut.released.connect(lambda: self.told.append("up"))
        shortcut.bound.connect(lambda _: self.told.append("bound"))
        shortcut.failed.connect(self.told.append)


@pytest.fixture
def person() -> Iterator[Keyboard]:
    with keyboard() as person:
        yield person


@pytest.fixture
def shortcut(qtbot: QtBot) -> Iterator[X11Shortcut]:
    shortcut = X11Shortcut()
    yield shortcut
    shortcut.close()


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Ctrl+Alt+Space", ("Control_L", "Alt_L", "space")),
        ("Ctrl+Shift+M", ("Control_L", "Shift_L", "m")),
        ("Meta+,", ("Super_L", "comma")),
        ("F9", ("F9",)),
        ("Pause", ("Pause",)),
    ],
)
def test_the_combination_arrives_and_the_other_window_does_not_get_its_key(
    qtbot: QtBot, shortcut: X11Shortcut, person: Keyboard, text: str, keys: tuple[str, ...]
) -> None:
    log = Log(shortcut)
    shortcut.bind(combination(text))
    assert log.told == ["bound"]
    person.type(*keys)
    qtbot.waitUntil(lambda: log.told[1:] == ["down", "up"])
    assert len(person.read()) == len(keys) - 1  # the modifiers


def test_no_other_key_is_taken(qtbot: QtBot, shortcut: X11Shortcut, person: Keyboard) -> None:
    log = Log(shortcut)
    shortcut.bind(combination("Ctrl+Alt+Space"))
    for keys in (("space",), ("Control_L", "space"), ("a",), ("Control_L", "Alt_L", "a")):
        person.type(*keys)
    assert [key for key in person.read() if key in (" ", "a")] == [" ", " ", "a", "a"]
    person.type("Control_L", "Alt_L", "space")
    qtbot.waitUntil(lambda: log.told == ["bound", "down", "up"])


@pytest.mark.parametrize("lock", ["Caps_Lock", "Num_Lock"])
def test_a_lock_does_not_matter(qtbot: QtBot, shortcut: X11Shortcut, person: Keyboard, lock: str) -> None:
    log = Log(shortcut)
    shortcut.bind(combination("Ctrl+Alt+Space"))
    person.type(lock)
    try:
        person.type("Control_L", "Alt_L", "space")
        qtbot.waitUntil(lambda: log.told == ["bound", "down", "up"])
    finally:
        person.type(lock)


def test_a_key_that_is_held_and_repeats_is_pressed_once(
    qtbot: QtBot, shortcut: X11Shortcut, person: Keyboard
) -> None:
    log = Log(shortcut)
    shortcut.bind(combination("F9"))
    repeats: list[int] = []
    take = shortcut._take

    def count(event: object) -> None:
        repeats.append(event.type)  # type: ignore[attr-defined]
        take(event)

    shortcut._take = count  # type: ignore[method-assign]
    person.press("F9")
    qtbot.waitUntil(lambda: len(repeats) >= 7)  # the server repeats after 660 ms, then every 40 ms
    assert X.KeyRelease in repeats, "the server reports each repeat as released and pressed"
    assert log.told == ["bound", "down"]
    person.release("F9")
    qtbot.waitUntil(lambda: log.told == ["bound", "down", "up"])


def test_releasing_the_modifiers_first_does_not_end_the_hold(
    qtbot: QtBot, shortcut: X11Shortcut, person: Keyboard
) -> None:
    log = Log(shortcut)
    shortcut.bind(combination("Ctrl+Alt+Space"))
    person.press("Control_L", "Alt_L", "space")
    qtbot.waitUntil(lambda: log.told == ["bound", "down"])
    person.release("Control_L", "Alt_L")
    person.release("space")
    qtbot.waitUntil(lambda: log.told == ["bound", "down", "up"])


def test_a_combination_of_another_program_is_refused_in_words(
    shortcut: X11Shortcut, person: Keyboard
) -> None:
    log = Log(shortcut)
    person.grab("space", X.ControlMask | X.Mod1Mask)
    try:
        shortcut.bind(combination("Ctrl+Alt+Space"))
    finally:
        person.ungrab("space")
    (sentence,) = log.told
    assert sentence.startswith("Another program or the desktop itself uses Ctrl+Alt+Space already.")


def test_a_key_that_the_keyboard_does_not_have_is_refused_in_words(shortcut: X11Shortcut) -> None:
    log = Log(shortcut)
    shortcut.bind(combination("Ctrl+Alt+あ"))
    assert log.told == ["Ctrl+Alt+あ cannot be used in other windows on this computer. Choose other keys."]


def test_a_display_that_is_not_there_is_said(qtbot: QtBot) -> None:
    shortcut = X11Shortcut(display="nowhere")
    log = Log(shortcut)
    shortcut.bind(combination("F9"))
    assert len(log.told) == 1
    assert "connection to the display failed" in log.told[0]


def test_closing_gives_the_key_back_and_ends_a_hold(
    qtbot: QtBot, shortcut: X11Shortcut, person: Keyboard
) -> None:
    log = Log(shortcut)
    shortcut.bind(combination("F9"))
    person.press("F9")
    qtbot.waitUntil(lambda: log.told == ["bound", "down"])
    shortcut.close()
    assert log.told == ["bound", "down", "up"]
    person.release("F9")
    person.read()
    person.type("F9")
    assert len(person.read()) == 1
    person.grab("F9", 0)
    person.ungrab("F9")


def test_another_layout_is_followed(qtbot: QtBot, shortcut: X11Shortcut, person: Keyboard) -> None:
    """The key goes away, and is asked for anew where it comes back."""
    log = Log(shortcut)
    shortcut.bind(combination("F9"))
    with person.swapped("F9", "F10"):
        qtbot.waitUntil(lambda: len(log.told) == 3)
        assert log.told[1].startswith("F9 cannot be used")
        assert log.told[2] == "bound"
        person.type("F9")  # by its new place
        qtbot.waitUntil(lambda: log.told[3:] == ["down", "up"])
    qtbot.waitUntil(lambda: log.told[-1] == "bound")
