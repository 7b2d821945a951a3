"""E-mail addresses, hosts, versions, hashtags and names with an at sign."""

from __future__ import annotations

import re

from s2s_desktop.tts.verbalize.numbers import NumberReader, ascii_digits
from s2s_desktop.tts.verbalize.rule import LEFT, RIGHT, Rule, compiled
from s2s_desktop.tts.verbalize.wording import Wording

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Addresses:
    """Rules for addresses."""

    def __init__(self, wording: Wording, reader: NumberReader) -> None:
        self._reader = reader
        self._words = wording.words
        self._point = wording.decimal_marks["."]
        self._signs = {
            ".": self._words.dot,
            "@": wording.symbols["@"],
            "_": self._words.underscore,
            "-": self._words.dash,
            "+": wording.symbols["+"],
        }
        self._groups = wording.groups

    def rules(self) -> list[Rule]:
        """Return them."""
        latin = r"[A-Za-z0-9]"
        patterns = (
            (
                rf"{LEFT}[A-Za-z0-9_][\w.+-]*@{latin}[A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)+(?<!-)",
                self._say_address,
            ),
            (rf"{LEFT}(?:[A-Za-z0-9-]+\.)+[a-z]{{2,}}(?=/|{RIGHT}(?![.@]\w))", self._say_host),
            (rf"{LEFT}[vV](?P<parts>\d+(?:\.\d+)*){RIGHT}", self._say_version),
            (rf"{LEFT}(?P<parts>\d+(?:\.\d+){{2,}}){RIGHT}", self._say_parts),
            (r"(?<![\w&])#(?P<tag>\w*[^\W\d]\w*)", self._say_tag),
            (r"(?<!\w)#\s?(?P<number>\d{1,15})(?!\w)", self._say_number),
            (r"(?<!\w)@(?=\w)", self._say_at),
        )
        return compiled(patterns)

    def _say_address(self, found: re.Match[str]) -> str:
        """Say what stands between the signs, and the signs by their names."""
        parts = re.findall(r"\d+|[.@_+-]|[^\d.@_+-]+", ascii_digits(found[0]))
        return " ".join(self._signs.get(part) or self._plain(part) for part in parts)

    def _plain(self, part: str) -> str:
        return self._reader.number(part) if part.isdecimal() else part

    def _say_host(self, found: re.Match[str]) -> str | None:
        # "e.g." and "p.m." are single letters between dots.
        if all(len(part) == 1 for part in found[0].split(".")[:-1]) and len(found[0].rpartition(".")[2]) < 2:
            return None
        return self._say_address(found)

    def _say_version(self, found: re.Match[str]) -> str:
        return self._reader.join(self._words.version, self._parts(found["parts"]))

    def _say_parts(self, found: re.Match[str]) -> str | None:
        """Say a version or an IP address.

        "1.234.567" is a number where dots group digits, and "06.12.34" begins a telephone number.
        """
        if re.match(r"0\d\.", found["parts"]):
            return None
        if "." in self._groups and re.fullmatch(r"\d{1,3}(?:\.\d{3})+", found["parts"]):
            return None
        return self._parts(found["parts"])

    def _parts(self, parts: str) -> str:
        said = [self._reader.number(part) for part in parts.split(".")]
        return self._reader.join(*[word for part in said for word in (self._point, part)][1:])

    def _say_tag(self, found: re.Match[str]) -> str:
        tag = ascii_digits(found["tag"]).replace("_", " ")
        words = re.findall(r"\d+|[^\d\s]+", _CAMEL.sub(" ", tag))
        return " ".join([self._words.hashtag, *(self._plain(word) for word in words)])

    def _say_number(self, found: re.Match[str]) -> str:
        return self._reader.join(self._words.number, self._reader.number(found["number"]))

    def _say_at(self, found: re.Match[str]) -> str:
        return f"{self._signs['@']} "
