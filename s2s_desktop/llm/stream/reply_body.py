"""The body of a reply as JSON objects, whichever way the server chose to send it.

A server that was asked for an event stream may answer with one JSON document (LM Studio does for a wrong
path) or with a web page (proxies do), and one that was asked for a document may stream or put white space
ahead of it to keep the connection alive. The first character tells them apart; the content type is not
trusted.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from s2s_desktop.llm.stream.loose_json import Json, parse_object
from s2s_desktop.llm.stream.sse import MAX_RECORD_BYTES, Record, RecordTooLong, SseDecoder

MAX_BODY_BYTES = 64 * 1024 * 1024
"""A reply of an assistant that speaks stays below a megabyte; past this a server has run wild."""

_BOM = b"\xef\xbb\xbf"
_DONE = "[DONE]"
_KEPT_BYTES = 2_000


@dataclass(frozen=True, slots=True)
class Payload:
    """One JSON object of a reply.

    Attributes:
        value: The object; empty for the end marker.
        event: The name on the `event:` line of its record, "" without one.
        whole: It is the whole reply rather than a step of a stream.
        done: It is the `[DONE]` marker.
    """

    value: Json
    event: str = ""
    whole: bool = False
    done: bool = False


class UnreadableReply(ValueError):
    """The body is nothing that either protocol sends.

    Attributes:
        reason: What it is instead, as the end of a sentence that begins with "The server sent".
        excerpt: Its first characters.
    """

    def __init__(self, reason: str, excerpt: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.excerpt = excerpt


class ReplyBody:
    """Turns the bytes of a body into payloads."""

    def __init__(
        self, max_body_bytes: int = MAX_BODY_BYTES, max_record_bytes: int = MAX_RECORD_BYTES
    ) -> None:
        self._max_body = max_body_bytes
        self._max_record = max_record_bytes
        self._sse = SseDecoder(max_record_bytes)
        self._first = b""
        self._document = bytearray()
        self._kind = ""
        self._size = 0
        self._payloads = 0

    def feed(self, chunk: bytes) -> list[Payload]:
        """Return the payloads that `chunk` completes.

        Raises:
            UnreadableReply: The body is too long, or a record of it is damaged.
        """
        self._size += len(chunk)
        if self._size > self._max_body:
            raise self._unreadable("an endless reply")
        if len(self._first) < _KEPT_BYTES:
            self._first = (self._first + chunk[:_KEPT_BYTES]).lstrip()
        if not self._kind:
            self._kind = _kind_of(self._first)
        if self._kind in ("document", "page"):
            self._document += chunk
            if len(self._document) > self._max_record:
                raise self._unreadable("a reply of more than a few megabytes")
            return []
        try:
            records = self._sse.feed(chunk)
        except RecordTooLong:
            raise self._unreadable("a record of more than a few megabytes") from None
        return self._payloads_of(records)

    def close(self) -> list[Payload]:
        """Return what the end of the body completes.

        Raises:
            UnreadableReply: The body as a whole was nothing to read.
        """
        if self._kind == "page":
            raise self._unreadable(_page_title(self._document))
        if self._kind == "document":
            value = parse_object(self._document.decode("utf-8-sig", "replace"))
            if value is None:
                raise self._unreadable("damaged JSON")
            return [Payload(value, whole=True)]
        payloads = [payload for record in self._sse.close() for payload in _payloads_in(record)]
        if not payloads and not self._payloads and self._first.strip():
            raise self._unreadable("something that is no answer")
        return payloads

    def _payloads_of(self, records: list[Record]) -> list[Payload]:
        payloads: list[Payload] = []
        for record in records:
            found = _payloads_in(record)
            # Keep-alive notes wrapped as data are no JSON at all; a broken object is a lost bit of the reply.
            if not found and record.data.lstrip().startswith("{"):
                raise self._unreadable("damaged JSON")
            payloads += found
        self._payloads += len(payloads)
        return payloads

    def _unreadable(self, reason: str) -> UnreadableReply:
        return UnreadableReply(reason, self._first.decode("utf-8", "replace"))


def _kind_of(first: bytes) -> str:
    """Return what a body is that begins with `first`; "" while that cannot be told."""
    start = first.removeprefix(_BOM).lstrip()[:1]
    if not start or (len(first) < len(_BOM) and _BOM.startswith(first)):
        return ""
    return {b"{": "document", b"[": "document", b"<": "page"}.get(start, "stream")


def _payloads_in(record: Record) -> list[Payload]:
    """Return what `record` holds: one object, or one a line where a server leaves the blank lines out."""
    whole = _payload(record.event, record.data)
    if whole is not None:
        return [whole]
    each = [_payload(record.event, line) for line in record.data.split("\n") if line.strip()]
    return [payload for payload in each if payload is not None] if all(each) else []


def _payload(event: str, data: str) -> Payload | None:
    if data.strip() == _DONE:
        return Payload({}, event, done=True)
    value = parse_object(data)
    if value is None and event == "error":
        value = {"message": data}
    return None if value is None else Payload(value, event)


def _page_title(page: bytes | bytearray) -> str:
    text = page.decode("utf-8", "replace")
    title = re.search(r"<title[^>]*>(.{1,200}?)</title>", text, re.IGNORECASE | re.DOTALL)
    return f"a web page titled “{html.unescape(title[1]).strip()}”" if title else "a web page"
