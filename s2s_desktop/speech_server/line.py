"""The connection that a request waits on, so that another thread can cut it."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import Any


class Line:
    """Knows the newest connection of an HTTP client that uses one at a time."""

    def __init__(self) -> None:
        self._stream: Any = None

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Take an event of the connection (https://www.encode.io/httpcore/extensions/#trace)."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._stream = info["return_value"]

    def cut(self) -> None:
        """Make a read or write that is under way in another thread fail at once. Idempotent.

        Closing a socket does not wake the thread that waits on it, shutting it down does.
        """
        connection = self._stream.get_extra_info("socket") if self._stream is not None else None
        if isinstance(connection, socket.socket):
            try:
                # Not the method of an SSL socket: that takes the TLS state away under the reading thread.
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
            except OSError:
                return  # It is closed already.
