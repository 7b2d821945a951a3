"""The openai SDK, held to what this program says.

Importing this module imports the SDK, which takes a second: do it late, and off the loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, cast

import httpcore2
import httpx2
from openai import AsyncOpenAI, AsyncStream, Omit

from s2s_desktop import __version__
from s2s_desktop.llm.http.body_stream import BodyStream

MAX_ERROR_BYTES = 64 * 1024
"""Bytes that are read of the body of an error."""

_ERROR_BODY_SECONDS = 2.0
_UNUSED = "unused"
_BODY_HEADERS = ("content-encoding", "content-length", "transfer-encoding")


def only_said(
    base_url: str, api_key: str, query: Mapping[str, str], timeout: httpx2.Timeout
) -> dict[str, Any]:
    """Return every argument of an SDK client.

    What is left out would be read from OPENAI_ORG_ID, OPENAI_ADMIN_KEY and so on.
    """
    return {
        "api_key": api_key or _UNUSED,
        "admin_api_key": "",
        "organization": "",
        "project": "",
        "webhook_secret": "",
        "base_url": base_url,
        "default_query": query,
        "timeout": timeout,
        "max_retries": 0,
    }


def short_error(response: httpx2.Response, body: bytes, request: httpx2.Request) -> httpx2.Response:
    """Return an error with the start of its body in place of an unread one."""
    headers = [(k, v) for k, v in response.headers.multi_items() if k.lower() not in _BODY_HEADERS]
    return httpx2.Response(response.status_code, headers=headers, content=body, request=request)


class ProviderSdk(AsyncOpenAI):
    """An SDK client that reads nothing from the environment, follows no redirect and limits error bodies.

    Args:
        base_url: Of the endpoint.
        api_key: "" sends no Authorization header.
        headers: Headers of every request, over those of the SDK.
        query: Parameters of every request.
        http_client: Carries the requests.
        timeout: Limits of the HTTP client.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        http_client: httpx2.AsyncClient,
        timeout: httpx2.Timeout,
    ) -> None:
        self._own_headers = dict(headers)
        super().__init__(**only_said(base_url, api_key, query, timeout), http_client=http_client)
        names = {name.lower() for name in headers}
        self._no_key = not api_key and "authorization" not in names

    @property
    def default_headers(self) -> dict[str, str | Omit]:
        """Headers of every request, without OPENAI_CUSTOM_HEADERS and the telemetry of the SDK."""
        return {
            "Accept": "text/event-stream, application/json",
            # A compressing proxy holds small events back.
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "User-Agent": f"s2s-desktop/{__version__}",
            **self._own_headers,
        }

    async def open_stream(self, path: str, body: Mapping[str, object]) -> httpx2.Response:
        """Send a request and return the response with its body unread.

        Raises:
            openai.APIError: The request failed; `APIStatusError` for an answer that is no success.
        """
        headers: dict[str, str | Omit] = {"Authorization": Omit()} if self._no_key else {}
        response = await self.post(
            path,
            cast_to=httpx2.Response,
            body=dict(body),
            options={"headers": headers},
            stream=True,
            stream_cls=AsyncStream[object],
        )
        # With this `cast_to` the SDK hands the HTTP response over as it is, whatever the overload promises.
        return cast(httpx2.Response, response)

    async def _send_request(self, request: httpx2.Request, *, stream: bool, **kwargs: Any) -> httpx2.Response:
        """Send a request; the SDK would follow redirects and read an error's body to its end."""
        kwargs["follow_redirects"] = False
        opened = _OpenedConnection()
        request.extensions["trace"] = opened.trace
        try:
            response = await super()._send_request(request, stream=stream, **kwargs)
        except BaseException:
            await opened.aclose()
            raise
        if response.is_success:
            return response
        body = await _read_start(response)
        return short_error(response, body, request)


class _OpenedConnection:
    """Knows the connection that a request opens, and closes it when the request does not get through.

    httpcore2 leaves the socket open when a TLS handshake is cancelled: `AnyIOStream.start_tls` closes it for
    an `Exception` only, which `CancelledError` is not.
    """

    def __init__(self) -> None:
        self._stream: httpcore2.AsyncNetworkStream | None = None

    async def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Take an event of the connection (https://www.encode.io/httpcore/extensions/#trace)."""
        if event.endswith("connect_tcp.complete"):
            self._stream = info["return_value"]

    async def aclose(self) -> None:
        if self._stream is not None:
            await self._stream.aclose()


async def _read_start(response: httpx2.Response) -> bytes:
    """Return the first bytes of the body of an error, as far as they come soon, and close the response."""
    body = b""
    stream = BodyStream(response)
    try:
        async with asyncio.timeout(_ERROR_BODY_SECONDS):
            while len(body) < MAX_ERROR_BYTES and (chunk := await stream.read()) is not None:
                body += chunk
    except (TimeoutError, httpx2.HTTPError):
        # The status alone says what went wrong; what came of the body is kept.
        pass
    finally:
        await stream.aclose()
    return body[:MAX_ERROR_BYTES]
