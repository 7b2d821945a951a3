"""Makes text harmless inside of a Markdown document.

A reply is Markdown itself and keeps its lists, emphasis and code. What would act on the reader becomes
visible text: HTML, pictures (viewers load them from anywhere), and links that are no web address.
Inside of code these signs mean nothing and their escapes would show, so that code is told apart, and where it
is not certain what is code, nothing is taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_OTHER_FENCE = re.compile(r"[\s>*+\-\d.)]+(?:`{3,}|~{3,})")
_PLAIN = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>&~|$"})
_LINE_START = re.compile(r"(\d+)([.)])|([#+\-=])")
_WEB_LINK = re.compile(r"\]\((?!https?://|mailto:)", re.IGNORECASE)
_RUN = re.compile("`+")


def literal(text: str) -> str:
    """Return Markdown that shows exactly this text, line by line."""
    return "\\\n".join(_literal_line(line) for line in text.split("\n"))


def inert(text: str) -> str:
    """Return Markdown with everything that would act made text."""
    done: list[str] = []
    paragraph: list[str] = []
    fence = ""
    certain = True
    for line in text.split("\n"):
        opened = _FENCE.match(line) if certain else None
        if fence:
            if re.fullmatch(rf" {{0,3}}{fence[0]}{{{len(fence)},}}[ \t]*", line):
                fence = ""
            done.append(line)
        elif opened:
            done += _inert_paragraph(paragraph)
            paragraph = []
            fence = opened[1] or opened[2]
            done.append(line)
        else:
            # A block of code inside of a list ends where the list does: too much to follow.
            certain = certain and not _OTHER_FENCE.match(line)
            paragraph.append(line)
            if not line.strip():
                done += _inert_paragraph(paragraph)
                paragraph = []
    done += _inert_paragraph(paragraph)
    return "\n".join(done)


def fenced(text: str) -> str:
    """Return text as a block of code, whatever is in it."""
    longest = max((len(run) for run in _RUN.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def quoted(text: str) -> str:
    """Return a block quotation: whatever is left open inside ends with it."""
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _literal_line(line: str) -> str:
    body = line.lstrip(" \t")
    indent = "&nbsp;" * len(line[: len(line) - len(body)].expandtabs(4))
    start = _LINE_START.match(body)
    if start is None:
        return indent + body.translate(_PLAIN)
    escaped = f"{start[1]}\\{start[2]}" if start[1] else f"\\{start[3]}"
    return indent + escaped + body[start.end() :].translate(_PLAIN)


def _inert_paragraph(lines: Iterable[str]) -> list[str]:
    """Return neighboring lines made inert; inline code is told apart where every line closes its own."""
    split = [_code_split(line) for line in lines]
    if any(pieces is None for pieces in split):
        return [_without_effect(line) for line in lines]
    return [
        "".join(
            _without_effect(piece) if place % 2 == 0 else piece for place, piece in enumerate(pieces or ())
        )
        for pieces in split
    ]


def _code_split(line: str) -> list[str] | None:
    """Split a line into text and inline code by turns, text first; None where a span does not end in it."""
    pieces: list[str] = []
    position = 0
    runs = iter(_RUN.finditer(line))
    for opener in runs:
        if line[: opener.start()].endswith("\\"):
            return None
        closer = next((run for run in runs if run[0] == opener[0]), None)
        if closer is None:
            return None
        pieces += [line[position : opener.start()], line[opener.start() : closer.end()]]
        position = closer.end()
    return [*pieces, line[position:]]


def _without_effect(text: str) -> str:
    text = text.replace("<", "&lt;").replace("![", "!\\[").replace("]:", "]\\:")
    return _WEB_LINK.sub(r"]\\(", text)
