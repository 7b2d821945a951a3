"""Reads replies of POST /responses, streamed or whole.

https://platform.openai.com/docs/api-reference/responses-streaming
"""

from __future__ import annotations

from s2s_desktop.llm.events import FinishReason
from s2s_desktop.llm.http.error_bodies import ServerWords, error_in, words_of
from s2s_desktop.llm.stream.loose_json import Json, as_count, as_object, as_objects, as_text
from s2s_desktop.llm.stream.reader import ReportedFailure, not_a_reply
from s2s_desktop.llm.stream.reply_body import Payload
from s2s_desktop.llm.stream.reply_builder import CallDraft, ReplyBuilder, arguments_text
from s2s_desktop.llm.stream.responses_items import OutputItem, OutputItems

_MESSAGE = "message"
_CALL = "function_call"
_INCOMPLETE = {"content_filter": FinishReason.CONTENT_FILTER}
"""Other reasons, such as `max_output_tokens`, are limits of length."""


class ResponsesReader:
    """Understands Responses events; `reader.ReplyReader` says how it is used.

    The text of a reply comes up to five times: in deltas, when its part is done, when its item is done, and
    in the closing event. Whatever was delivered already is not delivered again.
    """

    def __init__(self, builder: ReplyBuilder) -> None:
        self.complete = False
        self._builder = builder
        self._items = OutputItems()
        self._texts = False
        self._calls = False
        self._message = ""

    def read(self, payload: Payload) -> None:
        """Take the next payload."""
        value = payload.value
        if payload.done:
            self._finish({})
            return
        if payload.whole:
            self._read_document(value)
            return
        self._builder.usage(value.get("usage"))
        words = error_in(value, payload.event)
        if words is not None:
            raise ReportedFailure(words)
        self._read_event(as_text(value.get("type")) or payload.event, value)

    def end(self) -> bool:
        """Take the end of the body: only a closing event or `[DONE]` makes it a proper end."""
        return self._builder.finished

    def _read_document(self, value: Json) -> None:
        words = error_in(value)
        if words is not None:
            raise ReportedFailure(words)
        if "output" not in value and "status" not in value:
            raise not_a_reply(value, "JSON that is no response")
        self._finish(value)

    def _read_event(self, name: str, event: Json) -> None:
        kind, _, step = name.removeprefix("response.").rpartition(".")
        match kind, step:
            case "output_text" | "refusal", "delta":
                self._text_delta(event, as_text(event.get("delta")))
            case "output_text" | "refusal", "done":
                self._part_done(event, as_text(event.get("text")) or as_text(event.get("refusal")))
            case "content_part", "done":
                self._part_done(event, _part_text(as_object(event.get("part"))))
            case "function_call_arguments", "delta":
                self._arguments_delta(event)
            case "function_call_arguments", "done":
                self._arguments_done(event)
            case "output_item", "added":
                self._items.open(event)
            case "output_item", "done":
                self._item_done(event)
            case "", "completed" | "incomplete" | "failed" | "cancelled" | "done":
                self._finish(as_object(event.get("response")), step)
            case _, "delta" if kind.startswith("reasoning"):
                self._builder.reasoning(as_text(event.get("delta")))

    def _text_delta(self, event: Json, text: str) -> None:
        item = self._items.find(event, _MESSAGE)
        index = as_count(event.get("content_index")) or 0
        item.parts[index] = item.parts.get(index, "") + text
        self._text(text)

    def _part_done(self, event: Json, text: str) -> None:
        item = self._items.find(event, _MESSAGE)
        self._complete_part(item, as_count(event.get("content_index")) or 0, text)

    def _complete_part(self, item: OutputItem, index: int, text: str) -> None:
        """Deliver what of a part's whole text was not delivered in deltas."""
        # Some servers name an item differently in every event; then the text alone shows that it is known.
        so_far = item.parts.get(index, "") if item.parts else self._message
        if len(text) > len(so_far) and text.startswith(so_far):
            item.parts[index] = text
            self._text(text[len(so_far) :])

    def _text(self, text: str) -> None:
        self._texts = self._texts or bool(text)
        self._message += text
        self._builder.text(text)

    def _arguments_delta(self, event: Json) -> None:
        item = self._items.find(event, _CALL)
        text = as_text(event.get("delta"))
        item.arguments += text
        self._builder.argument_progress(len(text))

    def _arguments_done(self, event: Json) -> None:
        item = self._items.find(event, _CALL)
        item.arguments = arguments_text(event.get("arguments")) or item.arguments
        item.name = as_text(event.get("name")) or item.name

    def _item_done(self, event: Json) -> None:
        described = as_object(event.get("item"))
        kind = as_text(described.get("type"))
        if kind not in (_MESSAGE, _CALL):
            return
        item = self._items.find(event, kind)
        if item.done:
            return
        if kind == _MESSAGE:
            for index, part in enumerate(as_objects(described.get("content"))):
                self._complete_part(item, index, _part_text(part))
            self._builder.end_message()
            self._message = ""
        else:
            item.arguments = arguments_text(described.get("arguments")) or item.arguments
            self._deliver_call(item)
        item.done = True

    def _deliver_call(self, item: OutputItem) -> None:
        self._calls = True
        self._builder.call(CallDraft(item.call_id or next(iter(item.ids), ""), item.name, item.arguments))

    def _finish(self, response: Json, step: str = "") -> None:
        self._builder.usage(response.get("usage"))
        status = as_text(response.get("status")) or step
        if status in ("failed", "cancelled") or response.get("error"):
            words = words_of(response.get("error") or {})
            raise ReportedFailure(words if words.message or words.code else ServerWords("", "server_error"))
        self._read_output(response)
        for item in self._items.unfinished_calls():
            self._deliver_call(item)
        self.complete = True
        reason = FinishReason.STOP
        if status == "incomplete":
            why = as_text(as_object(response.get("incomplete_details")).get("reason"))
            reason = _INCOMPLETE.get(why, FinishReason.LENGTH)
        self._builder.finish(reason)

    def _read_output(self, response: Json) -> None:
        """Take from the closing event what no earlier event held."""
        texts, calls = self._texts, self._calls
        for index, item in enumerate(as_objects(response.get("output"))):
            kind = item.get("type")
            if (kind == _MESSAGE and not texts) or (kind == _CALL and not calls):
                self._item_done({"item": item, "output_index": index})
            elif kind == "reasoning" and not texts and not calls:
                for part in as_objects(item.get("summary")) + as_objects(item.get("content")):
                    self._builder.reasoning(as_text(part.get("text")))


def _part_text(part: Json) -> str:
    return as_text(part.get("text")) or as_text(part.get("refusal"))
