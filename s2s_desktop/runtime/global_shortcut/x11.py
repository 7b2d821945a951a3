"""X11: a passive grab of one key (XGrabKey), on a connection of its own."""

from __future__ import annotations

import itertools
import logging
from typing import Any

from PySide6.QtCore import QCoreApplication, QKeyCombination, QObject, QSocketNotifier, Qt
from typing_extensions import override

from s2s_desktop.runtime.global_shortcut.shortcut import GlobalShortcut, no_such_key, taken
from s2s_desktop.runtime.global_shortcut.xkb_names import keysym_of_unicode, xkb_name

translate = QCoreApplication.translate  # by this name lupdate finds the strings
_log = logging.getLogger(__name__)

_KEYS_OF_MODIFIERS = {
    Qt.KeyboardModifier.AltModifier: ("Alt_L", "Alt_R", "Meta_L"),
    Qt.KeyboardModifier.MetaModifier: ("Super_L", "Super_R"),
}
_LOCKS = ("Num_Lock", "Scroll_Lock")


class X11Shortcut(GlobalShortcut):
    """Asks the X server for the events of one key, and of no other.

    Args:
        parent: Owner.
        display: Name of the server; None is the one that DISPLAY names.
    """

    def __init__(self, parent: QObject | None = None, display: str | None = None) -> None:
        super().__init__(parent)
        self._name = display
        self._server: Any = None
        self._notifier: QSocketNotifier | None = None
        self._combination: QKeyCombination | None = None
        self._keycode = 0
        self._masks: tuple[int, ...] = ()
        self._down = False

    @override
    def bind(self, combination: QKeyCombination) -> None:
        from Xlib.display import Display
        from Xlib.error import DisplayError, XauthError

        self._combination = combination
        try:
            self._server = Display(self._name)
        except (DisplayError, XauthError, OSError) as error:
            self._lose(error)
            return
        self._notifier = QSocketNotifier(self._server.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)
        self._grab()

    @override
    def close(self) -> None:
        from Xlib.error import ConnectionClosedError

        server, self._server = self._server, None
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
            self._notifier = None
        if server is not None:
            try:
                _ungrab(server, self._keycode)
                server.close()
            except (ConnectionClosedError, OSError) as error:
                _log.info("the X server is gone: %s", error)
        self._came_up()

    def _grab(self) -> None:
        from Xlib import X
        from Xlib.error import BadAccess, CatchError

        assert self._combination is not None
        self._keycode, self._masks = _place(self._server, self._combination)
        if not self._keycode:
            self.failed.emit(no_such_key(self._combination))  # another layout may have it
            return
        root, refused = self._server.screen().root, CatchError(BadAccess)
        for mask in self._masks:
            root.grab_key(self._keycode, mask, False, X.GrabModeAsync, X.GrabModeAsync, onerror=refused)
        self._server.sync()
        if refused.get_error() is None:
            self.bound.emit("")
        else:
            _ungrab(self._server, self._keycode)
            self.failed.emit(taken(self._combination))
        self._read()  # what arrived with the answer makes the socket readable no more

    def _read(self) -> None:
        from Xlib.error import ConnectionClosedError

        try:
            while self._server is not None and self._server.pending_events():
                self._take(self._server.next_event())
        except (ConnectionClosedError, OSError) as error:
            self._lose(error)

    def _take(self, event: Any) -> None:
        from Xlib import X

        if event.type == X.KeyPress and not self._down:
            self._down = True
            self.pressed.emit()
        elif event.type == X.KeyRelease and not self._is_held():
            self._came_up()
        elif event.type == X.MappingNotify and event.request != X.MappingPointer:
            self._server.refresh_keyboard_mapping(event)
            self._follow_layout()

    def _follow_layout(self) -> None:
        assert self._combination is not None
        # Also told when another keyboard with the same layout is used.
        if _place(self._server, self._combination) != (self._keycode, self._masks):
            _ungrab(self._server, self._keycode)
            self._came_up()
            self._grab()

    def _is_held(self) -> bool:
        """Return whether the key is down: repeating it, the server reports it as released as well."""
        held: int = self._server.query_keymap()[self._keycode // 8] & (1 << self._keycode % 8)
        return bool(held)

    def _came_up(self) -> None:
        if self._down:
            self._down = False
            self.released.emit()

    def _lose(self, error: Exception) -> None:
        _log.warning("the connection for the global shortcut failed: %s", error)
        self.close()
        self.failed.emit(
            translate(
                "global_shortcut",
                "Keys that work in every window could not be asked for: the connection to the display "
                "failed. Start the program again.",
            )
        )


def _keysym(key: Qt.Key) -> int:
    from Xlib import XK

    XK.load_keysym_group("xf86")
    name = xkb_name(key)
    # This library writes the keysyms of XFree86 with an underscore.
    keysym: int = XK.string_to_keysym(name.replace("XF86", "XF86_", 1))
    return keysym or keysym_of_unicode(name)


def _place(server: Any, combination: QKeyCombination) -> tuple[int, tuple[int, ...]]:
    """Return the key code and the modifier masks of a combination; 0 and none where the layout lacks it."""
    keysym = _keysym(combination.key())
    keycode = server.keysym_to_keycode(keysym) if keysym else 0
    masks = _masks(server, combination.keyboardModifiers())
    return (keycode, masks) if keycode and masks else (0, ())


def _masks(server: Any, modifiers: Qt.KeyboardModifier) -> tuple[int, ...]:
    """Return the masks of some modifiers, with every lock on and off; none where one of them has no key."""
    from Xlib import X

    wanted = 0
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        wanted |= X.ShiftMask
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        wanted |= X.ControlMask
    for modifier, names in _KEYS_OF_MODIFIERS.items():
        if modifiers & modifier:
            mask = _mask_of(server, names)
            if not mask:
                return ()
            wanted |= mask
    locks = [X.LockMask, *filter(None, (_mask_of(server, (name,)) for name in _LOCKS))]
    subsets = (chosen for count in range(len(locks) + 1) for chosen in itertools.combinations(locks, count))
    return tuple(sorted({wanted | sum(chosen) for chosen in subsets}))


def _mask_of(server: Any, names: tuple[str, ...]) -> int:
    """Return the mask of the modifier that one of these keys is; 0 when none is any."""
    from Xlib import XK

    keycodes = {server.keysym_to_keycode(XK.string_to_keysym(name)) for name in names} - {0}
    for index, of_modifier in enumerate(server.get_modifier_mapping()):
        if keycodes & set(of_modifier):
            return 1 << index
    return 0


def _ungrab(server: Any, keycode: int) -> None:
    from Xlib import X

    if keycode:
        server.screen().root.ungrab_key(keycode, X.AnyModifier)
        server.sync()
