"""Ask the built-in LLM whether it is there, and for what its own routes offer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from urllib.parse import urlsplit

ANSWER_LIMIT_S = 5.0
"""A server that says nothing for this long hangs: this answer needs no model and takes a millisecond."""


async def answers(url: str, api_key: str) -> bool:
    """Return whether the server at `url` says that it is ready.

    More than the system's word that the process runs: one that was killed this moment still looks alive, one
    that hangs always does.

    Args:
        url: `http://host:port/path`, without `/v1`.
        api_key: The server's key.
    """
    return await _succeeds(url, api_key, "GET", "/health", "")


async def obeys(url: str, api_key: str, route: str, body: Mapping[str, str]) -> bool:
    """Return whether the server did what a POST to `route` asks for; see `answers`."""
    return await _succeeds(url, api_key, "POST", route, json.dumps(body))


async def _succeeds(url: str, api_key: str, method: str, route: str, body: str) -> bool:
    """A bare connection, so that no proxy of the user's is asked."""
    parts = urlsplit(url)
    content = body.encode()
    request = (
        f"{method} {parts.path}{route} HTTP/1.0\r\nAuthorization: Bearer {api_key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    try:
        async with asyncio.timeout(ANSWER_LIMIT_S):
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            try:
                writer.write(request.encode() + content)
                return b" 200 " in await reader.readline()
            finally:
                writer.close()
    except OSError:  # refused, reset, or TimeoutError
        return False
