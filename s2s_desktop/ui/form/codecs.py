"""How values of settings are written in a line of text, and read back from one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate  # by this name lupdate finds the strings


@dataclass(frozen=True, slots=True)
class Codec:
    """Writes a value as text and reads it back.

    Attributes:
        write: Value to text.
        read: Text to value; raises ValueError with a sentence for the user.
    """

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _read_number(text: str) -> float:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise ValueError(translate("codecs", "Enter a number, such as 0.7.")) from None


def _read_whole_number(text: str) -> int:
    try:
        return int(text.strip())
    except ValueError:
        raise ValueError(translate("codecs", "Enter a whole number.")) from None


def _read_mapping(text: str) -> dict[str, str]:
    entries: dict[str, str] = {}
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if not line.strip():
            continue
        if not colon or not name.strip():
            raise ValueError(translate("codecs", "Write each line as Name: value."))
        entries[name.strip()] = value.strip()
    return entries


def _write_mapping(entries: dict[str, str]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in entries.items())


def optional(codec: Codec) -> Codec:
    """Return a codec whose empty text is None."""
    return Codec(
        lambda value: "" if value is None else codec.write(value),
        lambda text: codec.read(text) if text.strip() else None,
    )


TEXT = Codec(str, str)
STRIPPED = Codec(str, str.strip)
NUMBER = Codec(lambda value: f"{value:g}", _read_number)
WHOLE_NUMBER = Codec(str, _read_whole_number)
MAPPING = Codec(_write_mapping, _read_mapping)
"""Lines of the form `Name: value`."""
