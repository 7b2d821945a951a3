"""Server-sent events from bytes, as the HTML standard defines them.

https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

The decoder of the openai SDK is not used: it raises on a record without data
(https://github.com/openai/openai-python/issues/2722) and loses a last record that no blank line ends.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_RECORD_BYTES = 4 * 1024 * 1024
"""A record that grows past this is no event stream; the closing event of a long reply stays far below it."""

_LINE_END = re.compile(rb"[\r\n]")
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Record:
    """One event.

    Attributes:
        event: The value of its `event` field, "" without one.
        data: Its `data` lines joined by a line feed.
    """

    event: str
    data: str


class RecordTooLong(ValueError):
    """A line or record exceeds `MAX_RECORD_BYTES`."""


class SseDecoder:
    """Turns the bytes of an event stream into records, however the bytes are cut.

    Lines end in LF, CR or CRLF. Comments, `id`, `retry` and unknown fields are skipped, and so are records
    without data. A line `error: ...`, which old llama.cpp servers send, counts as the data of an `error`
    event. Bytes that are no UTF-8 become U+FFFD.
    """

    def __init__(self, max_record_bytes: int = MAX_RECORD_BYTES) -> None:
        self._limit = max_record_bytes
        self._line = bytearray()
        self._scanned = 0
        self._skip_line_feed = False
        self._at_start = True
        self._event = ""
        self._data: list[str] = []
        self._size = 0

    def feed(self, chunk: bytes) -> list[Record]:
        """Return the records that `chunk` completes.

        Raises:
            RecordTooLong: What is still open is longer than the limit.
        """
        records: list[Record] = []
        self._line += chunk
        while match := _LINE_END.search(self._line, self._scanned):
            line = bytes(self._line[: match.start()])
            after_return = self._skip_line_feed and not line and match.group() == b"\n"
            self._skip_line_feed = match.group() == b"\r"
            del self._line[: match.end()]
            self._scanned = 0
            if not after_return:
                self._read_line(line, records)
        self._scanned = len(self._line)
        if self._size + len(self._line) > self._limit:
            raise RecordTooLong(f"a record of more than {self._limit} bytes")
        return records

    def close(self) -> list[Record]:
        """Return what the end of the body leaves: a last record without its blank line."""
        records: list[Record] = []
        if self._line:
            self._read_line(bytes(self._line), records)
            self._line.clear()
            self._scanned = 0
        self._end_record(records)
        return records

    def _read_line(self, line: bytes, records: list[Record]) -> None:
        if self._at_start:
            self._at_start = False
            line = line.removeprefix(_BOM)
        if not line:
            self._end_record(records)
            return
        self._size += len(line)
        field, _, value = line.partition(b":")
        text = value.removeprefix(b" ").decode("utf-8", "replace")
        if field == b"data":
            self._data.append(text)
        elif field == b"event":
            self._event = text
        elif field == b"error" and text:
            self._event = "error"
            self._data.append(text)

    def _end_record(self, records: list[Record]) -> None:
        data = "\n".join(self._data)
        if data:
            records.append(Record(self._event, data))
        self._event = ""
        self._data = []
        self._size = 0
