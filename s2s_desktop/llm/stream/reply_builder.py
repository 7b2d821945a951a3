"""Puts what a protocol reader finds into the events of `llm/events.py`, in their order.

Both readers feed the same builder, so both backends deliver the same events for the same reply.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import NamedTuple

from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.events import (
    AssistantMessage,
    FinishReason,
    LLMEvent,
    ReasoningDelta,
    ReplyFinished,
    TextDelta,
    ToolCall,
    Usage,
)
from s2s_desktop.llm.stream import reply_errors
from s2s_desktop.llm.stream.loose_json import as_count, as_object, parse
from s2s_desktop.llm.stream.surrogates import SurrogateJoiner, join_surrogates
from s2s_desktop.llm.stream.think_blocks import Piece, ThinkBlockSplitter

MAX_REPLY_CHARACTERS = 1_000_000
"""More than a day of speech: a reply that long comes from a server that has run wild."""


class CallDraft(NamedTuple):
    """A tool call as it came over the wire; any field may be empty."""

    call_id: str
    name: str
    arguments: str


def make_call_id() -> str:
    """Return an id for a tool call whose server sent none."""
    return f"call_{uuid.uuid4().hex}"


def has_complete_arguments(arguments: str) -> bool:
    """Return whether `arguments` is the JSON text of an object."""
    return arguments.rstrip().endswith("}") and isinstance(parse(arguments), dict)


class ReplyBuilder:
    """Collects a reply; once it is finished everything else is ignored.

    Tool calls wait until text follows them or the reply ends well, because a call of a reply that fails must
    not run.

    Attributes:
        started: Something of the reply has arrived, if only a thought or a part of a tool call.
        finished: `ReplyFinished` has been made.
        notices: Sentences for `ReplyFinished.notice`.
    """

    def __init__(
        self,
        *,
        starts_inside_thought: bool = False,
        new_call_id: Callable[[], str] = make_call_id,
        max_characters: int = MAX_REPLY_CHARACTERS,
    ) -> None:
        self.started = False
        self.finished = False
        self.notices: list[str] = []
        self._splitter = ThinkBlockSplitter(starts_inside_thought)
        self._joiner = SurrogateJoiner()
        self._new_call_id = new_call_id
        self._room = max_characters
        self._events: list[LLMEvent] = []
        self._run: list[str] = []
        self._calls: list[CallDraft] = []
        self._call_ids: set[str] = set()
        self._usage: Usage | None = None
        self._answered = False
        self._thought = False

    @property
    def thought_unopened(self) -> bool:
        """Whether the model closed a think block that its template had opened."""
        return self._splitter.closed_unopened

    def take(self) -> list[LLMEvent]:
        """Return the events made since the last call."""
        events, self._events = self._events, []
        return events

    def text(self, text: str) -> None:
        """Add the next characters of the answer."""
        if not text or self.finished:
            return
        self.started = True
        self._flush_calls()
        self._add(self._splitter.feed(self._joiner.feed(text)))
        self._spend(len(text))

    def reasoning(self, text: str) -> None:
        """Add the next characters of the thoughts."""
        if not text or self.finished:
            return
        self.started = True
        self._add([Piece("thought", join_surrogates(text))])
        self._spend(len(text))

    def argument_progress(self, length: int) -> None:
        """Note that `length` more characters of a tool call arrived."""
        self.started = True
        self._spend(length)

    def call(self, call: CallDraft) -> None:
        """Add a complete tool call; one without a name is none."""
        if call.name.strip() and not self.finished:
            self.started = True
            self._calls.append(call)

    def end_message(self) -> None:
        """End the run of text: the server began another message."""
        if not self.finished:
            self._flush_text(complete=True)
            self._end_run()

    def usage(self, value: object) -> None:
        """Note the tokens in a usage object of either protocol; the last one counts."""
        counts = as_object(value)
        read = as_count(counts.get("input_tokens", counts.get("prompt_tokens")))
        written = as_count(counts.get("output_tokens", counts.get("completion_tokens")))
        if not self.finished and (read is not None or written is not None):
            self._usage = Usage(read or 0, written or 0)

    def finish(self, reason: FinishReason = FinishReason.STOP) -> None:
        """End a reply that came to its end: STOP, LENGTH or CONTENT_FILTER.

        STOP becomes TOOL_CALLS where tools were called, and an error where nothing was said or called.
        """
        if self.finished:
            return
        self._flush_text(complete=reason is FinishReason.STOP)
        if reason is FinishReason.CONTENT_FILTER:
            self._end(reason, reply_errors.withheld())
            return
        if reason is FinishReason.LENGTH:
            self._calls = [call for call in self._calls if has_complete_arguments(call.arguments)]
        self._flush_calls()
        self._end_run()
        if not self._answered and not self._call_ids:
            cut = reason is FinishReason.LENGTH
            error = reply_errors.empty(cut=cut, thought=self._thought)
            self._end(reason if cut else FinishReason.ERROR, error)
        elif reason is FinishReason.LENGTH:
            self.notices.append(reply_errors.CUT_BY_LENGTH)
            self._end(reason)
        else:
            self._end(FinishReason.TOOL_CALLS if self._call_ids else FinishReason.STOP)

    def fail(self, error: AssistantError, reason: FinishReason = FinishReason.ERROR) -> None:
        """End a reply that failed; the text so far was delivered and stays."""
        if not self.finished:
            self._flush_text(complete=False)
            self._end(reason, error)

    def _add(self, pieces: list[Piece]) -> None:
        for kind, text in pieces:
            if kind == "thought":
                self._thought = True
                self._events.append(ReasoningDelta(text))
            else:
                self._answered = self._answered or not text.isspace()
                self._run.append(text)
                self._events.append(TextDelta(text))

    def _spend(self, length: int) -> None:
        self._room -= length
        if self._room < 0:
            self.finish(FinishReason.LENGTH)

    def _flush_text(self, *, complete: bool) -> None:
        self._add(self._splitter.feed(self._joiner.close()))
        self._add(self._splitter.close(complete))

    def _end_run(self) -> None:
        content = "".join(self._run)
        self._run = []
        if not content.isspace() and content:
            self._events.append(AssistantMessage(content))

    def _flush_calls(self) -> None:
        if not self._calls:
            return
        self._flush_text(complete=True)
        self._end_run()
        for call in self._calls:
            call_id = call.call_id if call.call_id not in self._call_ids else ""
            call_id = call_id or self._new_call_id()
            self._call_ids.add(call_id)
            arguments = join_surrogates(call.arguments).strip()
            arguments = "{}" if arguments in ("", "null") else arguments
            self._events.append(ToolCall(call_id, call.name.strip(), arguments))
        self._calls = []

    def _end(self, reason: FinishReason, error: AssistantError | None = None) -> None:
        self.finished = True
        if self._usage is not None:
            self._events.append(self._usage)
        notice = "" if error else " ".join(self.notices)
        self._events.append(ReplyFinished(reason, error, notice))


def arguments_text(value: object) -> str:
    """Return tool arguments as text; some servers send the object itself."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else ""
