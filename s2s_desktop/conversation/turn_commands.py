"""What the turn controller wants done. The session carries these out, in order, without deciding anything."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_desktop.audio.protocol import Samples
from s2s_desktop.conversation.events import Event, TurnId
from s2s_desktop.conversation.metrics import TurnClock
from s2s_desktop.conversation.state import State
from s2s_desktop.conversation.turn_inputs import Timer


@dataclass(frozen=True, slots=True)
class ChangeState:
    """The conversation is in another state."""

    state: State


@dataclass(frozen=True, slots=True)
class Publish:
    """Tell the observers."""

    event: Event
    turn: TurnId | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Transcribe:
    """Find out what was said; answered with `Transcribed` or `TranscriptionFailed`.

    Attributes:
        job: A number of its own.
        audio: The speech.
        still_wanted: Jobs of earlier parts of the same turn; what other older jobs find is dropped.
    """

    job: int
    audio: Samples
    still_wanted: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class LookForWords:
    """Make a quick draft of what is being said right now; answered with `Transcribed`."""

    job: int


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """Ask the language model and speak its reply; answered with `VoiceBegan` and `ReplyEnded`.

    Attributes:
        turn: The turn that is answered.
        text: What the user said or typed; "" where `audio` says it.
        audio: The speech itself, for a model that hears; None sends `text`.
        language: ISO 639-1 code of what was heard; "" when unknown or typed.
        held: The turn is not decided: nothing may be shown, spoken or done by tools until `Release`.
        clock: Takes the times of this turn.
    """

    turn: TurnId
    text: str
    audio: Samples | None
    language: str
    held: bool
    clock: TurnClock


@dataclass(frozen=True, slots=True)
class Release:
    """The turn of a held reply is decided: show it and speak it."""

    turn: TurnId


@dataclass(frozen=True, slots=True)
class Drop:
    """End a reply as if the question had never been asked: the user went on speaking."""

    turn: TurnId


@dataclass(frozen=True, slots=True)
class Interrupt:
    """End a reply; the history keeps what was heard of it."""

    turn: TurnId


@dataclass(frozen=True, slots=True)
class FinishTurn:
    """Nothing more comes for a turn: publish `TurnFinished` as soon as its reply has let go of everything.

    Attributes:
        turn: The turn.
        clock: Holds its times.
    """

    turn: TurnId
    clock: TurnClock


@dataclass(frozen=True, slots=True)
class PauseVoice:
    """Hold the voice where it is."""


@dataclass(frozen=True, slots=True)
class ResumeVoice:
    """Let the voice go on where it was held."""


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Send `TimerExpired` after so many seconds. A timer of the same name that still runs is replaced."""

    timer: Timer
    seconds: float


@dataclass(frozen=True, slots=True)
class OpenEars:
    """Take the sound of the microphone again, as if it had just been opened."""


@dataclass(frozen=True, slots=True)
class CloseEars:
    """Drop the sound of the microphone: the voice would be heard by it."""


TurnCommand = (
    ChangeState
    | Publish
    | Transcribe
    | LookForWords
    | Ask
    | Release
    | Drop
    | Interrupt
    | FinishTurn
    | PauseVoice
    | ResumeVoice
    | StartTimer
    | OpenEars
    | CloseEars
)
