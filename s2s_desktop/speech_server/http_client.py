"""The blocking HTTP client of a speech server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s_desktop.llm.http.proxies import Proxy
from s2s_desktop.llm.http.transport import KEEP_ALIVE_SECONDS, certificates, proxy_error
from s2s_desktop.speech_server.line import Line

if TYPE_CHECKING:
    import httpx2


def open_http_client(
    base_url: str, proxy: Proxy | None, timeout: httpx2.Timeout, line: Line
) -> httpx2.Client:
    """Return a client with the certificates of the system, one proxy at most and one connection.

    Args:
        base_url: Its scheme decides whether certificates are read.
        proxy: On the way to the server, None without one.
        timeout: Of every request.
        line: Is told about the connection.

    Raises:
        AssistantError: TLS or CONNECTION; the certificates or the proxy cannot be used.
    """
    import httpx2

    def watch(request: httpx2.Request) -> None:
        request.extensions["trace"] = line.trace

    verify = certificates(base_url, proxy)
    try:
        return httpx2.Client(
            verify=verify,
            # Otherwise every proxy of the environment would be set up.
            trust_env=False,
            proxy=proxy.url if proxy else None,
            timeout=timeout,
            limits=httpx2.Limits(max_connections=1, keepalive_expiry=KEEP_ALIVE_SECONDS),
            event_hooks={"request": [watch]},
        )
    except (ValueError, ImportError, httpx2.InvalidURL) as error:
        if proxy is None:
            raise
        raise proxy_error(proxy, error) from None
