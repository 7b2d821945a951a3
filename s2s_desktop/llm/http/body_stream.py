"""The bytes of a response while they arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2


class BodyStream:
    """Reads the body of a response and closes it at any point."""

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response
        self._chunks = response.aiter_bytes()

    async def read(self) -> bytes | None:
        """Return the next bytes, None at the end of the body."""
        return await anext(self._chunks, None)

    async def aclose(self) -> None:
        """Close the connection unless the whole body was read. Idempotent.

        The response goes first: closing the generators of httpx2 reaches the socket only with the help of the
        loop's hooks for generators, which qasync does not set.
        """
        await self._response.aclose()
        await self._chunks.aclose()
