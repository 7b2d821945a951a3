"""Backends by name."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.backend import HttpBackend
from s2s_desktop.llm.chat_completions import ChatCompletionsBackend
from s2s_desktop.llm.config import BACKENDS, BackendConfig, BackendName
from s2s_desktop.llm.http.negotiation import Quirks
from s2s_desktop.llm.responses import ResponsesBackend
from s2s_desktop.settings import backend_names

if TYPE_CHECKING:
    import httpx2

_log = logging.getLogger(__name__)

_CLASSES: dict[BackendName, type[HttpBackend]] = {
    "responses-api": ResponsesBackend,
    "chat-completions": ChatCompletionsBackend,
}


def backend_name(name: str) -> BackendName:
    """Return the backend that a name means, with a note in the log for an alias.

    Raises:
        AssistantError: BAD_REQUEST; there is no such backend.
    """
    try:
        known = backend_names.backend_name(name)
    except ValueError:
        raise AssistantError(
            ErrorKind.BAD_REQUEST, f"There is no backend “{name[:100]}”. Choose {' or '.join(BACKENDS)}."
        ) from None
    if name.strip().lower().replace("_", "-") != known:
        _log.warning("the backend %s is called %s", name, known)
    return known


def select_backend(
    name: str,
    config: BackendConfig,
    *,
    http_client: httpx2.AsyncClient | None = None,
    quirks: Quirks | None = None,
) -> HttpBackend:
    """Return a new backend.

    Args:
        name: `responses-api`, `chat-completions` or an alias.
        config: The endpoint and how to talk to it; backends may share one.
        http_client: Used instead of a client of our own, and not closed.
        quirks: What was learned about servers; None learns anew.

    Raises:
        AssistantError: BAD_REQUEST; there is no such backend. Everything else that is wrong with a profile
            shows at the first reply, so that the program starts and the user can mend it.
    """
    return _CLASSES[backend_name(name)](config, http_client=http_client, quirks=quirks)
