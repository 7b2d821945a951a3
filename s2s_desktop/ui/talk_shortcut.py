"""Lets the user talk with keys that work in every window, as the settings say."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from s2s_desktop.conversation.events import Event, SettingsChanged, TurnId
from s2s_desktop.conversation.preferences import Preferences
from s2s_desktop.runtime.global_shortcut import system
from s2s_desktop.runtime.global_shortcut.combination import read_combination
from s2s_desktop.runtime.global_shortcut.shortcut import GlobalShortcut
from s2s_desktop.ui.talk_control import TalkControl


class TalkShortcut(QObject):
    """Follows the setting `general.talk_shortcut`.

    Args:
        preferences: The settings.
        talk: Does what the keys ask for.
        tell: Takes a sentence when the keys of the settings do not work at the start; keys that are chosen
            later are watched by who chooses them.
        parent: Owner.
        make: Makes a shortcut of this system.

    Attributes:
        problem: Why the keys of the settings do not work; "" when they do.
        success: That they do, with what the desktop calls them where it decides that itself; else "".
        impossible: Why no keys can work in every window here, and what to do instead; "" where they can.

    Signals:
        changed: `problem` or `success` is another one.
    """

    changed = Signal()

    def __init__(
        self,
        preferences: Preferences,
        talk: TalkControl,
        tell: Callable[[str], None],
        parent: QObject | None = None,
        make: Callable[[QObject], GlobalShortcut] = system.for_this_system,
    ) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._talk = talk
        self._tell = tell
        self._at_start = True
        self._paused = False
        self._make = make
        self._keys = ""
        self._shortcut: GlobalShortcut | None = None
        self.impossible = system.impossible()
        self.problem = ""
        self.success = ""

    def begin(self) -> None:
        """Use the keys of the settings, at the start of the program."""
        self._use(self._preferences.settings.general.talk_shortcut)

    def observe(self, turn: TurnId | None, event: Event) -> None:
        """Follow the settings. The observer of `Commands.add_observer`."""
        if isinstance(event, SettingsChanged):
            keys = self._preferences.settings.general.talk_shortcut
            if keys != self._keys:
                self._at_start = False
                self._use(keys)

    def set_paused(self, paused: bool) -> None:
        """Let the keys do nothing while they are being chosen."""
        self._paused = paused

    def close(self) -> None:
        """Give the keys back."""
        if self._shortcut is not None:
            self._shortcut.close()

    async def ended(self) -> None:
        """Return when everything has ended, after `close`."""
        if self._shortcut is not None:
            await self._shortcut.ended()

    def _use(self, keys: str) -> None:
        self.close()
        self._keys = keys
        self._show()
        if keys:
            self._bind(keys)

    def _bind(self, keys: str) -> None:
        combination = read_combination(keys)
        if self.impossible or combination is None:
            self._fail(self.impossible or self.tr("“{keys}” names no keys.").format(keys=keys))
            return
        shortcut = self._shortcut = self._make(self)
        # Methods of this object: what is emitted on another thread is called on this one.
        shortcut.pressed.connect(self._press)
        shortcut.released.connect(self._release)
        shortcut.bound.connect(self._bound)
        shortcut.failed.connect(self._fail)
        shortcut.bind(combination)

    def _press(self) -> None:
        if not self._paused:
            self._talk.hold(True)

    def _release(self) -> None:
        self._talk.hold(False)

    def _bound(self, name: str) -> None:
        works = self.tr("These keys work in every window.")
        named = self.tr("The desktop lends these keys in every window: {name}")
        self._show(success=named.format(name=name) if name else works)

    def _fail(self, sentence: str) -> None:
        self._show(problem=sentence)
        if self._at_start:
            self._tell(sentence)

    def _show(self, problem: str = "", success: str = "") -> None:
        self.problem, self.success = problem, success
        self.changed.emit()
