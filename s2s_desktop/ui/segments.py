"""Cuts a streamed Markdown text into pieces that are laid out one by one.

Only the last piece changes while a reply streams, so the cost of showing a token does not grow with the
length of the reply. Code blocks are pieces of their own: they get a copy button and do not wrap. So are
tables: one that is too wide scrolls by itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SOFT_LENGTH = 1500
"""A text piece longer than this ends at its next paragraph."""
HARD_LENGTH = 2000
"""A text piece ends here even inside a paragraph: laying it out takes at most about 8 ms."""
CODE_LENGTH = 20_000
TABLE_LENGTH = 10_000
TABLE_BARS = 240
"""A table with more bars goes on in another piece, under the same header: a cell takes about 0.35 ms."""

_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[^\s`]*)[^`]*$")
_UNDECIDED = re.compile(r"^\s*([-=*+#>|`~_]+|`{3,}\S*|~{3,}\S*|\d+[.)]?)[ \t]*$")
"""A last line that may still become something else: "-" a list or the underline of a heading."""

_HEADER = re.compile(r"[ \t]*(?![>#]|[-+*][ \t]|\d{1,9}[.)][ \t])[^ \t]")
_DELIMITERS = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
"""The second line of a table: https://github.github.com/gfm/#tables-extension-"""
_DELIMITERS_START = re.compile(r"[ \t|:-]*")
_ROW_START = re.compile(r"[ \t]*\|")
_BAR = re.compile(r"(?<!\\)\|")
_LAST_BAR = re.compile(r"(?<!\\)\|$")

_SENTENCE_END = re.compile(r"""[.!?…]["'”’)]*\s+|[。！？]""")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a reply.

    Attributes:
        text: Markdown, or the code without its fences.
        is_code: Whether it is a code block.
        language: Of a code block, as the model named it; "" otherwise.
        continues: A text that begins in the middle of a paragraph, or the rest of a table, which was too long
            for one piece.
        is_table: Whether it is a table; its first line is the header.
    """

    text: str
    is_code: bool = False
    language: str = ""
    continues: bool = False
    is_table: bool = False


class SegmentSplitter:
    """Takes a text in pieces of any size and gives the segments seen so far.

    Attributes:
        closed: Segments that will not change any more.
    """

    def __init__(self) -> None:
        self.closed: list[Segment] = []
        self._lines: list[str] = []
        self._length = 0
        self._partial = ""
        self._fence = ""
        self._indent = ""
        self._language = ""
        self._table: tuple[str, str] | None = None
        """The first two lines of the table that is being read."""
        self._continues = False

    def feed(self, text: str) -> None:
        """Take the next characters."""
        *lines, self._partial = (self._partial + text).split("\n")
        for line in lines:
            self._take_line(line)
        limit = self._limit()
        while len(self._partial) > limit:
            head, self._partial = _cut(self._partial, limit)
            self._add(head)
            self._close(inside=True)

    def finish(self) -> None:
        """Take the end of the text: nothing is undecided any more."""
        if self._partial:
            self._take_line(self._partial)
            self._partial = ""
        self._close(ended=True)

    def open_segment(self) -> Segment | None:
        """Return the segment that is still growing; None when there is nothing to show of it."""
        lines = self._lines
        if self._table:
            return Segment("\n".join(lines), is_table=True, continues=self._continues)  # only whole rows
        if not self._fence and _ROW_START.match(self._partial):
            if lines and _DELIMITERS_START.fullmatch(self._partial) and _ROW_START.match(lines[-1]):
                lines = lines[:-1]
        elif self._partial and not _UNDECIDED.match(self._partial):
            lines = [*lines, self._partial]
        elif not self._fence and not self._partial and lines and _ROW_START.match(lines[-1]):
            lines = lines[:-1]
        text = "\n".join(lines)
        if self._fence:
            return Segment(text, is_code=True, language=self._language)
        # White space at the end cannot be seen yet, and Markdown drops it: it comes with the next word.
        return Segment(text.rstrip(), continues=self._continues) if text.strip() else None

    def _take_line(self, line: str) -> None:
        fence = _FENCE.match(line)
        if self._fence:
            if fence and not fence["language"] and fence["fence"].startswith(self._fence):
                self._close(ended=True)
                self._fence = ""
            else:
                self._add(line.removeprefix(self._indent))
            return
        if fence:
            self._end_table()
            self._close()
            self._fence, self._indent, self._language = fence["fence"], fence["indent"], fence["language"]
            return
        if self._table and "|" in line:
            self._add_row(self._table, line.strip())
            return
        self._end_table()
        if self._lines and _is_table(self._lines[-1], line):
            self._begin_table(line)
            return
        if self._length > SOFT_LENGTH and not self._lines[-1].strip() and line[:1] not in ("", " ", "\t"):
            self._close()
        if not self._lines and not line.strip():
            self._continues = False
        self._add(line)

    def _begin_table(self, delimiters: str) -> None:
        """Take the last line as the header of a table."""
        header = self._lines.pop()
        self._close()
        self._table = (header.strip(), delimiters.strip())
        self._add_header(self._table)

    def _add_header(self, table: tuple[str, str]) -> None:
        for line in table:
            self._add(line)

    def _add_row(self, table: tuple[str, str], row: str) -> None:
        bars = row.count("|") + sum(line.count("|") for line in self._lines)
        if not self._lines or bars > TABLE_BARS or self._length + len(row) > TABLE_LENGTH:
            self._close()
            self._continues = True
            self._add_header(table)
        self._add(row)

    def _end_table(self) -> None:
        if self._table:
            self._close()
            self._table = None

    def _add(self, line: str) -> None:
        limit = self._limit()
        while len(line) > limit:
            head, line = _cut(line, limit)
            self._lines.append(head)
            self._close(inside=True)
        self._lines.append(line)
        self._length += len(line) + 1
        if self._length > limit:
            self._close(inside=bool(line.strip()))

    def _close(self, *, ended: bool = False, inside: bool = False) -> None:
        """End a segment.

        Args:
            ended: A code block is complete, even if nothing is in it.
            inside: The paragraph goes on in the next segment.
        """
        text = "\n".join(self._lines)
        if self._fence and (self._lines or ended):
            self.closed.append(Segment(text, is_code=True, language=self._language))
            self._continues = False
        elif self._table and self._lines:
            self.closed.append(Segment(text, continues=self._continues, is_table=True))
            self._continues = False
        elif self._lines:
            if text.strip():
                self.closed.append(Segment(text, continues=self._continues))
            self._continues = inside and bool(text.strip())
        self._lines = []
        self._length = 0

    def _limit(self) -> int:
        if self._table:
            return TABLE_LENGTH
        return CODE_LENGTH if self._fence else HARD_LENGTH


def _is_table(header: str, line: str) -> bool:
    """Tell whether `line` makes a table of the line before it."""
    if "|" not in line or "|" not in header or max(len(header), len(line)) > TABLE_LENGTH // 8:
        return False
    cells = _count_cells(header)
    return bool(
        cells <= TABLE_BARS // 8
        and cells == _count_cells(line)
        and _HEADER.match(header)
        and _DELIMITERS.fullmatch(line)
    )


def _count_cells(row: str) -> int:
    row = row.strip()
    inner = _LAST_BAR.sub("", row.removeprefix("|"))
    return len(_BAR.findall(inner)) + 1


def _cut(line: str, limit: int) -> tuple[str, str]:
    """Cut a line that is too long: behind a sentence, else behind a word, else anywhere."""
    sentences = [end.end() for end in _SENTENCE_END.finditer(line, limit // 2, limit)]
    space = line.rfind(" ", limit // 2, limit)
    at = sentences[-1] if sentences else (space + 1 if space >= 0 else limit)
    return line[:at], line[at:]
