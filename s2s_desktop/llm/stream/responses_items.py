"""Keeps the output items of a Responses stream apart while their events come in."""

from __future__ import annotations

from dataclasses import dataclass, field

from s2s_desktop.llm.stream.loose_json import Json, as_count, as_object, as_text


@dataclass(slots=True)
class OutputItem:
    """An item of the reply under construction.

    Attributes:
        kind: `message`, `function_call` or another type.
        ids: The names under which events refer to it: its id and its call id.
        index: Its place in the output; None when the server does not say.
        parts: The text so far of each content part of a message.
        arguments: The arguments so far of a function call.
        done: Everything about it has been said.
    """

    kind: str
    ids: set[str] = field(default_factory=set)
    index: int | None = None
    call_id: str = ""
    name: str = ""
    parts: dict[int, str] = field(default_factory=dict)
    arguments: str = ""
    done: bool = False

    def note(self, item: Json) -> None:
        """Take over what an event's `item` says about it."""
        self.ids |= {name for key in ("id", "call_id") if (name := as_text(item.get(key)))}
        self.call_id = as_text(item.get("call_id")) or self.call_id
        self.name = as_text(item.get("name")) or self.name


class OutputItems:
    """Finds the item that an event is about.

    Servers leave out the index, the id or both (https://github.com/ggml-org/llama.cpp/issues/20607), or
    change the id from event to event, so the id counts first, then the index, then what is open.
    """

    def __init__(self) -> None:
        self._items: list[OutputItem] = []

    def open(self, event: Json) -> None:
        """Take an `output_item.added` event; one that comes twice opens one item."""
        described = as_object(event.get("item"))
        item = OutputItem(as_text(described.get("type")), index=as_count(event.get("output_index")))
        item.note(described)
        if not any(item.ids & other.ids for other in self._items):
            self._items.append(item)

    def unfinished_calls(self) -> list[OutputItem]:
        """Return the function calls that no `output_item.done` ended."""
        return [item for item in self._items if item.kind == "function_call" and not item.done]

    def find(self, event: Json, kind: str) -> OutputItem:
        """Return the item of an event, a new one when it was never announced.

        Args:
            event: Any event with `item_id`, `item` or `output_index`, or none of them.
            kind: The type of item that such events are about.
        """
        described = as_object(event.get("item"))
        names = {
            as_text(event.get("item_id")),
            as_text(described.get("id")),
            as_text(described.get("call_id")),
        }
        names -= {""}
        index = as_count(event.get("output_index"))
        same_kind = [item for item in reversed(self._items) if item.kind == kind]
        found = next((item for item in same_kind if item.ids & names), None)
        if found is None and index is not None:
            found = next((item for item in same_kind if item.index == index), None)
        if found is None:
            found = next((item for item in same_kind if not item.done and _may_be(item, names, index)), None)
        if found is None:
            found = OutputItem(kind, index=index)
            self._items.append(found)
        found.ids |= names
        found.index = index if found.index is None else found.index
        found.note(described)
        return found


def _may_be(item: OutputItem, names: set[str], index: int | None) -> bool:
    """Return whether nothing that is known says that an event is about another item."""
    return (not names or not item.ids) and (index is None or item.index is None)
