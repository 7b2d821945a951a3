"""The one place where what the HTTP libraries and the system raise becomes a sentence for people."""

from __future__ import annotations

import errno
import logging
import socket
import ssl
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.http.error_bodies import words_of
from s2s_desktop.llm.http.failure import Failure, Peer
from s2s_desktop.llm.http.server_errors import redirected, refused
from s2s_desktop.llm.redaction import redact

if TYPE_CHECKING:
    from openai import APIStatusError

_log = logging.getLogger(__name__)
_OFFLINE = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN)
E = TypeVar("E", bound=BaseException)


def failure_of(error: Exception, peer: Peer | None) -> Failure:
    """Return what went wrong with a request.

    Args:
        error: What the openai SDK, httpx2 or anything below them raised.
        peer: Whom the request went to; None when it did not get that far.
    """
    if isinstance(error, AssistantError):
        return Failure(error)
    if peer is None:
        return _unforeseen(error)
    import httpx2
    from openai import APIConnectionError, APIStatusError

    if isinstance(error, APIStatusError):
        return _status_failure(error, peer)
    if isinstance(error, APIConnectionError) or _find(error, httpx2.TransportError, OSError):
        return _transport_failure(error, peer)
    if _find(error, httpx2.DecodingError):
        return Failure(
            _error(ErrorKind.MALFORMED, f"{peer.endpoint.host} sent damaged data. Ask again.", error)
        )
    if _find(error, UnicodeEncodeError, httpx2.InvalidURL):
        return Failure(
            _error(
                ErrorKind.BAD_REQUEST,
                "A header or the base URL of this profile holds a character that cannot be sent.",
                error,
            )
        )
    return _unforeseen(error)


def _unforeseen(error: Exception) -> Failure:
    _log.error("a request failed in a way nobody foresaw", exc_info=error)
    return Failure(_error(ErrorKind.INTERNAL, "The request failed for a reason inside this program.", error))


def _status_failure(error: APIStatusError, peer: Peer) -> Failure:
    response = error.response
    headers = {name.lower(): value for name, value in response.headers.items()}
    if 300 <= response.status_code < 400:
        return redirected(headers.get("location", ""), peer)
    return refused(words_of(response.text), peer, response.status_code, headers, response.text)


def _transport_failure(error: Exception, peer: Peer) -> Failure:
    import httpx2

    host = peer.endpoint.host
    if certificate := _find(error, ssl.SSLCertVerificationError):
        message = (
            f"The certificate of {host} is not trusted: {certificate.verify_message}. If the server is "
            "yours, add it to the certificates of the system."
        )
        return Failure(_error(ErrorKind.TLS, message, error))
    if peer.proxy and _find(error, httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError):
        message = f"The proxy set by {peer.proxy.source} does not let requests through. Correct or unset it."
        return Failure(_error(ErrorKind.CONNECTION, message, error))
    # Before TLS: a handshake that was given up leaves an `SSLWantReadError` behind.
    if _find(error, httpx2.ConnectTimeout):
        message = (
            f"{host} could not be reached within {peer.connect_timeout:g} seconds. Check that it is running."
        )
        return Failure(_error(ErrorKind.CONNECTION, message, error))
    if _find(error, ssl.SSLError):
        message = (
            f"No secure connection to {host} came about. If the server speaks plain HTTP, begin the base URL "
            "with http://."
        )
        return Failure(_error(ErrorKind.TLS, message, error))
    if _find(error, socket.gaierror):
        message = f"The name {peer.endpoint.hostname} was not found. Check it, and the network connection."
        return Failure(_error(ErrorKind.DNS, message, error))
    if (system := _find(error, OSError)) and system.errno in _OFFLINE:
        message = f"There is no way to {host}. Check the network connection."
        return Failure(_error(ErrorKind.CONNECTION, message, error))
    if _find(error, httpx2.ConnectError):
        message = f"Nothing answers at {host}. Start the server, or check the base URL."
        return Failure(_error(ErrorKind.CONNECTION, message, error))
    if _find(error, httpx2.LocalProtocolError, httpx2.UnsupportedProtocol):
        message = "A header or the base URL of this profile holds something that cannot be sent."
        return Failure(_error(ErrorKind.BAD_REQUEST, message, error))
    message = f"The connection to {host} broke before a reply came. Ask again."
    return Failure(_error(ErrorKind.CONNECTION, message, error), retryable=True)


def _error(kind: ErrorKind, message: str, error: Exception) -> AssistantError:
    details = "; ".join(dict.fromkeys(f"{type(e).__name__}: {e}" for e in _chain(error)))
    return AssistantError(kind, redact(message), redact(details[:2_000]))


def _find(error: BaseException, *kinds: type[E]) -> E | None:
    return next((link for link in _chain(error) if isinstance(link, kinds)), None)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and everything behind it: causes, contexts, members of groups."""
    waiting, seen = [error], set[int]()
    while waiting:
        link = waiting.pop(0)
        if id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        behind = [link.__cause__ or link.__context__]
        if isinstance(link, BaseExceptionGroup):
            behind += link.exceptions
        waiting += [other for other in behind if other is not None]
