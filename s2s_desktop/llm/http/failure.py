"""A request that went wrong, and whom it went to."""

from __future__ import annotations

from dataclasses import dataclass

from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.config import BackendName
from s2s_desktop.llm.http.endpoint import Endpoint
from s2s_desktop.llm.http.error_bodies import ServerWords
from s2s_desktop.llm.http.proxies import Proxy


@dataclass(frozen=True, slots=True)
class Peer:
    """Whom a request goes to, as far as an error message needs to know.

    Attributes:
        endpoint: The endpoint.
        backend: The protocol.
        model: The model that was asked for.
        has_key: Whether a key was sent.
        proxy: The proxy on the way, None without one.
        connect_timeout: Seconds that connecting may take.
    """

    endpoint: Endpoint
    backend: BackendName
    model: str
    has_key: bool
    proxy: Proxy | None
    connect_timeout: float


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that went wrong.

    Attributes:
        error: What the user is told.
        retryable: Whether the same request may succeed a moment later.
        retry_after: Seconds that the server asks to wait, None when it does not say.
        refusal: The server's words when it did not accept the request as it was written, else None.
    """

    error: AssistantError
    retryable: bool = False
    retry_after: float | None = None
    refusal: ServerWords | None = None
