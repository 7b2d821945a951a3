"""The HTTP side of a backend: client, proxy, key and headers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import BackendConfig, BackendName
from s2s_desktop.llm.http.credentials import clean_api_key, clean_headers
from s2s_desktop.llm.http.endpoint import API_PATHS, normalize_base_url
from s2s_desktop.llm.http.failure import Peer
from s2s_desktop.llm.http.proxies import Proxy, find_proxy
from s2s_desktop.llm.http.transport import KEEP_ALIVE_SECONDS, certificates, proxy_error
from s2s_desktop.llm.redaction import guard_http_logs, remember_secrets

if TYPE_CHECKING:
    import httpx2

    from s2s_desktop.llm.http.sdk import ProviderSdk


class ProviderClient:
    """Sends the requests of one backend to its endpoint.

    The SDK is imported and set up at the first request, on a thread, because that takes a second. The key
    goes to the host of the base URL only: redirects are not followed.

    Args:
        config: The endpoint and how to talk to it.
        backend: Decides the path.
        http_client: Used instead of a client of our own, and not closed.
    """

    def __init__(
        self, config: BackendConfig, backend: BackendName, http_client: httpx2.AsyncClient | None = None
    ) -> None:
        self._config = config
        self._backend = backend
        self._given = http_client
        self._own: httpx2.AsyncClient | None = None
        self._sdk: ProviderSdk | None = None
        self._preparing = asyncio.Lock()
        self._closed = False
        self.peer: Peer | None = None
        """Whom requests go to; None until `prepare`."""

    async def prepare(self) -> Peer:
        """Import and set up what the first request needs. Idempotent.

        Raises:
            AssistantError: The base URL, the key, the model or the proxy cannot be used.
        """
        async with self._preparing:
            if self._closed:
                raise AssistantError(ErrorKind.INTERNAL, "This connection is closed already.")
            if self._sdk is None:
                self._sdk = await asyncio.to_thread(self._set_up)
        assert self.peer is not None
        return self.peer

    async def post(self, body: Mapping[str, object]) -> httpx2.Response:
        """Send a request and return the response with its body unread.

        Raises:
            AssistantError: As `prepare`.
            openai.APIError: The request failed.
        """
        await self.prepare()
        assert self._sdk is not None
        return await self._sdk.open_stream(API_PATHS[self._backend], body)

    async def aclose(self) -> None:
        """Close the HTTP client unless it was given. Idempotent."""
        self._closed = True
        if self._own is not None:
            await self._own.aclose()

    def _find_peer(self) -> Peer:
        endpoint = normalize_base_url(self._config.base_url, self._backend)
        if not self._config.model.strip():
            raise AssistantError(ErrorKind.BAD_REQUEST, "No model is chosen. Enter its name in this profile.")
        key = clean_api_key(self._config.api_key)
        scheme = endpoint.base_url.partition(":")[0]
        through_proxy = self._given is None and not endpoint.is_local
        return Peer(
            endpoint=endpoint,
            backend=self._backend,
            model=self._config.model.strip(),
            has_key=bool(key) or "authorization" in {name.lower() for name in self._config.headers},
            proxy=find_proxy(scheme, endpoint.hostname) if through_proxy else None,
            connect_timeout=self._config.timeouts.connect,
        )

    def _set_up(self) -> ProviderSdk:
        """Runs on a thread: it imports, asks the system for proxies and loads certificates."""
        import httpx2

        from s2s_desktop.llm.http.sdk import ProviderSdk

        guard_http_logs()
        self.peer = self._find_peer()
        endpoint, key = self.peer.endpoint, clean_api_key(self._config.api_key)
        headers = clean_headers(self._config.headers)
        query = {**dict(endpoint.query), **self._config.query}
        remember_secrets(key, headers, query)
        if key and endpoint.key_header != "Authorization":
            headers = {endpoint.key_header: key, **headers}
            key = ""
        # Reading is limited by the watchdog: a timeout of the client makes a timer for every read.
        timeout = httpx2.Timeout(None, connect=self._config.timeouts.connect)
        if self._given is None:
            self._own = _http_client(endpoint.base_url, self.peer.proxy, timeout)
        http_client = self._given or self._own
        assert http_client is not None
        return ProviderSdk(
            base_url=endpoint.base_url,
            api_key=key,
            headers=headers,
            query=query,
            http_client=http_client,
            timeout=timeout,
        )


def _http_client(base_url: str, proxy: Proxy | None, timeout: httpx2.Timeout) -> httpx2.AsyncClient:
    """Return a client with the certificates of the system and one proxy at most."""
    import httpx2

    verify = certificates(base_url, proxy)
    try:
        return httpx2.AsyncClient(
            verify=verify,
            # Otherwise every proxy of the environment would be set up.
            trust_env=False,
            proxy=proxy.url if proxy else None,
            timeout=timeout,
            limits=httpx2.Limits(max_connections=10, keepalive_expiry=KEEP_ALIVE_SECONDS),
        )
    except (ValueError, ImportError, httpx2.InvalidURL) as error:
        if proxy is None:
            raise
        raise proxy_error(proxy, error) from None
