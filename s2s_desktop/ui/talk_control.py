"""What pressing and releasing the microphone button means in each mode."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Signal

from s2s_desktop.conversation.events import State

MicrophoneMode = Literal["hands-free", "push-to-talk", "toggle"]

_TURN_IS_OVER = frozenset({State.TRANSCRIBING, State.THINKING, State.ERROR})


class TalkControl(QObject):
    """Turns presses of the button, of its shortcut and of Space into what the conversation is asked.

    Hands-free: a press opens or closes the microphone. Push-to-talk: the turn lasts as long as the press.
    Toggle: one press begins the turn, the next ends it.

    Attributes:
        mode: As in the settings.

    Signals:
        microphone_requested: The microphone is to be opened (True) or closed.
        talk_requested: A turn begins (True) or ends by hand.
        talking_changed: Whether a turn that began by hand goes on.
    """

    microphone_requested = Signal(bool)
    talk_requested = Signal(bool)
    talking_changed = Signal(bool)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.mode: MicrophoneMode = "hands-free"
        self._microphone_on = False
        self._talking = False
        self._held_anywhere = False

    @property
    def talking(self) -> bool:
        """Whether a turn that began by hand goes on."""
        return self._talking

    def set_mode(self, mode: MicrophoneMode) -> None:
        """Use another mode; a turn that goes on ends."""
        if mode != self.mode:
            self._end()
            self.mode = mode

    def set_microphone(self, on: bool) -> None:
        """Take note that the microphone was opened or closed."""
        self._microphone_on = on
        if not on:
            self._set_talking(False)

    def set_state(self, state: State) -> None:
        """Take note of a state in which nothing is being said any more."""
        if state in _TURN_IS_OVER:
            self._set_talking(False)

    def press(self) -> None:
        """The button or Space went down."""
        if self.mode == "push-to-talk" and not self._talking:
            self._set_talking(True)
            self.talk_requested.emit(True)

    def release(self) -> None:
        """The button or Space came up, or the window lost the keyboard."""
        if self.mode == "push-to-talk" and not self._held_anywhere:
            self._end()

    def hold(self, down: bool) -> None:
        """A key that works in every window went down or came up: it needs no keyboard in ours."""
        self._held_anywhere = down
        if self.mode != "push-to-talk":
            if down:
                self.activate()
        elif down:
            self.press()
        else:
            self.release()

    def activate(self) -> None:
        """The button was clicked, or its shortcut pressed: both have no length."""
        match self.mode:
            case "hands-free":
                self.toggle_microphone()
            case "toggle" if self._talking:
                self._end()
            case "toggle":
                self._set_talking(True)
                self.talk_requested.emit(True)
            case _:
                pass  # push-to-talk lives from `press` and `release`

    def switch(self) -> None:
        """Begin or end to listen with one key, whatever the mode: for shortcuts and other programs."""
        if self.mode == "push-to-talk":
            if self._talking:
                self.release()
            else:
                self.press()
        else:
            self.activate()

    def toggle_microphone(self) -> None:
        """Open or close the microphone."""
        self.microphone_requested.emit(not self._microphone_on)

    def _end(self) -> None:
        if self._talking:
            self._set_talking(False)
            self.talk_requested.emit(False)

    def _set_talking(self, talking: bool) -> None:
        if talking != self._talking:
            self._talking = talking
            self.talking_changed.emit(talking)
