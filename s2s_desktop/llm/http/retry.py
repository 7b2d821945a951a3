"""When a failed request is sent again, and after how long."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

MAX_RETRY_AFTER = 10.0
"""Seconds. A longer pause kills a spoken conversation: then the user is told when to ask again."""

_FIRST_DELAY = 0.25
_MAX_DELAY = 8.0


def retry_delay(attempt: int, retry_after: float | None) -> float | None:
    """Return the seconds to wait before a request is sent again.

    Short, because somebody listens to the silence; the two default retries take 0.75 s together.

    Args:
        attempt: How often it was sent again already.
        retry_after: What the server asked for, None when it did not.

    Returns:
        The pause, None when the server asks for more than `MAX_RETRY_AFTER`.
    """
    delay = min(_FIRST_DELAY * 2.0**attempt, _MAX_DELAY)
    if retry_after is None:
        return delay
    return max(delay, retry_after) if retry_after <= MAX_RETRY_AFTER else None


def parse_retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds that `retry-after-ms` or `Retry-After` (seconds or a date) asks for.

    Args:
        headers: Response headers with names in lower case.
        now: Seconds since the epoch; None is the present.
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "")
        try:
            seconds = float(value) / unit
        except ValueError:
            continue
        return max(0.0, seconds) if seconds == seconds else None  # NaN is unequal to itself
    try:
        when = parsedate_to_datetime(headers.get("retry-after", "")).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, when - (time.time() if now is None else now))


def spoken_delay(seconds: float) -> str:
    """Return a pause in words, for the sentence that tells when to ask again."""
    if seconds < 90:
        return f"{max(1, round(seconds))} seconds"
    if seconds < 5_400:
        return f"{round(seconds / 60)} minutes"
    return f"{round(seconds / 3_600)} hours" if seconds < 172_800 else f"{round(seconds / 86_400)} days"
