"""Takes keys out of texts before anybody sees or stores them."""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Iterable, Mapping

REDACTED = "<redacted>"

_MIN_SECRET = 4
"""Shorter keys are placeholders such as "x"; removing them would tear words apart."""

_SECRET_NAME = re.compile(r"auth|key|token|secret|cookie|sig", re.IGNORECASE)

_known: set[str] = set()
"""Keys of this process. They are kept to find them in logs, and never shown."""

_PATTERNS = (
    # Header-like: Authorization: Bearer abc, 'api-key': 'abc', (b'x-api-key', b'abc')
    re.compile(
        r"(?i)((?:proxy-)?authorization|x-api-key|api[-_]key|x-goog-api-key|(?:set-)?cookie)"
        r"(\\?[\"']?\s*[:=]\s*(?:b(?=[\"']))?\\?[\"']?\s*|[\"']\s*,\s*b?[\"'])(?:(?:bearer|basic)\s+)?[^\s\"'\\,;&)}\]]+"
    ),
    # Query parameters of a URL.
    re.compile(r"(?i)([?&](?:key|api[-_]?key|token|access_token|sig|signature))(=)[^\s&#\"'\\)]+"),
    # User and password in a URL.
    re.compile(r"(?i)(\b[a-z][a-z0-9+.-]*:)(//)[^\s/@\"']+@"),
    re.compile(r"(?i)(\bbearer)(\s+)[\w.~+/=-]{8,}"),
)
_TOKENS = re.compile(r"\b(?:sk|pk|rk|gsk|hf|xai|nvapi|csk|pplx)[-_][A-Za-z0-9*_-]{8,}|\bAIza[\w-]{20,}")


def remember_secrets(key: str, *fields: Mapping[str, str]) -> None:
    """Have `redact` and the log filter remove keys from now on.

    Args:
        key: The key of a profile, "" for none.
        fields: Headers and query parameters of a profile; those whose names sound like a secret count.
    """
    found = [value for values in fields for name, value in values.items() if _SECRET_NAME.search(name)]
    for secret in (key, *found):
        secret = re.sub(r"(?i)^(bearer|basic)\s+", "", secret)
        if len(secret) >= _MIN_SECRET:
            _known.add(secret)


def redact(text: str) -> str:
    """Return `text` without keys: the remembered ones and whatever looks like one."""
    for secret in sorted(_known, key=len, reverse=True):
        text = text.replace(secret, REDACTED)
    for pattern in _PATTERNS:
        text = pattern.sub(rf"\1\2{REDACTED}", text)
    return _TOKENS.sub(REDACTED, text)


class RedactingFilter(logging.Filter):
    """Removes keys from the message and the traceback of log records.

    Attach it to handlers: a filter on a logger does not see what child loggers pass up.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record and let it pass."""
        message = record.getMessage()
        clean = redact(message)
        if clean != message:
            record.msg, record.args = clean, ()
        if record.exc_info and record.exc_info[1] is not None:
            record.exc_text = redact("".join(traceback.format_exception(record.exc_info[1])).rstrip())
        return True


_HTTP_LOGGERS = (
    "openai",
    "openai._base_client",
    "openai._response",
    "httpx2",
    "httpcore2.connection",
    "httpcore2.http11",
    "httpcore2.http2",
    "httpcore2.proxy",
    "httpcore2.socks",
)
_filter = RedactingFilter()


def guard_http_logs(names: Iterable[str] = _HTTP_LOGGERS) -> None:
    """Put the filter on the loggers of the HTTP libraries, whatever handlers the program has.

    They log URLs and headers at the levels INFO and DEBUG, which OPENAI_LOG or a user may switch on.
    """
    for name in names:
        logging.getLogger(name).addFilter(_filter)
