"""What a server says about a failure, in the many shapes that servers have for it.

Among them: `{"error": {"message", "code", "param"}}` (OpenAI), `{"error": "text"}` (Ollama, LM Studio),
`[{"error": {...}}]` (Gemini), `{"object": "error", "message"}` (vLLM), `{"detail": [{"loc", "msg"}]}`
(FastAPI), `{"error": {"message", "metadata": {"raw"}}}` (OpenRouter), problem+json, plain text and web pages.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from s2s_desktop.llm.stream.loose_json import Json, as_count, as_object, as_words, parse

_MESSAGE_KEYS = ("message", "msg", "detail", "error_description", "reason", "title", "faultstring")
_NESTED_KEYS = ("error", "errors", "detail", "fault")
_MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class ServerWords:
    """A failure in the server's own words.

    Attributes:
        message: What it says, "" when it says nothing.
        code: Its code or type, such as `insufficient_quota`.
        param: The request field it complains about.
        status: An HTTP status that the body names; None when it names none.
    """

    message: str = ""
    code: str = ""
    param: str = ""
    status: int | None = None

    def names(self, parameter: str) -> bool:
        """Return whether the complaint is about a request field, in `param` or anywhere in the message."""
        word = re.compile(rf"(?<![\w-]){re.escape(parameter)}(?![\w-])")
        return bool(word.search(self.param) or word.search(self.message))


def words_of(value: object) -> ServerWords:
    """Return what an error body says.

    Args:
        value: The parsed JSON, or the text of a body that is none.
    """
    return _words(value, 0)


def error_in(value: Json, event: str = "") -> ServerWords | None:
    """Return the failure that one payload of a stream reports, None for any other payload.

    Args:
        value: The payload.
        event: The event name of its record.
    """
    if value.get("error"):
        return _words(value, 0)
    if event == "error" or "error" in (value.get("object"), value.get("type")):
        return _words(value, 0)
    return None


def page_text(text: str) -> str:
    """Return what a person reads in a web page: its title, else its text; other text as it is."""
    if not re.match(r"\s*(<!doctype|<\?xml|<[a-z]+[\s>])", text, re.IGNORECASE):
        return text.strip()
    title = re.search(r"<title[^>]*>(.{1,200}?)</title>", text, re.IGNORECASE | re.DOTALL)
    body = title[1] if title else re.sub(r"(?s)<(script|style).*?</\1>|<[^>]*>", " ", text)
    return " ".join(html.unescape(body).split())


def _words(value: object, depth: int) -> ServerWords:
    if depth > _MAX_DEPTH:
        return ServerWords()
    if isinstance(value, str):
        inner = parse(value) if value.lstrip().startswith(("{", "[")) else None
        return _words(inner, depth + 1) if inner else ServerWords(page_text(value))
    if isinstance(value, list):
        return _words_of_list(value, depth)
    return _words_of_object(value, depth) if isinstance(value, dict) else ServerWords(as_words(value))


def _words_of_list(values: list[object], depth: int) -> ServerWords:
    found = [_words(value, depth + 1) for value in values[:10]]
    first = found[0] if found else ServerWords()
    message = "; ".join(words.message for words in found if words.message)
    return ServerWords(message, first.code, first.param, first.status)


def _words_of_object(value: Json, depth: int) -> ServerWords:
    nested = ServerWords()
    for key in _NESTED_KEYS:
        if isinstance(value.get(key), dict | list) or (key == "error" and isinstance(value.get(key), str)):
            nested = _words(value[key], depth + 1)
            break
    message = next((as_words(value[key]) for key in _MESSAGE_KEYS if as_words(value.get(key))), "")
    if isinstance(value.get("error"), str) and message:
        nested = ServerWords(f"{nested.message}: {message}", nested.code, nested.param, nested.status)
    location = ".".join(as_words(part) for part in _list(value.get("loc")))
    if location:
        message = f"{location}: {message}"
    raw = as_object(value.get("metadata")).get("raw")
    if raw:
        message = f"{message}: {_words(raw, depth + 1).message}"
    code = as_words(value.get("code"))
    status = next((n for key in ("code", "status", "statusCode") if (n := _status(value.get(key)))), None)
    if not code or code.isdigit():
        kind = as_words(value.get("type")) or as_words(value.get("status"))
        code = kind if kind not in ("", "error") and not kind.isdigit() else code
    return ServerWords(
        message=nested.message or message,
        code=nested.code or code,
        param=nested.param or as_words(value.get("param")) or location,
        status=nested.status or status,
    )


def _status(value: object) -> int | None:
    number = as_count(value)
    return number if number is not None and 400 <= number < 600 else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
