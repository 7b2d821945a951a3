"""Ask the built-in LLM whether it is there."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

ANSWER_LIMIT_S = 5.0
"""A server that says nothing for this long hangs: this answer needs no model and takes a millisecond."""


async def answers(url: str, api_key: str) -> bool:
    """Return whether the server at `url` says that it is ready.

    More than the system's word that the process runs: one that was killed this moment still looks alive, one
    that hangs always does. A bare connection, so that no proxy of the user's is asked.

    Args:
        url: `http://host:port/path`, without `/v1`.
        api_key: The server's key.
    """
    parts = urlsplit(url)
    request = f"GET {parts.path}/health HTTP/1.0\r\nAuthorization: Bearer {api_key}\r\n\r\n"
    try:
        async with asyncio.timeout(ANSWER_LIMIT_S):
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            try:
                writer.write(request.encode())
                return b" 200 " in await reader.readline()
            finally:
                writer.close()
    except OSError:  # refused, reset, or TimeoutError
        return False
