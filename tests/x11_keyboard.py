"""Somebody at the keyboard of an X server, and a window of another program that has the focus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest


class Keyboard:
    """Presses keys as hardware does (XTEST)."""

    def __init__(self) -> None:
        self._server = Display()
        screen = self._server.screen()
        self.window = screen.root.create_window(
            0, 0, 50, 50, 0, screen.root_depth, event_mask=X.KeyPressMask, override_redirect=True
        )
        self.window.map()
        self.take_focus()

    def take_focus(self) -> None:
        """Give the keyboard to the other window."""
        self._server.sync()
        self.window.set_input_focus(X.RevertToNone, X.CurrentTime)
        self._server.sync()

    def press(self, *names: str) -> None:
        """Press keys by their keysym names, in order."""
        for name in names:
            xtest.fake_input(self._server, X.KeyPress, self._keycode(name))
        self._server.sync()

    def release(self, *names: str) -> None:
        """Release keys, in order."""
        for name in names:
            xtest.fake_input(self._server, X.KeyRelease, self._keycode(name))
        self._server.sync()

    def type(self, *names: str) -> None:
        """Press all and release all."""
        self.press(*names)
        self.release(*reversed(names))

    def read(self) -> list[str]:
        """Return the keys that the other window was sent since the last time."""
        self._server.sync()
        sent = []
        while self._server.pending_events():
            event = self._server.next_event()
            if event.type == X.KeyPress:
                sent.append(self._server.lookup_string(self._server.keycode_to_keysym(event.detail, 0)))
        return sent

    def grab(self, name: str, mask: int) -> None:
        """Take a key for the other program, as ours does."""
        root = self._server.screen().root
        root.grab_key(self._keycode(name), mask, False, X.GrabModeAsync, X.GrabModeAsync)
        self._server.sync()

    def ungrab(self, name: str) -> None:
        """Give it back."""
        self._server.screen().root.ungrab_key(self._keycode(name), X.AnyModifier)
        self._server.sync()

    @contextmanager
    def swapped(self, one: str, other: str) -> Iterator[None]:
        """Exchange two keys of the layout, and exchange them again at the end."""
        self._swap(one, other)
        try:
            yield
        finally:
            self._swap(one, other)

    def close(self) -> None:
        """End the other program."""
        self.window.destroy()
        self._server.close()

    def _swap(self, one: str, other: str) -> None:
        codes = [self._keycode(name) for name in (one, other)]
        mappings = [self._server.get_keyboard_mapping(code, 1) for code in codes]
        for code, mapping in zip(codes, reversed(mappings), strict=True):
            self._server.change_keyboard_mapping(code, mapping)
        self._server.sync()
        while self._server.pending_events():
            event = self._server.next_event()
            if event.type == X.MappingNotify:
                self._server.refresh_keyboard_mapping(event)

    def _keycode(self, name: str) -> int:
        keycode: int = self._server.keysym_to_keycode(XK.string_to_keysym(name))
        assert keycode, name
        return keycode


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """Somebody at the keyboard of the display that DISPLAY names."""
    person = Keyboard()
    try:
        yield person
    finally:
        person.close()
