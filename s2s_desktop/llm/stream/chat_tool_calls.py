"""Puts the tool calls of a chat stream together from their pieces."""

from __future__ import annotations

from dataclasses import dataclass, field

from s2s_desktop.llm.stream.loose_json import Json, as_count, as_object, as_text
from s2s_desktop.llm.stream.reply_builder import CallDraft, arguments_text, has_complete_arguments


@dataclass(slots=True)
class _OpenCall:
    index: int | None
    call_id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)


class ChatToolCalls:
    """Collects the `tool_calls` of the deltas.

    `index` alone does not tell calls apart: Ollama and Gemini give all of them index 0 or none
    (https://github.com/ollama/ollama/issues/15457), so a new name or id at the same index opens a new call.
    A name that comes again with every piece, and pieces without id, belong to the call that is open.
    """

    def __init__(self) -> None:
        self._calls: list[_OpenCall] = []

    def read(self, piece: Json) -> int:
        """Take one entry of `tool_calls` and return how many characters of arguments it brought."""
        function = as_object(piece.get("function"))
        index = as_count(piece.get("index"))
        call_id, name = as_text(piece.get("id")), as_text(function.get("name")).strip()
        arguments = arguments_text(function.get("arguments"))
        call = self._call_at(index)
        if call is None or _opens_another(call, call_id, name, arguments):
            call = _OpenCall(index)
            self._calls.append(call)
        elif arguments and has_complete_arguments(call.arguments):
            return 0  # The server repeats a call that is complete.
        call.call_id = call.call_id or call_id
        call.name = name or call.name
        call.pieces.append(arguments)
        return len(arguments)

    def take(self, *, only_complete: bool = False) -> list[CallDraft]:
        """Return the calls in their order and forget them.

        Args:
            only_complete: Keep those whose arguments are still coming.
        """
        open_calls = [call for call in self._calls if only_complete and _is_coming(call)]
        done = [call for call in self._calls if call not in open_calls]
        self._calls = open_calls
        return [CallDraft(call.call_id, call.name, call.arguments) for call in done]

    def _call_at(self, index: int | None) -> _OpenCall | None:
        if index is None:
            return self._calls[-1] if self._calls else None
        return next((call for call in reversed(self._calls) if call.index in (index, None)), None)


def _is_coming(call: _OpenCall) -> bool:
    return bool(call.arguments.strip()) and not has_complete_arguments(call.arguments)


def _opens_another(call: _OpenCall, call_id: str, name: str, arguments: str) -> bool:
    """Return whether a piece at the index of `call` begins another call."""
    if not name:
        return False
    if call.name and name != call.name:
        return True
    if call_id and call.call_id and call_id != call.call_id:
        return not _is_coming(call)
    same_call = bool(call_id) and call_id == call.call_id
    return not same_call and bool(arguments.strip()) and has_complete_arguments(call.arguments)
