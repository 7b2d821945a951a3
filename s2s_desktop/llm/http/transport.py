"""What every HTTP client of this program has in common: certificates, one proxy, long-lived connections."""

from __future__ import annotations

import ssl

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.http.proxies import Proxy
from s2s_desktop.llm.redaction import redact

KEEP_ALIVE_SECONDS = 60.0
"""A connection waits this long for the next turn; the library's 5 seconds are less than a spoken answer."""


def certificates(base_url: str, proxy: Proxy | None) -> ssl.SSLContext:
    """Return the certificates of the system; reading them takes a while, and a server without TLS needs none.

    Raises:
        AssistantError: TLS; they cannot be read.
    """
    import httpx2

    try:
        if base_url.startswith("https:") or proxy is not None:
            return httpx2.create_ssl_context()
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    except OSError as error:
        raise AssistantError(
            ErrorKind.TLS,
            "The certificates named by SSL_CERT_FILE or SSL_CERT_DIR cannot be read. Correct or unset it.",
            str(error),
        ) from None


def proxy_error(proxy: Proxy, error: Exception) -> AssistantError:
    """Return what to tell about a proxy that no client can be made for."""
    return AssistantError(
        ErrorKind.CONNECTION,
        f"The proxy set by {proxy.source} cannot be used. Correct it (http://host:port) or unset it.",
        redact(f"{type(error).__name__}: {error}"),
    )
