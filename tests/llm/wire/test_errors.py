"""What the libraries below raise becomes a sentence for people."""

from __future__ import annotations

import errno
import logging
import ssl

import anyio
import httpx2
import pytest

from llm.wire_kit import HELLO, error_of
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import BackendConfig
from s2s_desktop.llm.errors import failure_of
from s2s_desktop.llm.events import LLMEvent
from s2s_desktop.llm.registry import select_backend


def caused(error: Exception, cause: BaseException) -> Exception:
    error.__cause__ = cause
    return error


async def ask(raised: Exception) -> list[LLMEvent]:
    """Return the events of a reply whose transport raises."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        raise raised

    config = BackendConfig(base_url="https://model.example/v1", model="demo", max_retries=0)
    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as client:
        backend = select_backend("responses-api", config, http_client=client)
        return [event async for event in backend.reply(HELLO)]


@pytest.mark.parametrize(
    ("raised", "kind", "words"),
    [
        (httpx2.ConnectTimeout(""), ErrorKind.CONNECTION, "within 10 seconds"),
        (httpx2.ConnectError("All connection attempts failed"), ErrorKind.CONNECTION, "Nothing answers"),
        (
            caused(httpx2.ConnectError(""), OSError(errno.ENETUNREACH, "unreachable")),
            ErrorKind.CONNECTION,
            "no way to model.example",
        ),
        (
            caused(httpx2.ConnectError(""), ExceptionGroup("", [OSError(errno.EHOSTUNREACH, "no route")])),
            ErrorKind.CONNECTION,
            "no way to",
        ),
        (caused(httpx2.ConnectError(""), ssl.SSLError("bad record")), ErrorKind.TLS, "http://"),
        (ssl.SSLError("bad record"), ErrorKind.TLS, "http://"),
        (anyio.EndOfStream(), ErrorKind.CONNECTION, "broke before"),
        (httpx2.RemoteProtocolError("bad"), ErrorKind.CONNECTION, "broke before"),
        (httpx2.ReadError(""), ErrorKind.CONNECTION, "broke before"),
        (httpx2.WriteError(""), ErrorKind.CONNECTION, "broke before"),
        (httpx2.LocalProtocolError("Illegal header value"), ErrorKind.BAD_REQUEST, "cannot be sent"),
        (httpx2.UnsupportedProtocol(""), ErrorKind.BAD_REQUEST, "cannot be sent"),
        (UnicodeEncodeError("ascii", "x", 0, 1, "bad"), ErrorKind.BAD_REQUEST, "cannot be sent"),
    ],
)
async def test_an_error_of_the_transport(raised: Exception, kind: ErrorKind, words: str) -> None:
    error = error_of(await ask(raised), kind)

    assert words in error.message
    assert error.details


async def test_an_error_that_nobody_foresaw_is_told_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        error = error_of(await ask(RuntimeError("surprise")), ErrorKind.INTERNAL)

    assert "surprise" in error.details
    assert "surprise" in caplog.text


async def test_items_that_cannot_be_serialized_end_the_reply(
    make_backend, caplog: pytest.LogCaptureFixture, provider
) -> None:
    backend = make_backend("chat-completions", audio_content_type="video")
    events = [event async for event in backend.reply(HELLO)]

    error_of(events, ErrorKind.INTERNAL)
    assert provider.requests == []


def test_an_error_before_the_peer_is_known() -> None:
    known = AssistantError(ErrorKind.TLS, "No certificates.")

    assert failure_of(known, None).error is known
    assert failure_of(ImportError("no module"), None).error.kind is ErrorKind.INTERNAL


def test_errors_that_cause_each_other_in_a_circle() -> None:
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first

    assert failure_of(first, None).error.kind is ErrorKind.INTERNAL
