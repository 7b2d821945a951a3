"""Asks a backend in tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.backend import HttpBackend
from s2s_desktop.llm.chat_completions import ChatCompletionsBackend
from s2s_desktop.llm.config import Timeouts, ToolSpec
from s2s_desktop.llm.events import LLMEvent, ReplyFinished, TextDelta
from s2s_desktop.llm.items import Item, UserMessage
from s2s_desktop.llm.responses import ResponsesBackend
from s2s_desktop.llm.stream.chat_reader import ChatReader
from s2s_desktop.llm.stream.reader import ReplyReader
from s2s_desktop.llm.stream.reply_body import ReplyBody
from s2s_desktop.llm.stream.reply_builder import ReplyBuilder
from s2s_desktop.llm.stream.responses_reader import ResponsesReader

BACKENDS: dict[str, type[HttpBackend]] = {
    "responses-api": ResponsesBackend,
    "chat-completions": ChatCompletionsBackend,
}
READERS: dict[str, Callable[[ReplyBuilder], ReplyReader]] = {
    "responses-api": ResponsesReader,
    "chat-completions": ChatReader,
}
QUICK = Timeouts(connect=5.0, first_token=5.0, idle=5.0)
HELLO: tuple[Item, ...] = (UserMessage.of("Hello"),)


async def collect(
    backend: HttpBackend, items: Sequence[Item] = HELLO, tools: Sequence[ToolSpec] = ()
) -> list[LLMEvent]:
    """Return all events of one reply."""
    return [event async for event in backend.reply(items, tools)]


def text_of(events: Sequence[LLMEvent]) -> str:
    """Return the text of a reply."""
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def end_of(events: Sequence[LLMEvent]) -> ReplyFinished:
    """Return the last event, and make sure that it is the only one of its kind."""
    ends = [event for event in events if isinstance(event, ReplyFinished)]
    assert len(ends) == 1
    assert events[-1] is ends[0]
    return ends[0]


def error_of(events: Sequence[LLMEvent], kind: ErrorKind) -> AssistantError:
    """Return the error of a reply that must have failed in a certain way."""
    error = end_of(events).error
    assert error is not None, "the reply did not fail"
    assert error.kind is kind, f"{error.kind}: {error.message} / {error.details}"
    return error


def read_stream(backend: str, body: bytes, cuts: Sequence[int] = ()) -> list[LLMEvent]:
    """Return what a reader makes of a body that arrives in slices, without any network.

    Failures that a reply reports, and ends without an end marker, are left to the caller.
    """
    builder = ReplyBuilder(new_call_id=iter(f"made_up_{n}" for n in range(100)).__next__)
    reader = READERS[backend](builder)
    reply = ReplyBody()
    edges = [0, *sorted(cut % (len(body) + 1) for cut in cuts), len(body)]
    for start, end in pairwise(edges):
        for payload in reply.feed(body[start:end]):
            reader.read(payload)
    for payload in reply.close():
        reader.read(payload)
    reader.end()
    return builder.take()
