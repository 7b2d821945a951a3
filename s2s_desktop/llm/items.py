"""The items of a conversation as both backends serialize them."""

from __future__ import annotations

from dataclasses import dataclass, field

from s2s_desktop.llm.events import ToolCall


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text of a user message."""

    text: str


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image of a user message.

    Attributes:
        url: A `data:` or `https:` URL.
        detail: `auto`, `low` or `high`.
    """

    url: str
    detail: str = "auto"


@dataclass(frozen=True, slots=True)
class AudioPart:
    """Speech sent to a model that hears, instead of a transcript.

    Attributes:
        wav: A whole WAV file, 16 kHz mono 16-bit.
    """

    wav: bytes = field(repr=False)


UserPart = TextPart | ImagePart | AudioPart


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """Instructions ahead of the conversation."""

    text: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the user said, typed or showed."""

    parts: tuple[UserPart, ...]

    @classmethod
    def of(cls, text: str) -> UserMessage:
        """Return a message of text alone."""
        return cls((TextPart(text),))


@dataclass(frozen=True, slots=True)
class AssistantText:
    """What the assistant said. After an interruption: what the user heard of it.

    Attributes:
        text: The text, never empty.
        interrupted: Whether the user cut it off.
    """

    text: str
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """The result of a tool call, or what went wrong with it."""

    call_id: str
    output: str


Item = SystemMessage | UserMessage | AssistantText | ToolCall | ToolOutput
