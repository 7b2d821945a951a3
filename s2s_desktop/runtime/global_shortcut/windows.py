"""Windows: RegisterHotKey, which lends one combination and tells when it goes down.

When the key comes up is not told: while it is down, and only then, its state is asked for.
Not run on Windows yet: the tests drive it with a stand-in for `user32`.
"""

from __future__ import annotations

import ctypes
import logging
import threading
from typing import Any

from PySide6.QtCore import QKeyCombination, QObject, Qt
from typing_extensions import override

from s2s_desktop.runtime.global_shortcut.shortcut import GlobalShortcut, no_such_key, taken

_log = logging.getLogger(__name__)

_Key, _Modifier = Qt.Key, Qt.KeyboardModifier
# https://learn.microsoft.com/windows/win32/inputdev/virtual-key-codes
_VIRTUAL_KEYS = {
    _Key.Key_Backspace: 0x08,
    _Key.Key_Tab: 0x09,
    _Key.Key_Return: 0x0D,
    _Key.Key_Enter: 0x0D,
    _Key.Key_Pause: 0x13,
    _Key.Key_Escape: 0x1B,
    _Key.Key_Space: 0x20,
    _Key.Key_PageUp: 0x21,
    _Key.Key_PageDown: 0x22,
    _Key.Key_End: 0x23,
    _Key.Key_Home: 0x24,
    _Key.Key_Left: 0x25,
    _Key.Key_Up: 0x26,
    _Key.Key_Right: 0x27,
    _Key.Key_Down: 0x28,
    _Key.Key_Print: 0x2C,
    _Key.Key_Insert: 0x2D,
    _Key.Key_Delete: 0x2E,
    _Key.Key_Menu: 0x5D,
    _Key.Key_ScrollLock: 0x91,
    _Key.Key_MediaPlay: 0xB3,
    _Key.Key_MediaTogglePlayPause: 0xB3,
    **{_Key(_Key.Key_F1.value + number): 0x70 + number for number in range(24)},
}
# https://learn.microsoft.com/windows/win32/api/winuser/nf-winuser-registerhotkey
_MODIFIERS = {
    _Modifier.AltModifier: 0x1,
    _Modifier.ControlModifier: 0x2,
    _Modifier.ShiftModifier: 0x4,
    _Modifier.MetaModifier: 0x8,
}
_NO_REPEAT = 0x4000
_IDENTIFIER = 1
_WM_QUIT, _WM_HOTKEY = 0x0012, 0x0312
_IS_DOWN = 0x8000
_LOOK_AGAIN_S = 0.02
_END_LIMIT_S = 1.0
_LAST_BMP = 0xFFFF


class _Message(ctypes.Structure):
    """`MSG` of winuser.h."""

    _fields_ = (
        ("window", ctypes.c_void_p),
        ("message", ctypes.c_uint),
        ("wide", ctypes.c_size_t),
        ("long", ctypes.c_ssize_t),
        ("time", ctypes.c_uint32),
        ("x", ctypes.c_long),
        ("y", ctypes.c_long),
    )


class WindowsShortcut(GlobalShortcut):
    """Waits for the combination on a thread of its own, to which Windows sends it.

    Args:
        parent: Owner.
        user32: The library; None loads that of the system.
        thread_id: Returns the identifier of the calling thread as Windows has it.
    """

    def __init__(self, parent: QObject | None = None, user32: Any = None, thread_id: Any = None) -> None:
        super().__init__(parent)
        self._user32 = user32
        self._thread_id = thread_id or threading.get_native_id
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self._closing = threading.Event()
        self._receiver = 0

    @override
    def bind(self, combination: QKeyCombination) -> None:
        if self._user32 is None:
            self._user32 = ctypes.WinDLL("user32")  # type: ignore[attr-defined,unused-ignore]
        key = self._virtual_key(combination.key())
        if not key:
            self.failed.emit(no_such_key(combination))
            return
        modifiers = sum(
            flag for modifier, flag in _MODIFIERS.items() if combination.keyboardModifiers() & modifier
        )
        self._thread = threading.Thread(
            target=self._run, args=(key, modifiers, taken(combination)), name="global shortcut", daemon=True
        )
        self._thread.start()

    @override
    def close(self) -> None:
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._closing.set()
        self._ready.wait(_END_LIMIT_S)
        self._user32.PostThreadMessageW(self._receiver, _WM_QUIT, 0, 0)
        thread.join(_END_LIMIT_S)

    def _run(self, key: int, modifiers: int, refused: str) -> None:
        user32, message = self._user32, _Message()
        self._receiver = self._thread_id()
        user32.PeekMessageW(ctypes.byref(message), None, 0, 0, 0)  # makes the queue that messages are sent to
        registered = user32.RegisterHotKey(None, _IDENTIFIER, modifiers | _NO_REPEAT, key)
        self._ready.set()
        if not registered:
            _log.warning("RegisterHotKey refused %#x with modifiers %#x", key, modifiers)
            self.failed.emit(refused)
            return
        self.bound.emit("")
        try:
            # 0 is WM_QUIT, -1 a failure.
            while user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
                if message.message == _WM_HOTKEY:
                    self._hold(key)
        finally:
            user32.UnregisterHotKey(None, _IDENTIFIER)

    def _hold(self, key: int) -> None:
        self.pressed.emit()
        while self._user32.GetAsyncKeyState(key) & _IS_DOWN and not self._closing.wait(_LOOK_AGAIN_S):
            pass
        self.released.emit()

    def _virtual_key(self, key: Qt.Key) -> int:
        """Return the code of a key, 0 where the layout has none."""
        if key in _VIRTUAL_KEYS:
            return _VIRTUAL_KEYS[key]
        if key.value > _LAST_BMP:
            return 0
        found: int = self._user32.VkKeyScanW(ctypes.c_wchar(chr(key.value).lower()))
        return 0 if found & 0xFFFF == 0xFFFF else found & 0xFF
