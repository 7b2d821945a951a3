"""What Windows is asked for, and what becomes of its messages, with a stand-in for its library."""

from __future__ import annotations

import ctypes
import queue
from typing import Any

import pytest
from PySide6.QtCore import QKeyCombination
from pytestqt.qtbot import QtBot

from s2s_desktop.runtime.global_shortcut.combination import read_combination
from s2s_desktop.runtime.global_shortcut.windows import WindowsShortcut

WM_QUIT, WM_HOTKEY = 0x0012, 0x0312
CONTROL, ALT, SHIFT, WIN, NO_REPEAT = 2, 1, 4, 8, 0x4000


def combination(text: str) -> QKeyCombination:
    found = read_combination(text)
    assert found is not None
    return found


class User32:
    """Answers as `user32` is documented to."""

    def __init__(self) -> None:
        self.registered: list[tuple[int, int]] = []
        self.refuses = False
        self.polls_until_up = 0
        self._messages: queue.Queue[int] = queue.Queue()

    def PeekMessageW(self, *_: Any) -> int:
        return 0

    def RegisterHotKey(self, window: None, identifier: int, modifiers: int, key: int) -> int:
        if not self.refuses:
            self.registered.append((modifiers, key))
        return 0 if self.refuses else 1

    def UnregisterHotKey(self, window: None, identifier: int) -> int:
        self.registered.clear()
        return 1

    def GetMessageW(self, message: Any, *_: Any) -> int:
        number = self._messages.get()
        ctypes.cast(message, ctypes.POINTER(ctypes.c_uint))[2] = number  # behind the handle of the window
        return 0 if number == WM_QUIT else 1

    def PostThreadMessageW(self, thread: int, message: int, wide: int, long: int) -> int:
        self._messages.put(message)
        return 1

    def GetAsyncKeyState(self, key: int) -> int:
        self.polls_until_up -= 1
        return -0x8000 if self.polls_until_up > 0 else 0

    def VkKeyScanW(self, character: ctypes.c_wchar) -> int:
        assert character.value is not None
        return ord(character.value.upper()) if character.value.isascii() else -1

    def press(self, polls: int = 0) -> None:
        """Press the keys, and let them go after so many looks at them."""
        self.polls_until_up = polls
        self._messages.put(WM_HOTKEY)


class Asked:
    def __init__(self, user32: User32, keys: str) -> None:
        self.told: list[str] = []
        self.shortcut = WindowsShortcut(user32=user32, thread_id=lambda: 7)
        self.shortcut.pressed.connect(lambda: self.told.append("down"))
        self.shortcut.released.connect(lambda: self.told.append("up"))
        self.shortcut.bound.connect(lambda _: self.told.append("bound"))
        self.shortcut.failed.connect(self.told.append)
        self.shortcut.bind(combination(keys))


@pytest.mark.parametrize(
    ("keys", "modifiers", "key"),
    [
        ("Ctrl+Alt+Space", CONTROL | ALT, 0x20),
        ("Meta+Shift+M", WIN | SHIFT, ord("M")),
        ("F9", 0, 0x78),
    ],
)
def test_the_combination_is_asked_for_and_given_back(
    qtbot: QtBot, keys: str, modifiers: int, key: int
) -> None:
    user32 = User32()
    asked = Asked(user32, keys)
    qtbot.waitUntil(lambda: asked.told == ["bound"])
    assert user32.registered == [(modifiers | NO_REPEAT, key)]
    asked.shortcut.close()
    assert user32.registered == []


def test_a_hold_lasts_until_the_key_is_up(qtbot: QtBot) -> None:
    user32 = User32()
    asked = Asked(user32, "F9")
    user32.press(polls=3)
    qtbot.waitUntil(lambda: asked.told == ["bound", "down", "up"])
    assert user32.polls_until_up == 0
    asked.shortcut.close()


def test_closing_ends_a_hold(qtbot: QtBot) -> None:
    user32 = User32()
    asked = Asked(user32, "F9")
    user32.press(polls=1_000_000)
    qtbot.waitUntil(lambda: asked.told == ["bound", "down"])
    asked.shortcut.close()
    assert user32.registered == []
    qtbot.waitUntil(lambda: asked.told == ["bound", "down", "up"])


def test_keys_of_another_program_are_refused_in_words(qtbot: QtBot) -> None:
    user32 = User32()
    user32.refuses = True
    asked = Asked(user32, "F9")
    qtbot.waitUntil(lambda: len(asked.told) == 1)
    assert asked.told[0].startswith("Another program or the desktop itself uses F9 already.")
    asked.shortcut.close()


def test_a_key_that_the_layout_does_not_have_is_refused_in_words(qtbot: QtBot) -> None:
    asked = Asked(User32(), "Ctrl+Alt+あ")
    assert asked.told[0].startswith("Ctrl+Alt+あ cannot be used in other windows")
    asked.shortcut.close()
