"""Does what the user asks of a turn: answer again, edit, delete."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from s2s_desktop.conversation.commands import Commands
from s2s_desktop.ui.conversation_view import ConversationView
from s2s_desktop.ui.form.question import ask


class MessageActions(QObject):
    """Hands the wishes to the conversation; what cannot be undone is asked for once more.

    Attributes:
        question: The question that is open, or was last.
    """

    def __init__(self, view: ConversationView, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._commands: Commands | None = None
        self.question: QMessageBox | None = None
        view.edit_requested.connect(self._edit)
        view.regenerate_requested.connect(self._regenerate)
        view.delete_requested.connect(self._confirm_delete)

    def connect_to(self, commands: Commands) -> None:
        """Ask this conversation from now on."""
        self._commands = commands

    def _edit(self, turn: int, text: str) -> None:
        if self._commands is not None:
            self._commands.edit_and_resend(turn, text)

    def _regenerate(self) -> None:
        if self._commands is not None:
            self._commands.regenerate()

    def _confirm_delete(self, turn: int) -> None:
        self.question = ask(
            self._window,
            self.tr("Delete your message and the answer to it for good?"),
            self.tr("The assistant forgets them too."),
            self.tr("Delete"),
            lambda: self._delete(turn),
            title=self.tr("Delete this turn"),
        )

    def _delete(self, turn: int) -> None:
        if self._commands is not None:
            self._commands.delete_turn(turn)
