"""Does what the user asks of the conversation: send, stop, listen."""

from __future__ import annotations

from PySide6.QtCore import QObject

from s2s_desktop.conversation.commands import Commands
from s2s_desktop.conversation.events import Readiness
from s2s_desktop.ui.conversation_view import ConversationView
from s2s_desktop.ui.dock import Dock


class TalkActions(QObject):
    """Hands the wishes to the conversation.

    A message that is sent while the language model is on its way waits in its field, where it can still be
    changed, and goes out by itself.
    """

    def __init__(self, view: ConversationView, dock: Dock, parent: QObject) -> None:
        super().__init__(parent)
        self._dock = dock
        self._field = dock.field.input
        self._commands: Commands | None = None
        self._decided = False
        self._waiting = False
        view.question_chosen.connect(self._send)
        view.retry_requested.connect(self._send)
        dock.text_submitted.connect(self._send)
        dock.stop_requested.connect(self.stop)
        dock.talk.microphone_requested.connect(self._set_microphone)
        dock.talk.talk_requested.connect(self._push_to_talk)

    def connect_to(self, commands: Commands) -> None:
        """Ask this conversation from now on."""
        self._commands = commands

    def observe(self, readiness: Readiness) -> None:
        """Learn whether somebody can answer; a message that waits goes out when it is time."""
        self._decided = readiness.llm or readiness.llm_failed
        if self._can_ask and self._waiting:
            self._wait(False)
            text = self._field.take()
            if text:
                self._send(text)

    @property
    def _can_ask(self) -> bool:
        """Whether asking leads to something: an answer, or the reason why there is none."""
        return self._commands is not None and self._decided

    def stop(self) -> None:
        """End the reply that is under way, if one is."""
        if self._commands is not None and self._dock.can_stop:
            self._commands.stop_reply()

    def fetch_better_model(self) -> None:
        """Get a better model than the one for trial."""
        if self._commands is not None:
            self._commands.fetch_better_model()

    def _send(self, text: str) -> None:
        self._field.setFocus()  # an example that was clicked goes away and would pass the focus on
        if self._commands is not None and self._can_ask:
            self._commands.send_text(text)
        else:
            self._field.show_text(text)
            self._wait(True)

    def _wait(self, waiting: bool) -> None:
        self._waiting = waiting
        self._dock.set_message_waits(waiting)

    def _set_microphone(self, on: bool) -> None:
        if self._commands is not None:
            self._commands.set_microphone(on)

    def _push_to_talk(self, pressed: bool) -> None:
        if self._commands is not None:
            self._commands.push_to_talk(pressed)
