"""Errors of replies that arrived but are no answer."""

from __future__ import annotations

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.redaction import redact

CUT_BY_LENGTH = "The reply was cut by the length limit."


def withheld() -> AssistantError:
    """The provider's content filter stopped the reply."""
    return AssistantError(
        ErrorKind.CONTENT_FILTER,
        "The provider withheld the reply because of its content rules. Try other words.",
    )


def empty(*, cut: bool, thought: bool) -> AssistantError:
    """The reply holds neither text nor a tool call.

    Args:
        cut: It ended at the length limit.
        thought: The model thought without saying anything.
    """
    if cut:
        what = "The model reached its length limit before it said anything."
        todo = "Raise the limit of a reply, or switch thinking off, in the settings of this profile."
    elif thought:
        what = "The answer was empty: the model only thought."
        todo = "Ask again, or switch thinking off in the settings of this profile."
    else:
        what = "The answer was empty."
        todo = "Ask again, or choose another model."
    return AssistantError(ErrorKind.EMPTY, f"{what} {todo}")


def truncated(*, answered: bool, details: str = "") -> AssistantError:
    """The connection ended before the reply did."""
    what = "so the reply is not complete" if answered else "before a reply came"
    return AssistantError(ErrorKind.TRUNCATED, f"The connection ended early, {what}. Ask again.", details)


def unreadable(host: str, reason: str, excerpt: str) -> AssistantError:
    """The server sent something that is no reply of either protocol."""
    return AssistantError(
        ErrorKind.MALFORMED,
        redact(
            f"{host} sent {reason} instead of a reply. Check the base URL and the backend of this profile."
        ),
        redact(excerpt),
    )


def no_first_token(host: str, seconds: float) -> AssistantError:
    """The server took the request and then said nothing."""
    return AssistantError(
        ErrorKind.TIMEOUT_FIRST_TOKEN,
        f"{host} did not begin to answer within {seconds:g} seconds. It may be loading the model: ask again, "
        "or raise the limit in the settings of this profile.",
    )


def stalled(host: str, seconds: float) -> AssistantError:
    """The server stopped in the middle of the reply."""
    return AssistantError(
        ErrorKind.TIMEOUT_IDLE,
        f"{host} stopped in the middle of the reply and stayed silent for {seconds:g} seconds. Ask again.",
    )
