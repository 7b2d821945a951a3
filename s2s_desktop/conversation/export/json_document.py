"""Conversations as JSON, without loss, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from s2s_desktop.conversation.store.records import MOST_TOKENS, Role, SavedTurn, WholeConversation
from s2s_desktop.conversation.store.titles import clean_title
from s2s_desktop.errors import AssistantError, ErrorKind

FORMAT = "s2s-desktop-conversations"
VERSION = 1


@dataclass(frozen=True, slots=True)
class _Document:
    format: Literal["s2s-desktop-conversations"]
    version: Literal[1]
    conversations: tuple[WholeConversation, ...]


@cache
def _document() -> TypeAdapter[_Document]:
    """Make the reader when it is first needed: it takes longer than the window may."""
    return TypeAdapter(_Document)


@cache
def _whole() -> TypeAdapter[WholeConversation]:
    return TypeAdapter(WholeConversation)


def to_json(wholes: Iterable[WholeConversation]) -> str:
    """Return conversations as one document."""
    return "".join(json_pieces(wholes))


def json_pieces(wholes: Iterable[WholeConversation]) -> Iterator[str]:
    """Return the document in pieces, one conversation in memory at a time."""
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "conversations": ['
    before = "\n"
    for whole in wholes:
        yield before + _whole().dump_json(whole).decode()
        before = ",\n"
    yield "\n]}\n"


def import_json(data: bytes | str) -> tuple[WholeConversation, ...]:
    """Return the conversations of an export.

    Raises:
        AssistantError: BAD_REQUEST; the file is something else, damaged or from a newer version. Says which.
    """
    try:
        head = from_json(data)
    except ValueError as error:
        raise _refused("This file is no JSON document, or it is damaged", str(error)) from error
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise _refused("This file is no export of S2S Desktop", "")
    version = head.get("version")
    if isinstance(version, int) and version > VERSION:
        raise _refused("This export was made by a newer version of S2S Desktop. Update this one", "")
    del head
    try:
        document = _document().validate_json(data, strict=True)
    except ValidationError as error:
        raise _refused("This export is damaged", _first_problem(error)) from error
    return tuple(map(_checked, document.conversations))


def _checked(whole: WholeConversation) -> WholeConversation:
    """Check what types do not say."""
    name = whole.conversation.id
    if any(earlier.number >= later.number for earlier, later in pairwise(whole.turns)):
        raise _refused("This export is damaged", f"{name}: the turns are not in order")
    if not all(map(_is_sound, whole.turns)):
        raise _refused("This export is damaged", f"{name}: a message or a count cannot be right")
    title = clean_title(whole.conversation.title)
    return replace(whole, conversation=replace(whole.conversation, title=title))


def _is_sound(turn: SavedTurn) -> bool:
    tools_fit = all((message.role is Role.TOOL) == (message.tool is not None) for message in turn.messages)
    counts = (turn.usage.input_tokens, turn.usage.output_tokens) if turn.usage else ()
    return tools_fit and all(0 <= count <= MOST_TOKENS for count in counts)


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{' → '.join(map(str, first['loc']))}: {first['msg']}"


def _refused(reason: str, details: str) -> AssistantError:
    return AssistantError(ErrorKind.BAD_REQUEST, f"{reason}. Nothing was imported.", details)
