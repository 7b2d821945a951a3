"""What is known about a saved conversation; also the document that JSON exports hold.

Times are milliseconds since 1970-01-01 UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from s2s_desktop.conversation.events import TurnMetrics, Usage
from s2s_desktop.errors import ErrorKind

LAST_MOMENT = 253_402_300_799_999
"""The end of the year 9999: the last moment that calendars of common libraries know."""

MOST_TOKENS = 2**53
"""The largest count that every JSON reader keeps exactly."""

Moment = Annotated[int, Field(ge=0, le=LAST_MOMENT)]
Number = Annotated[int, Field(ge=1, le=2**31)]
ConversationId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]


class Role(StrEnum):
    """Who a message is from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class TitleSource(StrEnum):
    """Where a title comes from. One that the user chose is never replaced."""

    WORDS = "words"
    MODEL = "model"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as lists show it.

    Attributes:
        id: Made up when the conversation begins; the same in exports and on other machines.
        title: One line; "" while nothing has been said that could name it.
        title_source: Where the title comes from.
        created_at: When it began.
        updated_at: When it was last spoken or written in.
        pinned: Kept at the top by the user.
        profile: Name of the profile that answers its next turn.
        persona: Name of the persona; "" for none.
        language: ISO 639-1 code last heard; "" when unknown.
    """

    id: ConversationId
    title: str
    title_source: TitleSource
    created_at: Moment
    updated_at: Moment
    pinned: bool = False
    profile: str = ""
    persona: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool the model asked for; `output` is None until it ran."""

    call_id: str
    name: str
    arguments: str
    output: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One run of text of a turn, or a tool. `tool` is set for the role TOOL, whose text is ""."""

    role: Role
    text: str = ""
    tool: ToolUse | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a turn failed, as it was shown."""

    kind: ErrorKind
    message: str


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time in which somebody spoke."""

    start: Moment
    end: Moment


@dataclass(frozen=True, slots=True)
class SavedTurn:
    """A turn: what the user said and everything that came of it.

    Attributes:
        number: Position in the conversation, from 1; numbers only grow.
        created_at: When the user's words were known.
        messages: The user's message first, then text and tools of the reply in their order.
        spoken: The user spoke; False when typed.
        voiced: The reply was (to be) read aloud.
        heard: The speakable text that was heard of the reply; "" where nothing speaks.
        interrupted: The user cut the reply off.
        finished: False when the app ended in the middle of the turn (or it is still going on).
        failure: Why the turn failed.
        notice: A sentence about the reply that is no failure.
        profile: Name of the profile that answered.
        language: ISO 639-1 code that was heard; "" when unknown.
        usage: Tokens of all requests of the turn; None when the server did not count.
        metrics: Where the time went.
        speech: When the user spoke.
        voice: When the reply was read aloud.
    """

    number: Number
    created_at: Moment
    messages: tuple[Message, ...]
    spoken: bool = False
    voiced: bool = False
    heard: str = ""
    interrupted: bool = False
    finished: bool = True
    failure: Failure | None = None
    notice: str = ""
    profile: str = ""
    language: str = ""
    usage: Usage | None = None
    metrics: TurnMetrics | None = None
    speech: Span | None = None
    voice: Span | None = None

    @property
    def user_text(self) -> str:
        """What the user said or typed; "" when it is not known."""
        return next((message.text for message in self.messages if message.role is Role.USER), "")

    @property
    def reply_text(self) -> str:
        """Everything the assistant wrote in this turn."""
        return "\n\n".join(m.text for m in self.messages if m.role is Role.ASSISTANT and m.text)


@dataclass(frozen=True, slots=True)
class Compaction:
    """A summary that the language model is sent in place of the turns up to a number. The turns stay.

    Attributes:
        through_turn: Number of the last turn that the summary stands for.
        user_summary: What the user said and wants.
        assistant_summary: What the assistant answered.
        created_at: When it was made.
        undone: The user took it back; the model is sent the turns again.
    """

    through_turn: Number
    user_summary: str
    assistant_summary: str
    created_at: Moment
    undone: bool = False


@dataclass(frozen=True, slots=True)
class WholeConversation:
    """A conversation with everything that is said in it, oldest first."""

    conversation: Conversation
    turns: tuple[SavedTurn, ...]
    compactions: tuple[Compaction, ...] = ()
