"""Says in words why a value was not taken."""

from __future__ import annotations

from pydantic import ValidationError
from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate  # by this name lupdate finds the strings


def in_words(error: ValueError) -> str:
    """Return what is wrong with a value as a sentence for the user.

    Args:
        error: From a setting (pydantic's `ValidationError`), or any other one whose text is the sentence.
    """
    if not isinstance(error, ValidationError):
        return _sentence(str(error))
    first = error.errors(include_url=False, include_input=False)[0]
    limits = {name: _number(value) for name, value in first.get("ctx", {}).items() if name != "error"}
    match first["type"]:
        case "greater_than_equal":
            return translate("problems", "Enter {ge} or more.").format(**limits)
        case "greater_than":
            return translate("problems", "Enter more than {gt}.").format(**limits)
        case "less_than_equal":
            return translate("problems", "Enter {le} or less.").format(**limits)
        case "less_than":
            return translate("problems", "Enter less than {lt}.").format(**limits)
        case "string_too_short":
            return translate("problems", "Enter something here.")
        case "string_too_long":
            return translate("problems", "Enter at most {max_length} characters.").format(**limits)
        case "value_error":
            return _sentence(str(first.get("ctx", {}).get("error", first["msg"])))
        case _:
            return _sentence(first["msg"])


def _number(value: object) -> object:
    return f"{value:g}" if isinstance(value, int | float) else value


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
