"""The bytes of a voice while they arrive."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from s2s_desktop.errors import AssistantError
from s2s_desktop.speech_server.line import Line

if TYPE_CHECKING:
    import httpx2


class SoundStream:
    """Read by one thread; closed by that or any other one.

    Args:
        response: With its body unread.
        line: The connection that the response comes over.
        explain: Turns what a read raises into a sentence.
    """

    def __init__(
        self, response: httpx2.Response, line: Line, explain: Callable[[Exception], AssistantError]
    ) -> None:
        self._response = response
        self._bytes = response.iter_bytes()
        self._line = line
        self._explain = explain
        self._lock = threading.Lock()
        self._reading = False
        self._closed = False

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the response, with names in lower case."""
        return {name.lower(): value for name, value in self._response.headers.items()}

    def read(self) -> bytes | None:
        """Return the next bytes; None at the end, and once it is closed.

        Raises:
            AssistantError: The voice broke off.
        """
        with self._lock:
            if self._closed:
                return None
            self._reading = True
        failure: Exception | None = None
        chunk: bytes | None = None
        try:
            chunk = next(self._bytes, None)
        except Exception as error:
            failure = error
        with self._lock:
            self._reading = False
            closed = self._closed
        if closed or failure is not None or chunk is None:
            self.close()
            self._response.close()
        if failure is not None and not closed:
            raise self._explain(failure) from None
        return None if closed else chunk

    def close(self) -> None:
        """End the stream; a read that is under way returns None. Idempotent."""
        with self._lock:
            already, self._closed = self._closed, True
            reading = self._reading
        if reading:
            # The reading thread closes the response, which is not safe to do from here.
            self._line.cut()
        elif not already:
            self._response.close()
