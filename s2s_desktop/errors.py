"""The one error type that crosses stages: a kind for programs, a sentence for people."""

from __future__ import annotations

from enum import StrEnum


class ErrorKind(StrEnum):
    """What went wrong, in the words of the `--json` output."""

    AUTH = "auth"
    PERMISSION = "permission"
    NOT_FOUND = "not_found"
    BAD_REQUEST = "bad_request"
    RATE_LIMIT = "rate_limit"
    QUOTA = "quota"
    SERVER = "server"
    CONNECTION = "connection"
    DNS = "dns"
    TLS = "tls"
    TIMEOUT_FIRST_TOKEN = "timeout_first_token"
    TIMEOUT_IDLE = "timeout_idle"
    TRUNCATED = "truncated"
    MALFORMED = "malformed"
    EMPTY = "empty"
    CONTENT_FILTER = "content_filter"
    CONTEXT_WINDOW = "context_window"
    MODEL_MISSING = "model_missing"
    DEVICE = "device"
    INTERNAL = "internal"


class AssistantError(Exception):
    """A failure the user can understand.

    Attributes:
        kind: The kind of failure.
        message: One or two sentences: what happened and what to do. Never holds a key.
        details: The technical text behind it (a server's own words, a path), shown on request. Never holds
            a key.
    """

    def __init__(self, kind: ErrorKind, message: str, details: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.details = details

    def __repr__(self) -> str:
        return f"AssistantError({self.kind.value!r}, {self.message!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AssistantError) and (self.kind, self.message) == (other.kind, other.message)

    def __hash__(self) -> int:
        return hash((self.kind, self.message))


def internal_error(error: Exception) -> AssistantError:
    """Return what to tell the user about a fault of this program; the caller logs it."""
    return AssistantError(
        ErrorKind.INTERNAL,
        "Something went wrong inside. Ask again; if it happens again, the log says what it was.",
        str(error),
    )
