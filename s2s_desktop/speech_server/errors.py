"""What to tell the user when a server that hears or speaks says no."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.errors import failure_of
from s2s_desktop.llm.http.error_bodies import words_of
from s2s_desktop.llm.http.failure import Failure, Peer
from s2s_desktop.llm.redaction import redact

if TYPE_CHECKING:
    from openai import APIStatusError

_MAX_QUOTE = 300


def request_failure(error: Exception, peer: Peer, job: str, wait_s: float) -> Failure:
    """Return what went wrong before the first byte of an answer.

    Args:
        error: What the openai SDK, httpx2 or anything below them raised.
        peer: The server.
        job: What it was asked for, as in "does not offer …".
        wait_s: Seconds that were waited for an answer.
    """
    import httpx2
    from openai import APIStatusError

    failure = failure_of(error, peer)
    if isinstance(error, APIStatusError):
        kind, details = failure.error.kind, failure.error.details
        lacking = error.response.status_code == 501
        if lacking or (kind is ErrorKind.BAD_REQUEST and _is_about_model(error, peer.model)):
            kind = ErrorKind.NOT_FOUND
        message = redact(f"{_sentence(kind, error, peer, job)}{_quote(error)}")
        return Failure(
            AssistantError(kind, message, details),
            failure.retryable and not lacking,
            failure.retry_after,
            failure.refusal,
        )
    if _behind(error, httpx2.ReadTimeout, httpx2.WriteTimeout):
        return Failure(
            AssistantError(
                ErrorKind.TIMEOUT_FIRST_TOKEN,
                f"{peer.endpoint.host} did not answer within {wait_s:g} seconds. Ask again, or choose a "
                "faster model.",
                failure.error.details,
            )
        )
    return failure


def stream_failure(error: Exception, peer: Peer, job: str, wait_s: float) -> AssistantError:
    """Return what went wrong in the middle of an answer; the arguments are those of `request_failure`."""
    import httpx2

    details = redact(f"{type(error).__name__}: {error}")
    if _behind(error, httpx2.ReadTimeout):
        return AssistantError(
            ErrorKind.TIMEOUT_IDLE,
            f"{peer.endpoint.host} sent nothing more for {wait_s:g} seconds. Ask again.",
            details,
        )
    if _behind(error, httpx2.TransportError, OSError):
        return AssistantError(
            ErrorKind.TRUNCATED, f"The {job} from {peer.endpoint.host} broke off. Ask again.", details
        )
    return failure_of(error, peer).error


def _sentence(kind: ErrorKind, error: APIStatusError, peer: Peer, job: str) -> str:
    host, model, status = peer.endpoint.host, peer.model, error.response.status_code
    if 300 <= status < 400:
        target = error.response.headers.get("location", "").split("?")[0][:_MAX_QUOTE]
        return (
            f"{host} sends requests on to {target or 'another address'}. If that is right, enter it as the "
            "base URL of the speech server."
        )
    match kind:
        case ErrorKind.AUTH if peer.has_key:
            return f"{host} refused the API key. Check that it is complete and belongs to this server."
        case ErrorKind.AUTH:
            return f"{host} needs an API key. Enter one in the settings of the speech server."
        case ErrorKind.PERMISSION:
            return f"{host} does not allow this. Check what the account may use, and the model {model}."
        case ErrorKind.QUOTA:
            return f"The account at {host} has no credit left. Add credit there, or choose another engine."
        case ErrorKind.RATE_LIMIT:
            return f"{host} gets too many requests. Ask again in a moment."
        case ErrorKind.NOT_FOUND:
            return (
                f"{host} does not offer {job} with the model {model}. Check the base URL and the name of the "
                "model in the settings of the speech server."
            )
        case ErrorKind.SERVER:
            return f"{host} has trouble of its own (status {status}). Ask again in a moment."
        case ErrorKind.CONTEXT_WINDOW:
            return f"What was sent is too long for {model} at {host}."
        case ErrorKind.CONTENT_FILTER:
            return f"{host} refused this because of its content rules."
        case _:
            return f"{host} did not accept what it was asked for. Check the settings of the speech server."


def _is_about_model(error: APIStatusError, model: str) -> bool:
    message = words_of(error.response.text).message
    return model in message and "model" in message.lower()


def _quote(error: APIStatusError) -> str:
    """Return the server's own words as a last sentence, "" when it said nothing or sends requests on."""
    if 300 <= error.response.status_code < 400:
        return ""
    message = words_of(error.response.text).message
    said = " ".join("".join(sign if sign.isprintable() else " " for sign in message).split())
    if not said:
        return ""
    return f" It says: “{said if len(said) <= _MAX_QUOTE else said[: _MAX_QUOTE - 1] + '…'}”"


def _behind(error: BaseException, *kinds: type[BaseException]) -> bool:
    return any(isinstance(link, kinds) for link in _causes(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    link: BaseException | None = error
    seen = set[int]()
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield link
        link = link.__cause__ or link.__context__
