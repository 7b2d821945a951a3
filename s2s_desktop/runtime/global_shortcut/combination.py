"""Which key combinations are fit to work in every window."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from s2s_desktop.runtime.global_shortcut.shortcut import name_of

translate = QCoreApplication.translate  # by this name lupdate finds the strings

_Modifier = Qt.KeyboardModifier
_CHORD = _Modifier.ControlModifier | _Modifier.AltModifier | _Modifier.MetaModifier
_ALONE = frozenset(
    {
        Qt.Key.Key_Pause,
        Qt.Key.Key_ScrollLock,
        Qt.Key.Key_Menu,
        Qt.Key.Key_MicMute,
        Qt.Key.Key_MediaPlay,
        Qt.Key.Key_MediaTogglePlayPause,
        Qt.Key.Key_MediaRecord,
        *(Qt.Key(Qt.Key.Key_F1.value + number) for number in range(24)),
    }
)
"""Keys that nobody types with."""
_LAST_CHARACTER = 0x10FFFF
"""Qt numbers keys that write a character by its code point."""


def read_combination(text: str) -> QKeyCombination | None:
    """Return the combination that a portable text such as "Ctrl+Alt+Space" names; None when it names none."""
    sequence = QKeySequence(text, QKeySequence.SequenceFormat.PortableText)
    if sequence.count() != 1:
        return None
    combination: QKeyCombination = sequence[0]  # type: ignore[index]  # not in the stubs of PySide6
    return None if combination.key() in (Qt.Key.Key_unknown, Qt.Key(0)) else combination


def objection(combination: QKeyCombination) -> str:
    """Return why a combination would be in the way of other programs, as a sentence; "" when it would not."""
    if combination.key() not in _ALONE and not combination.keyboardModifiers() & _CHORD:
        return translate(
            "global_shortcut",
            "{keys} is needed for typing. Hold Ctrl, Alt or both with it, for example Ctrl+Alt+Space.",
        ).format(keys=name_of(combination))
    keys = QKeySequence(combination)
    if _is_of_a_menu(combination) or any(
        keys in QKeySequence.keyBindings(action) for action in QKeySequence.StandardKey
    ):
        return translate(
            "global_shortcut",
            "{keys} has a meaning in most programs, which would be lost. Choose other keys, for example "
            "Ctrl+Alt+Space.",
        ).format(keys=name_of(combination))
    return ""


def _is_of_a_menu(combination: QKeyCombination) -> bool:
    """Return whether it is Ctrl or Alt with a character: editors and menus have nearly all of these."""
    writes = Qt.Key.Key_Space.value < combination.key().value <= _LAST_CHARACTER
    return writes and combination.keyboardModifiers() in (_Modifier.ControlModifier, _Modifier.AltModifier)
