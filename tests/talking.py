"""A whole engine in conversation with a language model that tells stories, for tests and benchmarks.

The devices are those that PortAudio finds (see `virtual_audio`); speech detection, recognition and voice are
real. The language model is a server of our own on loopback.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from s2s_desktop.conversation.events import (
    Event,
    MicLevel,
    PartialTranscript,
    SpokenProgress,
    State,
    StateChanged,
    TextDelta,
    TurnId,
    VoiceChunk,
)
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Profile, Settings

E = TypeVar("E")

_FREQUENT = (MicLevel, PartialTranscript, SpokenProgress, TextDelta, VoiceChunk)

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


class Storyteller:
    """An OpenAI-compatible server that tells a story and knows when nobody listens any more.

    Attributes:
        story: What is told from the next first token on.
        tokens_a_second: How fast it streams.
        may_begin: Clear to keep the first token back.
        requests: The messages of every request.
        closed: When the client closed a connection before the end (`time.monotonic()`), oldest first.
    """

    def __init__(self, story: str, tokens_a_second: float = 40.0) -> None:
        self.story = story
        self.tokens_a_second = tokens_a_second
        self.may_begin = asyncio.Event()
        self.may_begin.set()
        self.requests: list[list[dict[str, str]]] = []
        self.closed: list[float] = []

    @property
    def questions(self) -> list[str]:
        """What was asked, oldest first."""
        return [messages[-1]["content"] for messages in self.requests]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request."""
        try:
            await self._answer(reader, writer)
        except asyncio.IncompleteReadError:
            pass  # the user went on speaking before anything was asked
        finally:
            with suppress(ConnectionError):
                writer.close()
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(
            int(line.split(":")[1]) for line in head.splitlines() if line.lower().startswith("content-length")
        )
        self.requests.append(json.loads(await reader.readexactly(length))["messages"])
        writer.write(_HEAD)
        closed = asyncio.ensure_future(reader.read())
        tale = asyncio.ensure_future(self._tell(writer))
        try:
            await asyncio.wait([closed, tale], return_when=asyncio.FIRST_COMPLETED)
            if not tale.done():
                self.closed.append(time.monotonic())
        finally:
            closed.cancel()
            tale.cancel()

    async def _tell(self, writer: asyncio.StreamWriter) -> None:
        await self.may_begin.wait()
        for word in self.story.split():
            _write(writer, {"content": f"{word} "}, None)
            await asyncio.sleep(1 / self.tokens_a_second)
        _write(writer, {}, "stop")
        writer.write(b"data: [DONE]\n\n")
        await writer.drain()


class Events:
    """Everything the session told, with the time (`time.monotonic()`)."""

    def __init__(self) -> None:
        self.seen: list[tuple[float, TurnId | None, Event]] = []
        self._arrived = asyncio.Event()

    def __call__(self, turn: TurnId | None, event: Event) -> None:
        """Take an event, as an observer does."""
        self.seen.append((time.monotonic(), turn, event))
        self._arrived.set()

    async def until(self, holds: Callable[[], object], what: str, limit_s: float = 90.0) -> None:
        """Return as soon as something holds, looked at after every event.

        Raises:
            TimeoutError: It does not come to hold; names `what`.
        """
        try:
            async with asyncio.timeout(limit_s):
                while not holds():
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError as error:
            told = [each[1:] for each in self.seen if not isinstance(each[2], _FREQUENT)][-30:]
            raise TimeoutError(f"never happened: {what}; told last: {told}") from error

    def since(self, start: float, kind: type[E]) -> list[E]:
        """Return the events of a kind from a moment on."""
        return [event for at, _, event in self.seen if at >= start and isinstance(event, kind)]

    def last(self, event: Event) -> float:
        """Return when an event like this one was told last."""
        return next(at for at, _, each in reversed(self.seen) if each == event)


class Talk:
    """An engine whose microphone is on, and everything about it."""

    def __init__(self, engine: Engine, teller: Storyteller, events: Events) -> None:
        self.engine = engine
        self.teller = teller
        self.events = events


@asynccontextmanager
async def talking(story: str, barge_in: str) -> AsyncIterator[Talk]:
    """Run an engine over the devices until it listens.

    Args:
        story: What questions are answered with.
        barge_in: As in `settings.schema.AudioSettings`.
    """
    teller = Storyteller(story)
    server = await asyncio.start_server(teller.serve, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    settings = Settings()
    settings.profiles.append(
        Profile(name="story", backend="chat-completions", model="story", base_url=address)
    )
    settings.profile = "story"
    settings.audio.barge_in = barge_in  # type: ignore[assignment]
    engine = Engine(settings, find_paths(), parts=set(Part))
    events = Events()
    engine.add_observer(events)
    try:
        await engine.prepare()
        engine.set_microphone(True)
        await events.until(lambda: events.since(0.0, StateChanged), "listening")
        assert engine.session.state is State.LISTENING, events.seen
        yield Talk(engine, teller, events)
    finally:
        await engine.close()
        server.close()
        await server.wait_closed()


def _write(writer: asyncio.StreamWriter, delta: dict[str, str], finish: str | None) -> None:
    chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
    writer.write(f"data: {json.dumps(chunk)}\n\n".encode())
