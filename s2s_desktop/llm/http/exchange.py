"""One question and its answer over HTTP: time limits, retries, negotiation, and the end of it all."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from s2s_desktop.errors import ErrorKind
from s2s_desktop.llm.config import Timeouts
from s2s_desktop.llm.errors import failure_of
from s2s_desktop.llm.events import FinishReason, LLMEvent
from s2s_desktop.llm.http.body_stream import BodyStream
from s2s_desktop.llm.http.client import ProviderClient
from s2s_desktop.llm.http.failure import Failure
from s2s_desktop.llm.http.negotiation import STARTS_INSIDE_THOUGHT, Quirks, RequestDraft, quirks_key
from s2s_desktop.llm.http.retry import retry_delay
from s2s_desktop.llm.http.server_errors import refused
from s2s_desktop.llm.http.watchdog import Watchdog
from s2s_desktop.llm.stream import reply_errors
from s2s_desktop.llm.stream.reader import ReplyReader, ReportedFailure
from s2s_desktop.llm.stream.reply_body import ReplyBody, UnreadableReply
from s2s_desktop.llm.stream.reply_builder import ReplyBuilder

_log = logging.getLogger(__name__)

_CLOSING_SECONDS = 2.0
"""How long a reply that has ended may keep the end marker or the usage back."""

_DRAIN_SECONDS = 0.05

Sleep = Callable[[float], Awaitable[None]]


class Exchange:
    """Asks and reads the answer, step by step.

    Args:
        client: Sends the requests.
        draft: Makes the request body; what it raises ends the reply.
        reader: Makes a reader for one attempt.
        quirks: What is known of the server.
        timeouts: Limits of each attempt.
        max_retries: How often a failed request is sent again before anything of a reply has come.
        sleep: Waits between attempts.
    """

    def __init__(
        self,
        client: ProviderClient,
        draft: Callable[[], RequestDraft],
        reader: Callable[[ReplyBuilder], ReplyReader],
        quirks: Quirks,
        timeouts: Timeouts,
        max_retries: int,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._client = client
        self._make_draft = draft
        self._make_reader = reader
        self._memory = quirks
        self._timeouts = timeouts
        self._retries_left = max_retries
        self._retries = 0
        self._sleep = sleep
        self._watchdog = Watchdog()
        self._builder = ReplyBuilder()
        self._draft: RequestDraft | None = None
        self._quirks: dict[str, str] = {}
        self._key = ""
        self._notices: dict[str, str] = {}
        self._stream: BodyStream | None = None
        self._body = ReplyBody()
        self._reader: ReplyReader | None = None
        self._first_token_deadline = 0.0

    @property
    def finished(self) -> bool:
        """Whether `ReplyFinished` was among the events."""
        return self._builder.finished

    async def advance(self) -> list[LLMEvent]:
        """Wait for the next part of the reply and return its events; failures are events too."""
        try:
            if self._stream is None:
                self._stream = await self._ask()
            await self._read(self._stream)
        except Exception as error:
            await self._fail(error)
        if self._builder.finished:
            self._learn()
        return self._builder.take()

    async def drain(self) -> None:
        """Read the few bytes behind the end of the reply, so that the next turn can use the connection."""
        if self._stream is None:
            return
        import httpx2

        deadline = asyncio.get_running_loop().time() + _DRAIN_SECONDS
        # The reply is complete; without a proper end its connection is only not used again.
        with contextlib.suppress(TimeoutError, httpx2.HTTPError):
            while await self._watchdog.wait(self._stream.read(), deadline) is not None:
                pass

    async def aclose(self) -> None:
        """Close the connection unless the whole body was read. Idempotent."""
        self._watchdog.close()
        await self._close_response()

    async def _ask(self) -> BodyStream:
        """Send the request and return the body of the response."""
        peer = await self._client.prepare()
        self._first_token_deadline = asyncio.get_running_loop().time() + self._timeouts.first_token
        if self._draft is None:
            self._draft = self._make_draft()
            self._key = quirks_key(peer.endpoint.base_url, peer.model, peer.backend)
            self._quirks = self._memory.known(self._key)
        self._builder = ReplyBuilder(starts_inside_thought=STARTS_INSIDE_THOUGHT in self._quirks)
        self._notices = {
            name: sentence
            for name, sentence in self._draft.notices(self._quirks).items()
            if not self._memory.is_told(self._key, name)
        }
        self._builder.notices = list(self._notices.values())
        self._reader = self._make_reader(self._builder)
        self._body = ReplyBody()
        post = self._client.post(self._draft.body_for(self._quirks))
        return BodyStream(await self._watchdog.wait(post, self._first_token_deadline))

    async def _read(self, stream: BodyStream) -> None:
        """Read the next bytes of the body."""
        assert self._reader is not None
        chunk = await self._watchdog.wait(stream.read(), self._deadline(self._reader))
        for payload in self._body.close() if chunk is None else self._body.feed(chunk):
            self._reader.read(payload)
            if self._builder.finished:
                return
        if chunk is None and not self._reader.end():
            raise reply_errors.truncated(answered=self._builder.started)

    def _deadline(self, reader: ReplyReader) -> float:
        if not self._builder.started and not reader.complete:
            return self._first_token_deadline
        limit = min(self._timeouts.idle, _CLOSING_SECONDS) if reader.complete else self._timeouts.idle
        return asyncio.get_running_loop().time() + limit

    async def _fail(self, error: Exception) -> None:
        """Try again where that makes sense, else end the reply."""
        await self._close_response()
        if self._reader is not None and self._reader.complete and self._reader.end():
            return
        failure = self._failure_of(error)
        if not self._builder.started and (self._give_up_a_field(failure) or await self._back_off(failure)):
            return
        truncated = failure.error.kind is ErrorKind.TRUNCATED
        withheld = failure.error.kind is ErrorKind.CONTENT_FILTER
        reason = FinishReason.TRUNCATED if truncated else FinishReason.ERROR
        self._builder.fail(failure.error, FinishReason.CONTENT_FILTER if withheld else reason)

    def _failure_of(self, error: Exception) -> Failure:
        peer = self._client.peer
        if peer is not None:
            host = peer.endpoint.host
            if isinstance(error, ReportedFailure):
                return refused(error.words, peer)
            if isinstance(error, UnreadableReply):
                return Failure(reply_errors.unreadable(host, error.reason, error.excerpt))
            if isinstance(error, TimeoutError) and self._builder.started:
                return Failure(reply_errors.stalled(host, self._timeouts.idle))
            if isinstance(error, TimeoutError):
                return Failure(reply_errors.no_first_token(host, self._timeouts.first_token))
        failure = failure_of(error, peer)
        if failure.retryable and failure.error.kind is ErrorKind.CONNECTION and self._builder.started:
            return Failure(reply_errors.truncated(answered=True, details=failure.error.details))
        return failure

    def _give_up_a_field(self, failure: Failure) -> bool:
        """Leave a field out that the server refused; return whether there was one."""
        if failure.refusal is None or self._draft is None:
            return False
        change = self._draft.next_action(failure.refusal, self._quirks)
        if change is None:
            return False
        field, action = change
        _log.info("the server refuses %s: trying %s", field.key, action or "without it")
        self._quirks[field.key] = action
        return True

    async def _back_off(self, failure: Failure) -> bool:
        """Wait before the next attempt; return whether there is one."""
        if not failure.retryable or self._retries_left == 0:
            return False
        delay = retry_delay(self._retries, failure.retry_after)
        if delay is None:
            return False
        self._retries_left -= 1
        self._retries += 1
        _log.info("asking again in %.2f s after: %s", delay, failure.error.kind)
        await self._sleep(delay)
        return True

    def _learn(self) -> None:
        """Remember what a reply has proved about the server."""
        if not self._builder.started or self._draft is None:
            return
        self._quirks.pop(STARTS_INSIDE_THOUGHT, None)
        if self._builder.thought_unopened:
            self._quirks[STARTS_INSIDE_THOUGHT] = "yes"
        self._memory.learn(self._key, self._quirks)
        self._memory.note_told(self._key, self._notices)

    async def _close_response(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.aclose()
