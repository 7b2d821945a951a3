"""The blocking client of the openai SDK, held to what this program says.

Importing this module imports the SDK, which takes a second: do it late, and on a worker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx2
from openai import Omit, OpenAI

from s2s_desktop import __version__
from s2s_desktop.llm.http.sdk import MAX_ERROR_BYTES, only_said, short_error


class SpeechSdk(OpenAI):
    """An SDK client that reads nothing from the environment, follows no redirect and limits error bodies.

    Args:
        base_url: Of the endpoint.
        api_key: "" sends no Authorization header.
        headers: Headers of every request.
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
        http_client: httpx2.Client,
        timeout: httpx2.Timeout,
    ) -> None:
        self._own_headers = dict(headers)
        super().__init__(**only_said(base_url, api_key, query, timeout), http_client=http_client)
        self.extra_headers: dict[str, str | Omit] = {} if api_key else {"Authorization": Omit()}
        """For every request: without a key the SDK would send a made-up one."""

    @property
    def default_headers(self) -> dict[str, str | Omit]:
        """Headers of every request, without OPENAI_CUSTOM_HEADERS and the telemetry of the SDK."""
        return {
            # Compressing sound only delays it.
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "User-Agent": f"s2s-desktop/{__version__}",
            **self._own_headers,
        }

    def _send_request(self, request: httpx2.Request, *, stream: bool, **kwargs: Any) -> httpx2.Response:
        """Send a request; the SDK would follow redirects and read an error's body to its end."""
        kwargs["follow_redirects"] = False
        response = super()._send_request(request, stream=stream, **kwargs)
        if response.is_success or not stream:
            return response
        body = b""
        try:
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) >= MAX_ERROR_BYTES:
                    break
        except httpx2.HTTPError:
            # The status alone says what went wrong; what came of the body is kept.
            pass
        finally:
            response.close()
        return short_error(response, body[:MAX_ERROR_BYTES], request)
