"""What macOS is asked for, and what becomes of its events, with a stand-in for Carbon."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from PySide6.QtCore import QKeyCombination
from pytestqt.qtbot import QtBot

from s2s_desktop.runtime.global_shortcut.combination import read_combination
from s2s_desktop.runtime.global_shortcut.macos import MacShortcut

COMMAND, SHIFT, OPTION = 1 << 8, 1 << 9, 1 << 11
PRESSED, RELEASED = 5, 6
EXISTS_ALREADY = -9878


def combination(text: str) -> QKeyCombination:
    found = read_combination(text)
    assert found is not None
    return found


class Carbon:
    """Answers as Carbon's headers say."""

    def __init__(self) -> None:
        self.keys: list[tuple[int, int]] = []
        self.handler: Any = None
        self.status = 0

    def GetApplicationEventTarget(self) -> int:
        return 1

    def InstallEventHandler(self, target: int, handler: Any, count: int, *rest: Any) -> int:
        self.handler = handler
        ctypes.cast(rest[-1], ctypes.POINTER(ctypes.c_void_p))[0] = 2
        return 0

    def RegisterEventHotKey(self, key: int, modifiers: int, *rest: Any) -> int:
        if self.status == 0:
            self.keys.append((key, modifiers))
            ctypes.cast(rest[-1], ctypes.POINTER(ctypes.c_void_p))[0] = 3
        return self.status

    def UnregisterEventHotKey(self, hot_key: Any) -> int:
        assert hot_key.value == 3
        self.keys.clear()
        return 0

    def RemoveEventHandler(self, handler: Any) -> int:
        assert handler.value == 2
        self.handler = None
        return 0

    def GetEventKind(self, event: int) -> int:
        return event


class Asked:
    def __init__(self, carbon: Carbon, keys: str) -> None:
        self.told: list[str] = []
        self.shortcut = MacShortcut(carbon=carbon)
        self.shortcut.pressed.connect(lambda: self.told.append("down"))
        self.shortcut.released.connect(lambda: self.told.append("up"))
        self.shortcut.bound.connect(lambda _: self.told.append("bound"))
        self.shortcut.failed.connect(self.told.append)
        self.shortcut.bind(combination(keys))


@pytest.mark.parametrize(
    ("keys", "key", "modifiers"),
    [("Ctrl+Alt+Space", 0x31, COMMAND | OPTION), ("Shift+F9", 0x65, SHIFT), ("F9", 0x65, 0)],
)
def test_the_combination_is_asked_for_and_given_back(
    qtbot: QtBot, keys: str, key: int, modifiers: int
) -> None:
    carbon = Carbon()
    asked = Asked(carbon, keys)
    assert (asked.told, carbon.keys) == (["bound"], [(key, modifiers)])
    asked.shortcut.close()
    assert (carbon.keys, carbon.handler) == ([], None)


def test_its_events_press_and_release_and_the_end_ends_a_hold(qtbot: QtBot) -> None:
    carbon = Carbon()
    asked = Asked(carbon, "F9")
    for kind in (PRESSED, PRESSED, RELEASED, PRESSED):
        assert carbon.handler(None, kind, None) == 0, "the event was handled"
    assert asked.told == ["bound", "down", "up", "down"]
    asked.shortcut.close()
    assert asked.told[-1] == "up"


def test_keys_of_another_program_are_refused_in_words(qtbot: QtBot) -> None:
    carbon = Carbon()
    carbon.status = EXISTS_ALREADY
    asked = Asked(carbon, "F9")
    assert asked.told[0].startswith("Another program or the desktop itself uses F9 already.")
    assert carbon.handler is None


def test_a_letter_has_no_fixed_place_and_is_refused_in_words(qtbot: QtBot) -> None:
    asked = Asked(Carbon(), "Ctrl+Alt+M")
    assert asked.told[0].startswith("Ctrl+Alt+M cannot be used in other windows")
