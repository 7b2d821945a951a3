"""What the window and the command line can ask of the conversation."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from s2s_desktop.conversation.events import Observer, Usage
from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.conversation.store.records import Conversation, SavedTurn
from s2s_desktop.conversation.store.searching import SearchHit


class Commands(Protocol):
    """The session as its observers see it. Called on the event loop; nothing blocks."""

    def add_observer(self, observer: Observer) -> None:
        """Send every event from now on to `observer`."""

    def send_text(self, text: str) -> None:
        """Begin a turn with a typed message. Interrupts a reply that is under way."""

    def set_microphone(self, on: bool) -> None:
        """Listen, or stop listening. Failure to open the device arrives as `MicrophoneChanged`."""

    def push_to_talk(self, pressed: bool) -> None:
        """Begin (True) or end (False) a turn by hand, in the modes push-to-talk and toggle.

        Everything said between the two is one turn, with a little before and after. Pressing interrupts a
        reply and opens the microphone if it is closed. Ignored in the mode hands-free.
        """

    def stop_reply(self) -> None:
        """Silence the voice and end the reply at once; listening goes on if it was on."""

    def regenerate(self) -> None:
        """Answer the last message of the user anew; the answer before is taken back (`TurnRemoved`)."""

    def edit_and_resend(self, turn: int, text: str) -> None:
        """Take back turn number `turn` and all that followed, and send `text` in its place."""

    def delete_turn(self, turn: int) -> None:
        """Take turn number `turn` out of the conversation, of what is saved and of what the model is sent."""

    def fetch_better_model(self) -> None:
        """Download the recommended language model and use it from then on; progress arrives as events."""


class Conversations(Protocol):
    """The saved conversations as the window sees them. Called on the event loop; nothing blocks it.

    What changes the list is told to the observers as `ConversationsChanged`, what shows another conversation
    as `ConversationOpened`. Every method raises AssistantError with a sentence for the user.
    """

    @property
    def conversation_id(self) -> str:
        """The conversation that the next turn is saved into; it is in the list after its first turn."""

    @property
    def keeps(self) -> bool:
        """Whether anything is saved."""

    async def page(self, *, limit: int, offset: int = 0) -> list[Conversation]:
        """Return conversations: the pinned ones, then the others, each the newest first."""

    async def current(self) -> Conversation | None:
        """Return the conversation in use; None while nothing of it is saved."""

    async def conversation(self, conversation_id: str) -> Conversation | None:
        """Return one conversation; None when it is not there (any more)."""

    async def search(self, query: str) -> list[SearchHit]:
        """Find titles and messages that hold all words of `query`."""

    async def open(self, conversation_id: str, turn: int | None = None) -> None:
        """Go on with a conversation; a reply that is under way ends first.

        Args:
            conversation_id: Of the conversation.
            turn: Number of a turn to show; None shows the end.
        """

    async def earlier(self, conversation_id: str, before: int, limit: int) -> tuple[SavedTurn, ...]:
        """Return the turns before the one with the number `before`, oldest first."""

    async def new(self) -> None:
        """Begin a new conversation; a reply that is under way ends first."""

    async def rename(self, conversation_id: str, title: str) -> None:
        """Give a conversation the title that the user wrote."""

    async def pin(self, conversation_id: str, pinned: bool) -> None:
        """Keep a conversation at the top, or no longer."""

    async def delete(self, conversation_id: str) -> None:
        """Delete a conversation; for a minute it can be had back. The one in use makes way for a new one."""

    async def undo_delete(self, conversation_id: str) -> None:
        """Bring a deleted conversation back."""

    async def export(self, conversation_id: str | None, export_format: ExportFormat, target: Path) -> int:
        """Write one conversation (or all: None) and return how many were written.

        Args:
            conversation_id: Of the conversation; None exports all, see `export.archive.export_all`.
            export_format: Of the documents.
            target: The file; for all also an archive or a folder.
        """

    async def import_file(self, source: Path) -> int:
        """Add the conversations of a JSON export and return how many were new."""

    async def wipe(self) -> None:
        """Remove everything that was ever kept, for good."""

    async def keep(self, on: bool) -> None:
        """Save conversations from now on (or nothing any more) and remember that in the settings."""

    async def usage(self, conversation_id: str | None = None) -> Usage:
        """Return the tokens of a conversation, or of all."""

    async def undo_summary(self) -> None:
        """Take the newest summary of the conversation in use back: the model is sent the turns again."""
