"""Keeps the line breaks of prose, which Markdown would turn into spaces."""

from __future__ import annotations

import re
from itertools import pairwise

_BREAK = " \u2028"
"""A line separator stays inside its paragraph; the space lets emphasis end before it."""

_BEGINS_A_BLOCK = re.compile(r"^(\s|[-+*]\s|\d{1,9}[.)]\s|[#>|`~=]|[-*_]{3,}|\[[^\]]*\]:|$)")
_IS_NO_PROSE = re.compile(r"^(\t| {4}|\s*#|\s*\[[^\]]*\]:|\s*[-=*_~`]*\s*$)")


def keep_line_breaks(markdown: str) -> str:
    """Return `markdown` with a break wherever a line of prose follows another.

    People read what a model writes line by line (verses, addresses, "Name: value"), as on GitHub. Lines that
    begin a block, rows of tables and indented lines are left to Markdown.
    """
    lines = markdown.split("\n")
    kept = [lines[0]]
    for before, line in pairwise(lines):
        if _IS_NO_PROSE.match(before) or _BEGINS_A_BLOCK.match(line) or "|" in before or "|" in line:
            kept.append(line)
        else:
            kept[-1] = kept[-1].rstrip().removesuffix("\\") + _BREAK + line
    return "\n".join(kept)
