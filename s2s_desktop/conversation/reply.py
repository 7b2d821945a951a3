"""One reply: ask the model, run its tools, show and speak what it says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import aclosing

from s2s_desktop.conversation.events import (
    AssistantMessage,
    Event,
    FinishReason,
    Notice,
    ReasoningDelta,
    ReplyFinished,
    SpokenProgress,
    TextDelta,
    ToolCall,
    ToolResult,
    Usage,
)
from s2s_desktop.conversation.metrics import TurnClock
from s2s_desktop.conversation.speaking import Speaking
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import ToolSpec
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.protocol import LLMBackend
from s2s_desktop.llm.tools.runner import ToolRunner

MAX_TOOL_ROUNDS = 5
"""Requests that may follow tool results in one turn; a model that asks for more is going in circles."""


class Reply:
    """Streams one reply from the model into the conversation and into the voice.

    Until `release` it works ahead: what arrives is kept back, no tool runs, and the voice waits.

    Args:
        backend: The model.
        history: What it is reminded of; the turn must be open.
        system_prompt: Instructions ahead of the conversation.
        reminder: A sentence for this request only.
        tools: Runs what the model calls; None offers nothing.
        speaking: The voice; None shows the reply only.
        clock: Takes the times of the turn.
        decided: Set by `release`; the voice waits for it too.
        publish: Gets every event of the reply.
    """

    def __init__(
        self,
        *,
        backend: LLMBackend,
        history: History,
        system_prompt: str,
        reminder: str,
        tools: ToolRunner | None,
        speaking: Speaking | None,
        clock: TurnClock,
        decided: asyncio.Event,
        publish: Callable[[Event], None],
    ) -> None:
        self._backend = backend
        self._history = history
        self._system_prompt = system_prompt
        self._reminder = reminder
        self._tools = tools
        self._speaking = speaking
        self._clock = clock
        self._decided = decided
        self._publish_now = publish
        self._kept_back: list[Event] = []
        self._shown: list[str] = []

    def release(self) -> None:
        """The turn is decided: show what was kept back and go on."""
        kept_back, self._kept_back = self._kept_back, []
        self._decided.set()
        for event in kept_back:
            self._publish_now(event)

    @property
    def audible(self) -> str:
        """What the microphone may have heard of the voice."""
        return "" if self._speaking is None else self._speaking.audible

    def stop(self) -> str:
        """Silence the voice at once and return what was heard of the reply (read, where nothing speaks)."""
        return "".join(self._shown) if self._speaking is None else self._speaking.stop()

    async def run(self) -> ReplyFinished:
        """Return when the reply has been received and heard; every event was published by then.

        Cancelling closes the connection to the model; the caller silences the speaker.
        """
        if self._tools is not None:
            self._tools.begin_turn()
        voice = asyncio.ensure_future(self._speak())
        try:
            finished = await self._ask()
            if self._speaking is not None:
                self._speaking.finish()
            self._publish(finished)
            await self._decided.wait()
            await voice
            if self._speaking is not None:
                self._publish(SpokenProgress(self._speaking.heard, finished=True))
        finally:
            voice.cancel()
        return finished

    def _publish(self, event: Event) -> None:
        if self._decided.is_set():
            self._publish_now(event)
        else:
            self._kept_back.append(event)

    async def _speak(self) -> None:
        if self._speaking is None:
            return
        try:
            await self._speaking.run()
        except AssistantError as error:
            self._publish(Notice(f"{error.message} The reply is shown but not spoken."))
            if error.kind is not ErrorKind.DEVICE:
                await self._speaking.wait_until_silent()

    async def _ask(self) -> ReplyFinished:
        specs = self._tools.specs if self._tools is not None else ()
        for _ in range(MAX_TOOL_ROUNDS):
            calls, finished = await self._request(specs)
            if finished.error is not None or not calls or self._tools is None:
                return finished
            await self._decided.wait()
            for call in calls:
                output = await self._tools.run(call)
                self._history.add_tool_output(call.call_id, output)
                self._publish(ToolResult(call.call_id, call.name, output))
        return ReplyFinished(
            FinishReason.ERROR,
            AssistantError(
                ErrorKind.INTERNAL,
                "The model kept asking for tools instead of answering. Ask again, or turn tools off.",
            ),
        )

    async def _request(self, specs: Sequence[ToolSpec]) -> tuple[list[ToolCall], ReplyFinished]:
        calls: list[ToolCall] = []
        items = self._history.items(self._system_prompt, self._reminder)
        async with aclosing(self._backend.reply(items, specs)) as events:
            async for event in events:
                match event:
                    case ReplyFinished():
                        return calls, event
                    case TextDelta(text):
                        self._clock.mark("llm_first_token")
                        self._shown.append(text)
                        self._publish(event)
                        if self._speaking is not None:
                            self._speaking.say(text)
                    case AssistantMessage(content):
                        self._history.add_assistant(content)
                        self._publish(event)
                    case ToolCall():
                        calls.append(event)
                        self._history.add_tool_call(event)
                        self._publish(event)
                    case ReasoningDelta() | Usage():
                        self._publish(event)
        raise AssertionError(f"{self._backend.name} ended without ReplyFinished")
