"""Reads replies of POST /chat/completions, streamed or whole.

https://platform.openai.com/docs/api-reference/chat/streaming
"""

from __future__ import annotations

from s2s_desktop.llm.events import FinishReason
from s2s_desktop.llm.http.error_bodies import ServerWords, error_in
from s2s_desktop.llm.stream.chat_tool_calls import ChatToolCalls
from s2s_desktop.llm.stream.loose_json import Json, as_count, as_object, as_objects, as_text
from s2s_desktop.llm.stream.reader import ReportedFailure, not_a_reply
from s2s_desktop.llm.stream.reply_body import Payload
from s2s_desktop.llm.stream.reply_builder import ReplyBuilder

_REASONING_KEYS = ("reasoning_content", "reasoning", "thinking")
_REASONS = {
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
}


class ChatReader:
    """Understands chat completion chunks; `reader.ReplyReader` says how it is used."""

    def __init__(self, builder: ReplyBuilder) -> None:
        self.complete = False
        self._builder = builder
        self._calls = ChatToolCalls()
        self._reason = FinishReason.STOP
        self._streamed = False

    def read(self, payload: Payload) -> None:
        """Take the next payload."""
        if payload.done:
            self._finish()
            return
        value = payload.value
        choices = [choice for choice in as_objects(value.get("choices")) if not as_count(choice.get("index"))]
        self._read_usage(value)
        words = error_in(value, payload.event)
        if words is None:
            words = next((found for choice in choices if (found := _error_in_choice(choice))), None)
        if words is not None and not self.complete:
            raise ReportedFailure(words)
        for choice in choices:
            self._read_choice(choice)
        if payload.whole:
            if "choices" not in value:
                raise not_a_reply(value, "JSON that is no chat completion")
            self._finish()

    def end(self) -> bool:
        """Take the end of the body: a finish reason or `[DONE]` makes it a proper end."""
        if self.complete:
            self._finish()
        return self._builder.finished

    def _read_usage(self, value: Json) -> None:
        for usage in (value.get("usage"), as_object(value.get("x_groq")).get("usage")):
            self._builder.usage(usage)

    def _read_choice(self, choice: Json) -> None:
        delta = as_object(choice.get("delta"))
        message = as_object(choice.get("message"))
        if delta:
            self._read_message(delta)
        elif message and not self._streamed:
            self._read_message(message)
        reason = as_text(choice.get("finish_reason"))
        if reason:
            self.complete = True
            self._reason = _REASONS.get(reason, FinishReason.STOP)

    def _read_message(self, message: Json) -> None:
        reasoning = next((text for key in _REASONING_KEYS if (text := as_text(message.get(key)))), "")
        self._builder.reasoning(reasoning)
        for kind, text in _content(message):
            if kind == "thought":
                self._builder.reasoning(text)
            else:
                self._text(text)
        for piece in as_objects(message.get("tool_calls")):
            self._builder.argument_progress(self._calls.read(piece))
            self._streamed = True
        legacy = as_object(message.get("function_call"))
        if legacy:
            self._builder.argument_progress(self._calls.read({"index": 0, "function": legacy}))
            self._streamed = True

    def _text(self, text: str) -> None:
        if not text:
            return
        self._streamed = True
        if not text.isspace():
            for call in self._calls.take(only_complete=True):
                self._builder.call(call)
        self._builder.text(text)

    def _finish(self) -> None:
        for call in self._calls.take():
            self._builder.call(call)
        self._builder.finish(self._reason)


def _content(message: Json) -> list[tuple[str, str]]:
    """Return the text of a message or delta; refusals are text, and parts may hold thoughts."""
    content = message.get("content")
    found: list[tuple[str, str]] = []
    if isinstance(content, str):
        found.append(("answer", content))
    for part in as_objects(content):
        thought = part.get("type") in ("thinking", "reasoning")
        text = as_text(part.get("text")) or as_text(part.get("refusal"))
        if thought:
            text = (
                as_text(part.get("thinking"))
                or text
                or "".join(as_text(inner.get("text")) for inner in as_objects(part.get("thinking")))
            )
        found.append(("thought" if thought else "answer", text))
    found.append(("answer", as_text(message.get("refusal"))))
    return found


def _error_in_choice(choice: Json) -> ServerWords | None:
    words = error_in({"error": choice.get("error")})
    if words is None and choice.get("finish_reason") == "error":
        return ServerWords("", "server_error")
    return words
