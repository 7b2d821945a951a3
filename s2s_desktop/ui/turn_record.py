"""What is known about one turn: the truth behind its row in the window."""

from __future__ import annotations

from dataclasses import dataclass, field

from s2s_desktop.conversation.events import (
    AssistantError,
    AssistantMessage,
    Event,
    FinalTranscript,
    FinishReason,
    ReplyFinished,
    SpokenProgress,
    State,
    StateChanged,
    TextDelta,
    ToolCall,
    ToolResult,
    TurnFailed,
    TurnFinished,
    TurnMetrics,
    TurnReopened,
    TypedMessage,
    Usage,
    VoiceChunk,
)


@dataclass(slots=True)
class TextRun:
    """Text of the reply between tool calls.

    Attributes:
        closed: No more text comes for this run.
        length: Characters that have arrived.
    """

    closed: bool = False
    length: int = 0
    _pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Everything that has arrived."""
        if len(self._pieces) > 1:
            self._pieces[:] = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def add(self, text: str) -> None:
        """Take the next characters."""
        if text:
            self._pieces.append(text)
            self.length += len(text)


@dataclass(slots=True)
class ToolUse:
    """A tool the model asked for; `output` is None until it ran."""

    call_id: str
    name: str
    arguments: str
    output: str | None = None


@dataclass(slots=True)
class TurnRecord:
    """One turn as it has come so far.

    Attributes:
        number: Of the turn.
        began_at: When it was first heard of, in milliseconds since 1970; 0 when that is not known.
        revision: How often it was reopened.
        user_text: What the user said or typed; "" when it is not known.
        parts: Text and tools of the reply in their order.
        heard: What was spoken of the reply.
        interrupted: The user cut the reply off.
        error: Why the turn failed.
        notice: A sentence about the reply that is no failure.
        metrics: Where the time went, when the turn is over.
        usage: Tokens of the last request.
        finished: Nothing more will come.
    """

    number: int
    revision: int = 0
    began_at: int = 0
    user_text: str = ""
    parts: list[TextRun | ToolUse] = field(default_factory=list)
    heard: str = ""
    interrupted: bool = False
    error: AssistantError | None = None
    notice: str = ""
    metrics: TurnMetrics | None = None
    usage: Usage | None = None
    finished: bool = False
    _replied: bool = False
    _voice: bool = False
    _voice_finished: bool = False

    @property
    def reply_text(self) -> str:
        """The whole reply as the model wrote it."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, TextRun) and part.text)

    @property
    def written(self) -> int:
        """How many characters of the reply have arrived."""
        return sum(part.length for part in self.parts if isinstance(part, TextRun))

    @property
    def has_content(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.user_text or self.parts or self.error or self.notice)

    @property
    def being_spoken(self) -> bool:
        """Whether the voice is on its way through the reply."""
        return bool(self.heard) and not self._voice_finished and not self.finished

    @property
    def is_waiting(self) -> bool:
        """Whether the reply has been asked for and nothing of it is there yet."""
        return bool(self.user_text) and not self.parts and not self._replied and not self.finished

    def reopen(self, revision: int) -> None:
        """Begin again: the user went on talking, so the reply to the first half is void."""
        self.revision = revision
        self.parts = []
        self.heard = self.notice = ""
        self.interrupted = self.finished = False
        self._replied = self._voice = self._voice_finished = False
        self.error = None
        self.metrics = None
        self.usage = None

    def apply(self, event: Event) -> None:
        """Take an event of this turn. What has no place in its row is passed over."""
        match event:
            case FinalTranscript(text=text) | TypedMessage(text=text):
                self.user_text = text or self.user_text
            case TurnReopened():
                self.user_text = ""
            case TextDelta(text=text):
                self._open_run().add(text)
            case AssistantMessage(content=content):
                run = self._open_run()
                run.add(content if not run.text else "")
                run.closed = True
            case ToolCall(call_id=call_id, name=name, arguments=arguments):
                self._close_run()
                self.parts.append(ToolUse(call_id, name, arguments))
            case ToolResult(call_id=call_id, output=output):
                for part in self.parts:
                    if isinstance(part, ToolUse) and part.call_id == call_id:
                        part.output = output
            case Usage():
                self.usage = event
            case ReplyFinished(reason=reason, error=error, notice=notice):
                self._close_run()
                self._replied = True
                self.notice = notice
                self.error = error or self.error
                self.interrupted |= reason is FinishReason.CANCELLED
            case VoiceChunk():
                self._voice = True
            case SpokenProgress(text=text, finished=finished):
                self.heard, self._voice_finished = text, finished
            case TurnFailed(error=failure):
                self.error = failure
            case StateChanged(state=State.INTERRUPTED):
                self.interrupted |= not self.finished
            case TurnFinished(metrics=metrics):
                self._finish(metrics)

    def _finish(self, metrics: TurnMetrics) -> None:
        self._close_run()
        self.metrics = metrics
        self.finished = True
        cut_off = not self._replied or (self._voice and not self._voice_finished)
        self.interrupted |= cut_off and self.error is None and bool(self.user_text)

    def _open_run(self) -> TextRun:
        last = self.parts[-1] if self.parts else None
        if isinstance(last, TextRun) and not last.closed:
            return last
        run = TextRun()
        self.parts.append(run)
        return run

    def _close_run(self) -> None:
        if self.parts and isinstance(self.parts[-1], TextRun):
            self.parts[-1].closed = True
