"""One HTTP answer, read on a thread of its own, so that nothing a network does can hold up its reader.

A blocking client alone does not give that: looking up a name has no timeout, connecting tries every address
of a host with the full timeout each, and a read cannot be interrupted.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from s2s_desktop.models.progress import CancelToken, raise_if_cancelled

if TYPE_CHECKING:
    import httpx2

_QUEUED_CHUNKS = 64
_GLANCE_S = 0.1
"""How often a waiting reader looks at its cancel token."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How patient a download is.

    Attributes:
        step_s: Seconds each step toward an answer may take: connecting, TLS, the answer to each redirect.
        stall_s: Seconds without a byte after which a running transfer counts as broken.
        attempts: Attempts in a row that bring nothing new before a source is given up.
        backoff_s: Seconds before the second attempt; doubles each time.
    """

    step_s: float = 5.0
    stall_s: float = 20.0
    attempts: int = 4
    backoff_s: float = 0.5


@dataclass(frozen=True, slots=True)
class Head:
    """Status line and headers of the final answer, after redirects."""

    status: int
    headers: Mapping[str, str]
    url: str


class StalledError(Exception):
    """Nothing came for too long."""


class _Sign:
    """A step toward the answer was made, or the body has ended."""


_STEP = _Sign()
_END = _Sign()


class HttpStream:
    """A GET request under way. Use as a context manager; iterate for the body.

    Every wait ends at its limit or when `cancel` is set. Iterating raises `StalledError`,
    `DownloadCancelledError`, or what the HTTP client raised.
    """

    def __init__(
        self,
        client: httpx2.Client,
        url: str,
        headers: Mapping[str, str],
        limits: Limits,
        cancel: CancelToken,
    ) -> None:
        self._client = client
        self._url = url
        self._headers = headers
        self._limits = limits
        self._cancel = cancel
        self._queue: queue.Queue[_Sign | Head | bytes | Exception] = queue.Queue(_QUEUED_CHUNKS)
        self._closed = threading.Event()

    def __enter__(self) -> Self:
        # A daemon: one that hangs in a name look-up must not keep the program from ending.
        threading.Thread(target=self._read, name="download", daemon=True).start()
        try:
            self.head = self._wait_for_head()
        except BaseException:
            self._closed.set()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed.set()

    def __iter__(self) -> Iterator[bytes]:
        while (item := self._next(self._limits.stall_s)) is not _END:
            if isinstance(item, bytes):
                yield item

    def _wait_for_head(self) -> Head:
        while True:
            item = self._next(self._limits.step_s)
            if isinstance(item, Head):
                return item

    def _next(self, limit_s: float) -> _Sign | Head | bytes:
        deadline = time.monotonic() + limit_s
        while True:
            raise_if_cancelled(self._cancel)
            try:
                item = self._queue.get(timeout=_GLANCE_S)
            except queue.Empty:
                if time.monotonic() >= deadline:
                    raise StalledError(f"nothing came for {limit_s:g} s") from None
                continue
            if isinstance(item, Exception):
                raise item
            return item

    def _read(self) -> None:
        try:
            with self._client.stream(
                "GET", self._url, headers=self._headers, extensions={"trace": self._trace}
            ) as response:
                self._put(Head(response.status_code, response.headers, str(response.url)))
                # No chunk size: the client would hold bytes back until a chunk is full, which on a slow line
                # looks like a stall.
                for chunk in response.iter_raw():
                    if not self._put(chunk):
                        return
            self._put(_END)
        except Exception as error:  # whatever it is, the reader of this stream gets it
            self._put(error)

    def _trace(self, event: str, _info: dict[str, Any]) -> None:
        if event.endswith(".complete") and "_body" not in event:
            self._put(_STEP)

    def _put(self, item: _Sign | Head | bytes | Exception) -> bool:
        """Hand over an item; False when nobody reads any more."""
        while not self._closed.is_set():
            try:
                self._queue.put(item, timeout=_GLANCE_S)
            except queue.Full:
                continue
            return True
        return False
