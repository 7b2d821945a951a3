"""One downloader for every HTTP source: resumes, retries, and says in words why it could not."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import urlsplit

from s2s_desktop.models.disk import storage_errors
from s2s_desktop.models.http_client import BrokenTransferError, HttpClient, SourceError, check_status
from s2s_desktop.models.http_stream import Head, HttpStream, Limits
from s2s_desktop.models.progress import CancelToken, DownloadCancelledError

T = TypeVar("T")
_log = logging.getLogger(__name__)

_PAGE_LIMIT_BYTES = 32 << 20


class Transfer:
    """Fetches files and pages. Blocking: run it on a worker thread. Use as a context manager."""

    def __init__(self, cancel: CancelToken, limits: Limits | None = None) -> None:
        self._cancel = cancel
        self._limits = limits or Limits()
        self._client = HttpClient(self._limits, cancel)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()

    def fetch(
        self,
        url: str,
        target: Path,
        *,
        size: int | None,
        on_bytes: Callable[[int], None],
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Download to `target`, going on from what is there already.

        Args:
            url: Where from. Redirects are followed; `headers` stay with the host of `url`.
            target: The partial file; complete when this returns. Kept when this raises.
            size: Bytes of the whole file, or None when unknown.
            on_bytes: Called with the size of `target` as it grows.
            headers: Sent along.

        Raises:
            SourceError: The source cannot give the file.
            DownloadCancelledError: The cancel token was set.
            AssistantError: The disk is full or cannot be written.
        """
        with storage_errors(target.parent):
            self._retry(
                url,
                lambda: self._fetch_once(url, target, size, on_bytes, headers or {}),
                lambda: _size_of(target),
            )

    def read_page(self, url: str, headers: Mapping[str, str]) -> tuple[Head, bytes]:
        """Return an answer of at most 32 MB.

        Raises:
            SourceError: The page cannot be had.
            DownloadCancelledError: The cancel token was set.
        """
        return self._retry(url, lambda: self._read_once(url, headers), lambda: 0)

    def _read_once(self, url: str, headers: Mapping[str, str]) -> tuple[Head, bytes]:
        with self._client.get(url, headers) as stream:
            check_status(stream.head.status)
            body = bytearray()
            for chunk in stream:
                body += chunk
                if len(body) > _PAGE_LIMIT_BYTES:
                    raise SourceError("sent something else", "the page is too long")
            return stream.head, bytes(body)

    def _fetch_once(
        self,
        url: str,
        target: Path,
        size: int | None,
        on_bytes: Callable[[int], None],
        headers: Mapping[str, str],
    ) -> None:
        offset = _size_of(target)
        if size is not None and offset > size:
            target.unlink()
            offset = 0
        if offset == size:
            return
        ranges = {"Range": f"bytes={offset}-", **_if_range(target, url)} if offset else {}
        with self._client.get(url, {**headers, **ranges}) as stream:
            start, total = self._plan(stream.head, target, offset)
            if size is not None and total is not None and total != size:
                raise SourceError("has a different file", f"{total} bytes instead of {size} at {url}")
            _remember(target, url, stream.head)
            written = self._write(stream, target, start, size or total, on_bytes)
        expected = size or total
        if expected is not None and written < expected:
            raise BrokenTransferError("broke off the download", f"{written} of {expected} bytes from {url}")

    def _plan(self, head: Head, target: Path, offset: int) -> tuple[int, int | None]:
        """Return where in the file the body starts, and the size of the whole file if the server says."""
        if head.status == 416 and offset:
            target.unlink(missing_ok=True)
            raise BrokenTransferError("has a different file", f"HTTP 416 from {head.url}")
        check_status(head.status)
        if head.status != 206:
            return 0, _number(head.headers.get("content-length"))
        span, _, total = head.headers.get("content-range", "").removeprefix("bytes ").partition("/")
        if span.split("-")[0] != str(offset):
            target.unlink(missing_ok=True)
            raise BrokenTransferError("broke off the download", f"Content-Range {span!r} for offset {offset}")
        return offset, _number(total)

    def _write(
        self,
        stream: HttpStream,
        target: Path,
        start: int,
        limit: int | None,
        on_bytes: Callable[[int], None],
    ) -> int:
        """Append the body to `target` from `start` on; returns its size. Unbuffered: a kill loses nothing."""
        with target.open("ab" if start else "wb", buffering=0) as file:
            written = start
            on_bytes(written)
            for chunk in stream:
                if limit is not None and written + len(chunk) > limit:
                    raise SourceError("has a different file", f"more than {limit} bytes")
                _write_all(file.write, chunk)
                written += len(chunk)
                on_bytes(written)
        return written

    def _retry(self, url: str, attempt: Callable[[], T], progress: Callable[[], int]) -> T:
        best = progress()
        failures = 0
        while True:
            try:
                return attempt()
            except BrokenTransferError as interruption:
                failure = interruption.failure
            if failure.unreachable and not self._client.has_answered(url):
                raise failure
            reached = progress()
            failures = 1 if reached > best else failures + 1
            best = max(best, reached)
            if failures >= self._limits.attempts:
                raise failure
            _log.info("download of %s interrupted, trying again: %s", urlsplit(url).path, failure)
            if self._cancel.wait(self._limits.backoff_s * 2 ** (failures - 1)):
                raise DownloadCancelledError


def _etag_file(target: Path) -> Path:
    return target.with_name(f"{target.name}.origin")


def _remember(target: Path, url: str, head: Head) -> None:
    origin = {"url": url, "etag": head.headers.get("etag", "")}
    _etag_file(target).write_text(json.dumps(origin), encoding="utf-8")


def _if_range(target: Path, url: str) -> dict[str, str]:
    """Ask for the rest only if the file is still the one the partial file began with.

    Without a strong ETag of the same address the rest is asked for all the same: the SHA-256 decides at the
    end.
    """
    try:
        origin = json.loads(_etag_file(target).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    etag = origin.get("etag", "") if isinstance(origin, dict) and origin.get("url") == url else ""
    return {"If-Range": etag} if etag.startswith('"') else {}


def _size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None


def _write_all(write: Callable[[memoryview], int | None], chunk: bytes) -> None:
    """Write all of `chunk`: an unbuffered write may take less, on a disk that is filling up."""
    view = memoryview(chunk)
    while view:
        view = view[write(view) or 0 :]
