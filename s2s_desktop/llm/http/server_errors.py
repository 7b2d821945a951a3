"""What to tell the user when a server says no, by status, code and words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import BACKENDS
from s2s_desktop.llm.http.endpoint import API_PATHS
from s2s_desktop.llm.http.error_bodies import ServerWords
from s2s_desktop.llm.http.failure import Failure, Peer
from s2s_desktop.llm.http.retry import MAX_RETRY_AFTER, parse_retry_after, spoken_delay
from s2s_desktop.llm.redaction import redact

_MAX_QUOTE = 300
_MAX_DETAILS = 4_000

_CONTEXT = re.compile(
    r"context.?(length|window|size|limit)|maximum context|max_model_len|window is \d|prompt is too long"
    r"|too many (input )?tokens|input (is )?too long|reduce the length",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient.?(quota|credit|balance|funds)|exceeded your current quota|billing", re.IGNORECASE
)
_KEY = re.compile(
    r"(invalid|incorrect|wrong|missing|expired|no) (api.?)?key|api.?key (not|is|was) ", re.IGNORECASE
)
_MODEL = re.compile(
    r"model.{0,120}(not |does not |n't |no such|unknown)|(unknown|no such|invalid) model", re.IGNORECASE
)
_NO_PATH = re.compile(r"unexpected endpoint|no route|unknown (path|url|endpoint)|cannot post", re.IGNORECASE)
_FILTER = re.compile(r"content.?(filter|policy|management)|responsible.?ai", re.IGNORECASE)
_OVERLOAD = re.compile(r"rate.?limit|too many requests|slow down|resource.?exhausted", re.IGNORECASE)
_BUSY = re.compile(r"server.?error|overload|unavailable|internal|bad gateway|timed? ?out", re.IGNORECASE)


def refused(
    words: ServerWords,
    peer: Peer,
    status: int | None = None,
    headers: Mapping[str, str] = MappingProxyType({}),
    body: str = "",
) -> Failure:
    """Return the failure behind an error status or an error inside a stream.

    Args:
        words: What the server says.
        peer: The server.
        status: The HTTP status; None inside a stream, where the body may name one.
        headers: The response headers with names in lower case.
        body: The whole body, for the details.
    """
    kind = _kind(words, status or words.status, peer)
    retry_after = parse_retry_after(headers)
    message = f"{_sentence(kind, words, peer, status or words.status, retry_after)}{_quote(words)}"
    details = "\n".join(
        filter(None, [f"HTTP {status}" if status else words.code, body.strip() or words.message])
    )
    return Failure(
        AssistantError(kind, redact(message), redact(details[:_MAX_DETAILS])),
        retryable=kind in (ErrorKind.SERVER, ErrorKind.RATE_LIMIT)
        and headers.get("x-should-retry") != "false",
        retry_after=retry_after,
        refusal=words if kind is ErrorKind.BAD_REQUEST else None,
    )


def redirected(location: str, peer: Peer) -> Failure:
    """Return the failure behind a redirect: it is not followed, because the key belongs to one host."""
    target = redact(location.split("?")[0])[:_MAX_QUOTE]
    return Failure(
        AssistantError(
            ErrorKind.NOT_FOUND,
            f"{peer.endpoint.host} sends requests on to {target or 'another address'}. If that is right, "
            "enter it as the base URL of this profile.",
        )
    )


def _kind(words: ServerWords, status: int | None, peer: Peer) -> ErrorKind:
    text = f"{words.code} {words.message}"
    by_status = {
        401: ErrorKind.AUTH,
        402: ErrorKind.QUOTA,
        403: ErrorKind.PERMISSION,
        404: ErrorKind.NOT_FOUND,
        405: ErrorKind.NOT_FOUND,
        408: ErrorKind.SERVER,
        409: ErrorKind.SERVER,
        413: ErrorKind.CONTEXT_WINDOW,
        425: ErrorKind.SERVER,
        429: ErrorKind.RATE_LIMIT,
    }
    if status in (None, 400, 422, 500) and _CONTEXT.search(text):
        return ErrorKind.CONTEXT_WINDOW
    if status in (None, 400, 403) and _FILTER.search(words.code):
        return ErrorKind.CONTENT_FILTER
    if status in (None, 403, 429) and _QUOTA.search(text):
        return ErrorKind.QUOTA
    if status in (None, 400) and _KEY.search(text):
        return ErrorKind.AUTH
    if status is not None:
        return by_status.get(status, ErrorKind.SERVER if status >= 500 else ErrorKind.BAD_REQUEST)
    if _OVERLOAD.search(text):
        return ErrorKind.RATE_LIMIT
    if _NO_PATH.search(text):
        return ErrorKind.NOT_FOUND
    return ErrorKind.SERVER if _BUSY.search(text) else ErrorKind.BAD_REQUEST


def _sentence(
    kind: ErrorKind, words: ServerWords, peer: Peer, status: int | None, retry_after: float | None
) -> str:
    host, model = peer.endpoint.host, peer.model
    other = next(name for name in BACKENDS if name != peer.backend)
    match kind:
        case ErrorKind.AUTH if peer.has_key:
            return f"{host} refused the API key. Check that it is complete and belongs to this provider."
        case ErrorKind.AUTH:
            return f"{host} needs an API key. Enter one in the settings of this profile."
        case ErrorKind.PERMISSION:
            return (
                f"{host} does not allow this request. Check what the account may use, and the model {model}."
            )
        case ErrorKind.QUOTA:
            return f"The account at {host} has no credit left. Add credit there, or choose another profile."
        case ErrorKind.RATE_LIMIT:
            return f"{host} gets too many requests. Ask again {_when(retry_after)}."
        case ErrorKind.NOT_FOUND | ErrorKind.BAD_REQUEST if API_PATHS[other] in words.message:
            return f"{host} offers {model} with {other}: switch the backend of this profile to it."
        case ErrorKind.NOT_FOUND if _names_model(words, model):
            return f"{host} has no model {model} for {peer.backend}. Check its name in this profile."
        case ErrorKind.NOT_FOUND:
            url = peer.endpoint.final_url.split("?")[0]
            return (
                f"{host} offers no {peer.backend} at {url}. It may offer {other}: switch the backend of this "
                f"profile to {other}, or check the base URL."
            )
        case ErrorKind.CONTEXT_WINDOW:
            return f"The conversation is too long for {model}. Begin a new one, or let fewer turns be sent."
        case ErrorKind.CONTENT_FILTER:
            return f"{host} withheld the reply because of its content rules. Try other words."
        case ErrorKind.SERVER:
            named = f" (status {status})" if status else ""
            return f"{host} has trouble of its own{named}. Ask again {_when(retry_after)}."
        case _:
            return f"{host} did not accept the request. Check the model and the options of this profile."


def _names_model(words: ServerWords, model: str) -> bool:
    return (
        "model" in words.code
        or bool(_MODEL.search(words.message))
        or (model != "" and model in words.message)
    )


def _when(retry_after: float | None) -> str:
    if retry_after is None or retry_after <= MAX_RETRY_AFTER:
        return "in a moment"
    return f"in {spoken_delay(retry_after)}"


def _quote(words: ServerWords) -> str:
    """Return the server's own words as a last sentence, "" when it said nothing."""
    said = " ".join("".join(c if c.isprintable() else " " for c in words.message).split())
    if not said:
        return ""
    return f" It says: “{said if len(said) <= _MAX_QUOTE else said[: _MAX_QUOTE - 1] + '…'}”"
