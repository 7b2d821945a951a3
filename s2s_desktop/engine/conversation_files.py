"""Conversations to a file and from a file; both block."""

from __future__ import annotations

from pathlib import Path

from s2s_desktop.conversation.export.formats import ExportFormat, export_conversation
from s2s_desktop.conversation.export.json_document import import_json
from s2s_desktop.conversation.store.library import Library
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.atomic import write_atomically


def export_one(library: Library, conversation_id: str, export_format: ExportFormat, target: Path) -> None:
    """Write a conversation.

    Raises:
        AssistantError: INTERNAL; the file cannot be written. NOT_FOUND.
    """
    text = export_conversation(library.whole(conversation_id), export_format)
    try:
        write_atomically(target, text, 0o644)
    except OSError as error:
        raise AssistantError(
            ErrorKind.INTERNAL,
            f"The conversation could not be written to “{target}” ({error.strerror or error})."
            " Choose another place or make room there.",
            str(error),
        ) from error


def import_from(library: Library, source: Path) -> int:
    """Add the conversations of a JSON export and return how many were new.

    Raises:
        AssistantError: BAD_REQUEST; it cannot be read or is no export.
    """
    try:
        data = source.read_bytes()
    except OSError as error:
        raise AssistantError(
            ErrorKind.BAD_REQUEST,
            f"“{source}” cannot be read ({error.strerror or error}). Nothing was imported.",
            str(error),
        ) from error
    return sum(library.add(whole) is not None for whole in import_json(data))
