"""What the shortcut of every system does."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QKeyCombination, QObject, Signal
from PySide6.QtGui import QKeySequence

translate = QCoreApplication.translate  # by this name lupdate finds the strings


class GlobalShortcut(QObject):
    """A key combination that is lent by the system. Lives on the GUI thread; its signals arrive there.

    Signals:
        pressed: The combination went down; once, however long it is held.
        released: Its key came up, or the combination was given back while it was down.
        bound: It works from now on; with what the desktop calls it, "" when that is what was asked for.
        failed: It does not work; with a sentence of why and what to do.
    """

    pressed = Signal()
    released = Signal()
    bound = Signal(str)
    failed = Signal(str)

    def bind(self, combination: QKeyCombination) -> None:
        """Ask for a combination, once; the answer is `bound` or `failed`."""
        raise NotImplementedError

    def close(self) -> None:
        """Give the combination back."""
        raise NotImplementedError

    async def ended(self) -> None:
        """Return when everything has ended, after `close`."""


def name_of(combination: QKeyCombination) -> str:
    """Return what people of this system call a combination, for example "Ctrl+Alt+Space"."""
    return QKeySequence(combination).toString(QKeySequence.SequenceFormat.NativeText)


def taken(combination: QKeyCombination) -> str:
    """Return the sentence for a combination that somebody else has."""
    return translate(
        "global_shortcut",
        "Another program or the desktop itself uses {keys} already. Choose other keys, or free these there.",
    ).format(keys=name_of(combination))


def no_such_key(combination: QKeyCombination) -> str:
    """Return the sentence for a key that cannot be asked for."""
    return translate(
        "global_shortcut", "{keys} cannot be used in other windows on this computer. Choose other keys."
    ).format(keys=name_of(combination))
