"""Sends sound to a server and gets text, or text and gets sound. Blocks: the workers of the stages run it."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.http.error_bodies import words_of
from s2s_desktop.llm.http.failure import Peer
from s2s_desktop.llm.http.retry import retry_delay
from s2s_desktop.llm.redaction import redact
from s2s_desktop.speech_server.connection import Connection, ServerAddress, open_connection
from s2s_desktop.speech_server.errors import request_failure, stream_failure
from s2s_desktop.speech_server.line import Line
from s2s_desktop.speech_server.sound_stream import SoundStream

if TYPE_CHECKING:
    import httpx2

    from s2s_desktop.speech_server.sdk import SpeechSdk

T = TypeVar("T")

_log = logging.getLogger(__name__)

MAX_TEXT_BYTES = 4_000_000
"""Of a transcript with its segments; more is no answer to a turn."""

_PASSING = frozenset(
    {
        ErrorKind.CONNECTION,
        ErrorKind.DNS,
        ErrorKind.RATE_LIMIT,
        ErrorKind.SERVER,
        ErrorKind.TIMEOUT_FIRST_TOKEN,
        ErrorKind.TIMEOUT_IDLE,
        ErrorKind.TRUNCATED,
    }
)
_MAX_RETRIES = 1
_NO_SOUND = ("application/json", "application/problem+json", "text/")


class SpeechServerClient:
    """One server with one model. The key goes to the host of the base URL only.

    One request at a time; `cancel` and `close` may come from any thread.

    Args:
        base_url: As the user wrote it, by the rules of `llm/http/endpoint.py`; "" is OpenAI. The path of an
            audio endpoint at its end is taken off.
        model: What the server calls the model.
        api_key: "" for servers that need none.
        connect_timeout_s: Name look-up, TCP and TLS.
        answer_timeout_s: For the first byte of an answer, and between two reads of it.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        connect_timeout_s: float = 10.0,
        answer_timeout_s: float = 60.0,
    ) -> None:
        self._address = ServerAddress(base_url, model.strip(), api_key, connect_timeout_s, answer_timeout_s)
        self._line = Line()
        self._connection: Connection | None = None
        self._given_up: set[str] = set()
        self._request_number = 0
        self._cancelled_up_to = 0
        self._wake = threading.Event()
        self._closed = False

    def __repr__(self) -> str:
        return f"SpeechServerClient({self._address.model!r})"

    @property
    def host(self) -> str:
        """The host, with a port unless it is the usual one.

        Raises:
            AssistantError: As `prepare`.
        """
        return self.prepare().endpoint.host

    @property
    def is_openai(self) -> bool:
        """Whether this is OpenAI's own service.

        Raises:
            AssistantError: As `prepare`.
        """
        return self.prepare().endpoint.is_openai

    def prepare(self) -> Peer:
        """Import and set up what requests need; asks nobody. Idempotent.

        Raises:
            AssistantError: The base URL, the key, the model or the proxy cannot be used.
        """
        if self._closed:
            raise AssistantError(ErrorKind.INTERNAL, "This connection is closed already.")
        if self._connection is None:
            self._connection = open_connection(self._address, self._line)
        return self._connection.peer

    def transcribe(
        self, wav: bytes, fields: Mapping[str, str], fallbacks: Mapping[str, str | None]
    ) -> Mapping[str, object]:
        """Return what the server says about a recording: `text`, and more where it says more.

        Args:
            wav: The recording as a WAV file.
            fields: Form fields beside `file` and `model`.
            fallbacks: By name of a field that this program adds by itself, what takes its place when the
                server refuses it; None leaves it out.

        Raises:
            AssistantError: With what to do.
        """

        def ask(sdk: SpeechSdk, body: Mapping[str, Any]) -> bytes:
            manager = sdk.audio.transcriptions.with_streaming_response.create(
                file=("speech.wav", wav, "audio/wav"), extra_headers=sdk.extra_headers, **body
            )
            with manager as response:
                return _read_all(response.http_response)

        body = self._ask(ask, fields, fallbacks, "speech recognition")
        return self._transcript(body.decode("utf-8", errors="replace"))

    def speak(self, fields: Mapping[str, Any], fallbacks: Mapping[str, Any]) -> SoundStream:
        """Return a voice while it is being made.

        Args:
            fields: Fields beside `model`; those that the SDK does not know are sent all the same.
            fallbacks: As for `transcribe`.

        Raises:
            AssistantError: With what to do.
        """
        peer = self.prepare()

        def ask(sdk: SpeechSdk, body: Mapping[str, Any]) -> httpx2.Response:
            import openai

            known = {"voice": openai.omit, **body}
            extra = {"stream": known.pop("stream")} if "stream" in known else None
            manager = sdk.audio.speech.with_streaming_response.create(
                extra_headers=sdk.extra_headers, extra_body=extra, **known
            )
            return manager.__enter__().http_response

        response = self._ask(ask, fields, fallbacks, "a voice")
        content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if content_type.startswith(_NO_SOUND):
            raise self._no_sound(response)
        return SoundStream(
            response,
            self._line,
            lambda error: stream_failure(error, peer, "voice", self._address.answer_timeout_s),
        )

    def may_pass(self, error: AssistantError) -> bool:
        """Return whether a failure may be over by the next request, without anybody changing the settings."""
        return error.kind in _PASSING

    def cancel(self) -> None:
        """End the request that is under way, which raises in its own thread. Idempotent."""
        self._cancelled_up_to = self._request_number
        self._wake.set()
        self._line.cut()

    def close(self) -> None:
        """Cancel and give the connection up. Idempotent."""
        self._closed = True
        self.cancel()
        if self._connection is not None:
            self._connection.http.close()

    def _ask(
        self,
        ask: Callable[[SpeechSdk, Mapping[str, Any]], T],
        fields: Mapping[str, Any],
        fallbacks: Mapping[str, Any],
        job: str,
    ) -> T:
        peer = self.prepare()
        assert self._connection is not None
        self._request_number += 1
        number, retries = self._request_number, 0
        self._wake.clear()
        while True:
            replaced = {name: fallbacks[name] for name in self._given_up if name in fields}
            body = {"model": peer.model, **fields, **replaced}
            body = {name: value for name, value in body.items() if value is not None}
            try:
                answer = ask(self._connection.sdk, body)
            except Exception as error:
                self._raise_if_cancelled(number)
                failure = request_failure(error, peer, job, self._address.answer_timeout_s)
                refused = failure.refusal and next(filter(failure.refusal.names, fallbacks), None)
                if refused and refused not in self._given_up:
                    _log.info("%s refuses %s: trying %s", peer.endpoint.host, refused, fallbacks[refused])
                    self._given_up.add(refused)
                    continue
                delay = retry_delay(retries, failure.retry_after) if failure.retryable else None
                if delay is None or retries == _MAX_RETRIES:
                    raise failure.error from None
                retries += 1
                self._wake.wait(delay)
                self._raise_if_cancelled(number)
            else:
                self._raise_if_cancelled(number)
                return answer

    def _raise_if_cancelled(self, number: int) -> None:
        if number <= self._cancelled_up_to:
            raise AssistantError(ErrorKind.CONNECTION, "The request was stopped.") from None

    def _transcript(self, body: str) -> Mapping[str, object]:
        try:
            said = json.loads(body)
        except ValueError:
            if body.lstrip().startswith(("<", "{", "[")):
                raise self._malformed(body) from None
            return {"text": body}
        if isinstance(said, dict) and isinstance(said.get("text"), str):
            return said
        raise self._malformed(body)

    def _no_sound(self, response: httpx2.Response) -> AssistantError:
        import httpx2

        try:
            body = _read_all(response)
        except httpx2.HTTPError as error:
            body = str(error).encode()
        finally:
            response.close()
        return self._malformed(body.decode("utf-8", errors="replace"))

    def _malformed(self, body: str) -> AssistantError:
        said = " ".join(words_of(body).message.split())[:300]
        quote = f" It says: “{said}”" if said else ""
        return AssistantError(
            ErrorKind.MALFORMED,
            redact(
                f"{self.host} answered with something else than was asked for. Check the base URL.{quote}"
            ),
            redact(body[:2_000]),
        )


def _read_all(response: httpx2.Response) -> bytes:
    body = b""
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > MAX_TEXT_BYTES:
            break
    return body
