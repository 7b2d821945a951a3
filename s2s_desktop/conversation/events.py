"""Every event an observer can receive: the vocabulary of the stages and of the session, in one place.

Events reach an observer together with the turn they belong to (`TurnId`), or None where there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from s2s_desktop.audio.level import MicLevel
from s2s_desktop.conversation.state import State
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.events import (
    AssistantMessage,
    FinishReason,
    ReasoningDelta,
    ReplyFinished,
    TextDelta,
    ToolCall,
    Usage,
)
from s2s_desktop.stt.protocol import FinalTranscript, PartialTranscript
from s2s_desktop.tts.protocol import VoiceChunk
from s2s_desktop.vad.events import SpeechDiscarded, SpeechSegment, SpeechStarted

if TYPE_CHECKING:  # the records hold usage and metrics, which are events
    from s2s_desktop.conversation.store.records import Compaction, Conversation, SavedTurn


class TurnId(NamedTuple):
    """Identifies a turn and how often it was reopened; results of an older one are dropped."""

    number: int
    revision: int = 0

    @property
    def reopened(self) -> TurnId:
        """The same turn once the user goes on with it."""
        return self._replace(revision=self.revision + 1)


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The session moved to another state."""

    state: State


@dataclass(frozen=True, slots=True)
class MicrophoneChanged:
    """The microphone was switched on or off, or was lost.

    Attributes:
        on: Whether it is listening.
        problem: Why it is off when the user did not ask for it, with what to do; "" otherwise.
    """

    on: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class TurnReopened:
    """The user went on speaking before the turn was answered: it is listened to again.

    What was shown of the turn but for its caption is taken back; its next transcript holds everything. The
    turn keeps its number and has the next revision.
    """


@dataclass(frozen=True, slots=True)
class VoicePaused:
    """The user seems to speak into the reply: the voice is held until it is clear whether words were meant.

    Attributes:
        paused: False when the voice goes on (a cough, an "mm-hm").
    """

    paused: bool


@dataclass(frozen=True, slots=True)
class TurnRemoved:
    """A turn was taken out of the conversation (deleted, or replaced by an edited or regenerated one).

    Attributes:
        turn: Its number.
    """

    turn: int


@dataclass(frozen=True, slots=True)
class TypedMessage:
    """The user typed instead of speaking."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool ran (or refused); `output` is what the model is told."""

    call_id: str
    name: str
    output: str


@dataclass(frozen=True, slots=True)
class SpokenProgress:
    """How much of the reply's speakable text has been heard.

    Attributes:
        text: Everything heard so far in this turn.
        finished: The voice said all there was.
    """

    text: str
    finished: bool = False


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The turn ended in an error; what arrived before it stays."""

    error: AssistantError


@dataclass(frozen=True, slots=True)
class TurnMetrics:
    """Where the time of a turn went, in seconds from the end of the user's speech in the audio.

    None where the turn did not get that far; for a typed turn the clock starts when it is sent.

    Attributes:
        end_of_turn: The turn was decided.
        stt_final: The transcript was there.
        llm_first_token: The first text of the reply.
        tts_first_audio: The first voice samples were synthesized.
        voice_to_voice: The first voice sample was handed to the speaker.
    """

    end_of_turn: float | None = None
    stt_final: float | None = None
    llm_first_token: float | None = None
    tts_first_audio: float | None = None
    voice_to_voice: float | None = None


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """Nothing more will come for this turn (answered, empty, failed or stopped)."""

    metrics: TurnMetrics


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the user that is no failure of a turn."""

    text: str


@dataclass(frozen=True, slots=True)
class ModelProgress:
    """A model is being fetched or loaded.

    Attributes:
        title: For people, for example "Whisper base (speech recognition)".
        done_bytes: Bytes so far; equals `total_bytes` when complete.
        total_bytes: 0 when unknown.
        text: What is happening, in words; "" when done.
        error: Why it stopped, with what to do; "" otherwise.
    """

    title: str
    done_bytes: int = 0
    total_bytes: int = 0
    text: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Readiness:
    """Which parts of the assistant work by now.

    Attributes:
        hearing: Speech can be transcribed.
        voice: Replies can be spoken.
        llm: A language model can be asked.
        model_name: The language model in use, for people, for example "Built-in · SmolLM2 135M".
        trial_model: The model in use is the small trial model.
        llm_failed: No language model can be asked, and none is on its way.
    """

    hearing: bool
    voice: bool
    llm: bool
    model_name: str = ""
    trial_model: bool = False
    llm_failed: bool = False


@dataclass(frozen=True, slots=True)
class ConversationsChanged:
    """The list of saved conversations may look different.

    Attributes:
        conversation_id: The only one that changed; "" when it may be any.
    """

    conversation_id: str = ""


@dataclass(frozen=True, slots=True)
class ConversationOpened:
    """Another conversation takes the place of the one that was shown.

    Attributes:
        conversation: None for a new one, which is saved with its first turn.
        turns: Turns of it, oldest first: the newest, or those around `turn`.
        more: There are earlier turns (`Conversations.earlier`).
        later: There are later turns too, because `turn` is far back.
        summary: Stands for older turns when the language model is asked; None when nothing does.
        turn: Number of the turn to show; None shows the end.
    """

    conversation: Conversation | None
    turns: tuple[SavedTurn, ...] = ()
    more: bool = False
    later: bool = False
    summary: Compaction | None = None
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """Other settings are in use from now on (`Preferences.settings`)."""


@dataclass(frozen=True, slots=True)
class SummaryChanged:
    """A summary stands for the older turns of the conversation from now on, or (None) no longer."""

    summary: Compaction | None


Event = (
    MicLevel
    | SpeechStarted
    | SpeechDiscarded
    | SpeechSegment
    | PartialTranscript
    | FinalTranscript
    | TypedMessage
    | TurnReopened
    | TurnRemoved
    | VoicePaused
    | TextDelta
    | ReasoningDelta
    | ToolCall
    | ToolResult
    | Usage
    | AssistantMessage
    | ReplyFinished
    | VoiceChunk
    | SpokenProgress
    | StateChanged
    | MicrophoneChanged
    | TurnFailed
    | TurnFinished
    | Notice
    | ModelProgress
    | Readiness
    | ConversationsChanged
    | ConversationOpened
    | SettingsChanged
    | SummaryChanged
)

Observer = Callable[[TurnId | None, Event], None]
"""Called on the event loop, in order. It must return soon."""

__all__ = [
    "AssistantError",
    "AssistantMessage",
    "ConversationOpened",
    "ConversationsChanged",
    "ErrorKind",
    "Event",
    "FinalTranscript",
    "FinishReason",
    "MicLevel",
    "MicrophoneChanged",
    "ModelProgress",
    "Notice",
    "Observer",
    "PartialTranscript",
    "Readiness",
    "ReasoningDelta",
    "ReplyFinished",
    "SettingsChanged",
    "SpeechDiscarded",
    "SpeechSegment",
    "SpeechStarted",
    "SpokenProgress",
    "State",
    "StateChanged",
    "SummaryChanged",
    "TextDelta",
    "ToolCall",
    "ToolResult",
    "TurnFailed",
    "TurnFinished",
    "TurnId",
    "TurnMetrics",
    "TurnRemoved",
    "TurnReopened",
    "TypedMessage",
    "Usage",
    "VoiceChunk",
    "VoicePaused",
]
