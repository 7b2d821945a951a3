"""What a language model says, in one vocabulary for both backends.

A reply is a stream of these events and always ends with exactly one `ReplyFinished`. A typical one:
`TextDelta* AssistantMessage ToolCall* Usage? ReplyFinished`. Text before and after a tool call makes two
`AssistantMessage` events, each behind the deltas it concatenates.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from s2s_desktop.errors import AssistantError


class FinishReason(StrEnum):
    """Why a reply ended."""

    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    TRUNCATED = "truncated"
    CANCELLED = "cancelled"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next characters of the answer, exactly as the model sent them (think blocks removed)."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """The model is thinking. Never shown as the answer and never spoken."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model asks for a tool.

    Attributes:
        call_id: Ties the call to its output; made up when the server sent none.
        name: The tool's name; never empty.
        arguments: A JSON text as the model wrote it; "{}" when it wrote nothing.
    """

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request as the server counted them."""

    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """A finished run of text; `content` is the concatenation of its deltas."""

    content: str


@dataclass(frozen=True, slots=True)
class ReplyFinished:
    """The last event of every reply.

    Attributes:
        reason: Why it ended.
        error: Set when the reply failed or was withheld; text that came before it stays valid.
        notice: A sentence for the user when nothing failed but something is worth saying (cut by the length
            limit, a parameter dropped). "" otherwise.
    """

    reason: FinishReason
    error: AssistantError | None = None
    notice: str = ""


LLMEvent = TextDelta | ReasoningDelta | ToolCall | Usage | AssistantMessage | ReplyFinished
