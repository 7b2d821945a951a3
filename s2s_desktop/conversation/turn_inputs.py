"""What happens to a conversation: everything the turn controller is told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from s2s_desktop.conversation.events import TurnId
from s2s_desktop.errors import AssistantError
from s2s_desktop.stt.protocol import FinalTranscript
from s2s_desktop.vad.events import VadEvent


class Timer(StrEnum):
    """Why the controller wants to be called again."""

    WORDS = "words"
    """Somebody speaks over the voice: look for words in what was said so far."""
    GIVE_UP = "give up"
    """No words came: the voice goes on."""
    ASK_ANYWAY = "ask anyway"
    """The user is silent in the middle of a sentence, and may say no more."""
    ECHO_TAIL = "echo tail"
    """The room has fallen silent after the voice."""


@dataclass(frozen=True, slots=True)
class MicrophoneSwitched:
    """The microphone listens from now on, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class Heard:
    """A VAD event and when it was true.

    Attributes:
        event: What was heard.
        speech_ended_at: `time.monotonic()` at which the last speech sample was captured; for events without
            an end of speech, when the event's block was captured.
    """

    event: VadEvent
    speech_ended_at: float


@dataclass(frozen=True, slots=True)
class Typed:
    """The user sent a typed message; `text` says something."""

    text: str


@dataclass(frozen=True, slots=True)
class StopPressed:
    """The user wants silence."""


@dataclass(frozen=True, slots=True)
class TalkPressed:
    """The user pressed the key to talk: that is an interruption, whatever is said then."""


@dataclass(frozen=True, slots=True)
class Transcribed:
    """A transcription is done.

    Attributes:
        job: Of the `Transcribe` command.
        transcript: Empty text when no words were heard.
    """

    job: int
    transcript: FinalTranscript


@dataclass(frozen=True, slots=True)
class TranscriptionFailed:
    """A transcription cannot be had."""

    job: int
    error: AssistantError


@dataclass(frozen=True, slots=True)
class VoiceBegan:
    """The first sound of a reply was handed to the speaker."""

    turn: TurnId


@dataclass(frozen=True, slots=True)
class ReplyEnded:
    """A reply was received and heard to its end, or failed with `error`."""

    turn: TurnId
    error: AssistantError | None = None


@dataclass(frozen=True, slots=True)
class TimerExpired:
    """The time of a `StartTimer` command is over."""

    timer: Timer


TurnInput = (
    MicrophoneSwitched
    | Heard
    | Typed
    | StopPressed
    | TalkPressed
    | Transcribed
    | TranscriptionFailed
    | VoiceBegan
    | ReplyEnded
    | TimerExpired
)
