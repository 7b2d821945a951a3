"""What a pasted API key and the headers of a profile may look like."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from s2s_desktop.errors import AssistantError, ErrorKind

_EDGES = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u00a0\"'`“”‘’"

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def clean_api_key(text: str) -> str:
    """Return a pasted key without white space, quotation marks and invisible characters at its edges.

    Args:
        text: The key as pasted; "" stays "".

    Raises:
        AssistantError: BAD_REQUEST; a character inside cannot be part of a key, because a header holds
            printable ASCII only. The message names the character and its position, not the key.
    """
    key = text.strip()
    while key != (shorter := key.strip(_EDGES).strip()):
        key = shorter
    key = key.removeprefix("Bearer ").lstrip()
    for position, character in enumerate(key, start=1):
        if not "!" <= character <= "~":
            raise AssistantError(
                ErrorKind.BAD_REQUEST,
                f"Character {position} of the API key is {_name(character)}, which no key holds. "
                "Copy the key again.",
            )
    return key


def clean_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a profile with trimmed values.

    Raises:
        AssistantError: BAD_REQUEST; a name or a value cannot be sent. The message shows no value.
    """
    cleaned: dict[str, str] = {}
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name.strip()):
            raise AssistantError(ErrorKind.BAD_REQUEST, f"“{name[:60]}” is no name for a header.")
        for position, character in enumerate(value.strip(), start=1):
            if not " " <= character <= "~":
                raise AssistantError(
                    ErrorKind.BAD_REQUEST,
                    f"Character {position} of the header {name.strip()} is {_name(character)}, "
                    "which no header holds.",
                )
        cleaned[name.strip()] = value.strip()
    return cleaned


def _name(character: str) -> str:
    names = {" ": "a space", "\n": "a line break", "\r": "a line break", "\t": "a tab"}
    if character in names:
        return names[character]
    name = unicodedata.name(character, "a control character").lower()
    return f"U+{ord(character):04X} ({name})"
