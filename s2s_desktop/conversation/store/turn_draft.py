"""A turn while it happens: takes the events of the session and says what there is to save."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from s2s_desktop.conversation.events import (
    AssistantError,
    AssistantMessage,
    Event,
    FinalTranscript,
    FinishReason,
    ReplyFinished,
    SpokenProgress,
    TextDelta,
    ToolCall,
    ToolResult,
    TurnFailed,
    TurnFinished,
    TurnId,
    TurnMetrics,
    TypedMessage,
    Usage,
    VoiceChunk,
)
from s2s_desktop.conversation.store.records import (
    MOST_TOKENS,
    Failure,
    Message,
    Role,
    SavedTurn,
    Span,
    ToolUse,
)
from s2s_desktop.llm.stream.surrogates import join_surrogates

_HEARD_EVERY_MS = 1000
"""How old the saved progress of the voice may be; it is on the screen only as a shade."""


class Change(IntEnum):
    """How soon what an event changed must be saved."""

    NONE = 0
    SOON = 1
    NOW = 2


@dataclass(slots=True)
class _Part:
    """A run of text of the reply, or a tool. A closed one does not grow."""

    role: Role
    pieces: list[str] = field(default_factory=list)
    tool: ToolUse | None = None
    closed: bool = False

    def message(self) -> Message:
        if len(self.pieces) > 1:
            self.pieces[:] = ["".join(self.pieces)]
        return Message(self.role, join_surrogates("".join(self.pieces)), self.tool)


class TurnDraft:
    """What is known of a turn by now.

    Args:
        turn: Its number, and how often it was reopened.
        at: When it begins, in milliseconds.
        profile: Name of the profile that is asked.
        speaks: A voice is ready to read the reply aloud.
        speech: When the user spoke.
    """

    def __init__(
        self, turn: TurnId, at: int, *, profile: str = "", speaks: bool = False, speech: Span | None = None
    ) -> None:
        self._number = turn.number
        self.created_at = at
        self.profile = profile
        self._speaks = speaks
        self.finished = False
        self._user_text = ""
        self._spoken = False
        self._language = ""
        self.begin_again(turn.revision, speech)

    def begin_again(self, revision: int, speech: Span | None) -> None:
        """Drop the reply: the user went on speaking, and what was answered to the first half is void."""
        self.revision = revision
        self.finished = False
        self._speech = speech
        self._parts: list[_Part] = []
        self._voiced = self._speaks
        self._heard = ""
        self._heard_saved_at = 0
        self._interrupted = self._replied = self._voice_began = self._voice_finished = False
        self._failure: Failure | None = None
        self._notice = ""
        self._usage: Usage | None = None
        self._metrics: TurnMetrics | None = None
        self._voice: Span | None = None

    @property
    def says_something(self) -> bool:
        """Whether the user's words are known."""
        return bool(self._user_text)

    @property
    def text_length(self) -> int:
        """Characters of the message that is being written."""
        return sum(map(len, self._parts[-1].pieces)) if self._parts else 0

    @property
    def complete(self) -> bool:
        """Whether the last message has been said to its end."""
        return self.finished or not self._parts or self._parts[-1].closed

    def saved_turn(self) -> SavedTurn:
        """Return what is to be saved."""
        user = [Message(Role.USER, self._user_text)] if self._user_text else []
        replies = [part.message() for part in self._parts]
        return SavedTurn(
            number=max(1, self._number),
            created_at=self.created_at,
            messages=(*user, *(message for message in replies if message.text or message.tool)),
            spoken=self._spoken,
            voiced=self._voiced,
            heard=self._heard,
            interrupted=self._interrupted,
            finished=self.finished,
            failure=self._failure,
            notice=self._notice,
            profile=self.profile,
            language=self._language,
            usage=self._usage,
            metrics=self._metrics,
            speech=self._speech,
            voice=self._voice,
        )

    def apply(self, event: Event, at: int) -> Change:
        """Take an event of this turn that came at a moment, in milliseconds."""
        match event:
            case TextDelta(text=text):
                self._open_run().pieces.append(text)
                return Change.SOON
            case FinalTranscript(text=text, language=language):
                self._user_text = join_surrogates(text) or self._user_text
                self._spoken, self._language = True, language
            case TypedMessage(text=text):
                self._user_text = join_surrogates(text)
            case AssistantMessage(content=content):
                run = self._open_run()
                if not run.pieces:
                    run.pieces.append(content)
                run.closed = True
            case ToolCall(call_id=call_id, name=name, arguments=arguments):
                self._close_run()
                use = ToolUse(*map(join_surrogates, (call_id, name, arguments)))
                self._parts.append(_Part(Role.TOOL, tool=use))
            case ToolResult():
                self._take_result(event)
            case Usage(input_tokens=input_tokens, output_tokens=output_tokens):
                before = self._usage or Usage(0, 0)
                self._usage = Usage(
                    _count(before.input_tokens + input_tokens), _count(before.output_tokens + output_tokens)
                )
            case ReplyFinished(reason=reason, error=error, notice=notice):
                self._close_run()
                self._replied = True
                self._notice = join_surrogates(notice)
                self._fail(error)
                self._interrupted |= reason is FinishReason.CANCELLED
            case VoiceChunk():
                return self._voice_started(at)
            case SpokenProgress(text=text, finished=finished):
                return self._voice_progressed(text, finished, at)
            case TurnFailed(error=error):
                self._fail(error)
            case TurnFinished(metrics=metrics):
                self._finish(metrics)
            case _:
                return Change.NONE
        return Change.NOW

    def _take_result(self, result: ToolResult) -> None:
        for part in self._parts:
            if part.tool is not None and part.tool.call_id == join_surrogates(result.call_id):
                use = part.tool
                part.tool = ToolUse(use.call_id, use.name, use.arguments, join_surrogates(result.output))
                part.closed = True

    def _voice_started(self, at: int) -> Change:
        self._voiced = self._voice_began = True
        if self._voice is not None:
            return Change.NONE
        self._voice = Span(at, at)
        return Change.SOON

    def _voice_progressed(self, heard: str, finished: bool, at: int) -> Change:
        self._heard, self._voice_finished = join_surrogates(heard), finished
        if self._voice is not None:
            self._voice = Span(self._voice.start, max(at, self._voice.start))
        if finished:
            return Change.NOW
        if at - self._heard_saved_at < _HEARD_EVERY_MS:
            return Change.NONE
        self._heard_saved_at = at
        return Change.SOON

    def _fail(self, error: AssistantError | None) -> None:
        if error is not None:
            self._failure = Failure(error.kind, join_surrogates(error.message))

    def _finish(self, metrics: TurnMetrics) -> None:
        self._close_run()
        self._metrics = metrics
        self.finished = True
        cut_off = not self._replied or (self._voice_began and not self._voice_finished)
        self._interrupted |= cut_off and self._failure is None and bool(self._user_text)

    def _open_run(self) -> _Part:
        last = self._parts[-1] if self._parts else None
        if last is not None and last.role is Role.ASSISTANT and not last.closed:
            return last
        run = _Part(Role.ASSISTANT)
        self._parts.append(run)
        return run

    def _close_run(self) -> None:
        if self._parts and self._parts[-1].role is Role.ASSISTANT:
            self._parts[-1].closed = True


def _count(tokens: int) -> int:
    """Keep what a server claims within what can be stored and exported."""
    return min(max(0, tokens), MOST_TOKENS)
