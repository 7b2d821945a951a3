"""macOS: RegisterEventHotKey of Carbon, which lends one combination and needs no permission.

Listening to all keys, the other way, needs the user's consent to watch everything that is typed.
Not run on macOS yet: the tests drive it with a stand-in for Carbon.
"""

from __future__ import annotations

import ctypes
import logging
from typing import Any

from PySide6.QtCore import QKeyCombination, QObject, Qt
from typing_extensions import override

from s2s_desktop.runtime.global_shortcut.shortcut import GlobalShortcut, no_such_key, taken

_log = logging.getLogger(__name__)

_Key, _Modifier = Qt.Key, Qt.KeyboardModifier
# Carbon's HIToolbox/Events.h: keys whose place is the same in every layout. Letters are not among them.
_KEY_CODES = {
    _Key.Key_Return: 0x24,
    _Key.Key_Tab: 0x30,
    _Key.Key_Space: 0x31,
    _Key.Key_Backspace: 0x33,
    _Key.Key_Escape: 0x35,
    _Key.Key_Enter: 0x4C,
    _Key.Key_Home: 0x73,
    _Key.Key_PageUp: 0x74,
    _Key.Key_Delete: 0x75,
    _Key.Key_End: 0x77,
    _Key.Key_PageDown: 0x79,
    _Key.Key_Left: 0x7B,
    _Key.Key_Right: 0x7C,
    _Key.Key_Down: 0x7D,
    _Key.Key_Up: 0x7E,
    _Key.Key_F1: 0x7A,
    _Key.Key_F2: 0x78,
    _Key.Key_F3: 0x63,
    _Key.Key_F4: 0x76,
    _Key.Key_F5: 0x60,
    _Key.Key_F6: 0x61,
    _Key.Key_F7: 0x62,
    _Key.Key_F8: 0x64,
    _Key.Key_F9: 0x65,
    _Key.Key_F10: 0x6D,
    _Key.Key_F11: 0x67,
    _Key.Key_F12: 0x6F,
    _Key.Key_F13: 0x69,
    _Key.Key_F14: 0x6B,
    _Key.Key_F15: 0x71,
    _Key.Key_F16: 0x6A,
    _Key.Key_F17: 0x40,
    _Key.Key_F18: 0x4F,
    _Key.Key_F19: 0x50,
    _Key.Key_F20: 0x5A,
}
# cmdKey, optionKey, shiftKey and controlKey of the same file; Qt calls the command key "Control" there.
_MODIFIERS = {
    _Modifier.ControlModifier: 1 << 8,
    _Modifier.ShiftModifier: 1 << 9,
    _Modifier.AltModifier: 1 << 11,
    _Modifier.MetaModifier: 1 << 12,
}
_CARBON = "/System/Library/Frameworks/Carbon.framework/Carbon"
_KEYBOARD_CLASS = int.from_bytes(b"keyb", "big")
_SIGNATURE = int.from_bytes(b"s2sd", "big")
_PRESSED, _RELEASED = 5, 6
_HANDLED = 0


class _EventType(ctypes.Structure):
    """`EventTypeSpec` of CarbonEventsCore.h."""

    _fields_ = (("event_class", ctypes.c_uint32), ("kind", ctypes.c_uint32))


class _HotKeyId(ctypes.Structure):
    """`EventHotKeyID` of CarbonEvents.h."""

    _fields_ = (("signature", ctypes.c_uint32), ("number", ctypes.c_uint32))


_Handler = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class MacShortcut(GlobalShortcut):
    """Takes the events from the application's own queue, which Qt runs.

    Args:
        parent: Owner.
        carbon: The library; None loads that of the system.
    """

    def __init__(self, parent: QObject | None = None, carbon: Any = None) -> None:
        super().__init__(parent)
        self._carbon = carbon
        self._handler: Any = None
        self._installed = ctypes.c_void_p()
        self._hot_key = ctypes.c_void_p()
        self._down = False

    @override
    def bind(self, combination: QKeyCombination) -> None:
        key = _KEY_CODES.get(combination.key())
        if key is None:
            self.failed.emit(no_such_key(combination))
            return
        if self._carbon is None:
            self._carbon = _load()
        modifiers = sum(
            flag for modifier, flag in _MODIFIERS.items() if combination.keyboardModifiers() & modifier
        )
        target = self._carbon.GetApplicationEventTarget()
        self._handler = _Handler(self._take)  # kept: Carbon only has its address
        kinds = (_EventType * 2)(*(_EventType(_KEYBOARD_CLASS, kind) for kind in (_PRESSED, _RELEASED)))
        status = self._carbon.InstallEventHandler(
            target, self._handler, 2, kinds, None, ctypes.byref(self._installed)
        ) or self._carbon.RegisterEventHotKey(
            key, modifiers, _HotKeyId(_SIGNATURE, 1), target, 0, ctypes.byref(self._hot_key)
        )
        if status:
            _log.warning("Carbon refused key %#x with modifiers %#x: %d", key, modifiers, status)
            self.close()
            self.failed.emit(taken(combination))
            return
        self.bound.emit("")

    @override
    def close(self) -> None:
        if self._hot_key:
            self._carbon.UnregisterEventHotKey(self._hot_key)
            self._hot_key = ctypes.c_void_p()
        if self._installed:
            self._carbon.RemoveEventHandler(self._installed)
            self._installed = ctypes.c_void_p()
        self._set_down(False)

    def _take(self, next_handler: int, event: int, data: int) -> int:
        """Take an event of the one hot key of this program."""
        self._set_down(self._carbon.GetEventKind(event) == _PRESSED)
        return _HANDLED

    def _set_down(self, down: bool) -> None:
        if down != self._down:
            self._down = down
            (self.pressed if down else self.released).emit()


def _load() -> Any:
    carbon = ctypes.CDLL(_CARBON)
    pointer, number = ctypes.c_void_p, ctypes.c_uint32
    carbon.GetApplicationEventTarget.restype = pointer
    carbon.GetApplicationEventTarget.argtypes = []
    carbon.InstallEventHandler.argtypes = [pointer, _Handler, ctypes.c_ulong, pointer, pointer, pointer]
    carbon.RegisterEventHotKey.argtypes = [number, number, _HotKeyId, pointer, number, pointer]
    carbon.UnregisterEventHotKey.argtypes = [pointer]
    carbon.RemoveEventHandler.argtypes = [pointer]
    carbon.GetEventKind.argtypes = [pointer]
    carbon.GetEventKind.restype = number
    return carbon
