"""Reads JSON of servers that take their liberties: every accessor has an answer for every value."""

from __future__ import annotations

import json
from collections.abc import Mapping

Json = Mapping[str, object]


def parse_object(text: str) -> Json | None:
    """Return the JSON object in `text`; None when it is something else or no JSON."""
    value = parse(text)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return value[0]
    return value if isinstance(value, dict) else None


def parse(text: str) -> object:
    """Return the JSON value in `text`, None when there is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def as_object(value: object) -> Json:
    """Return `value` when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_objects(value: object) -> list[Json]:
    """Return the objects in `value` when it is a list, else none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def as_text(value: object) -> str:
    """Return `value` when it is a string, else ""."""
    return value if isinstance(value, str) else ""


def as_words(value: object) -> str:
    """Return a string or number as text, else ""."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value)


def as_count(value: object) -> int | None:
    """Return a whole number of 0 or more, also one written as text or as a float; None otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = int(float(value))
    except (ValueError, OverflowError):
        return None
    return number if number >= 0 else None
