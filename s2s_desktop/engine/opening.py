"""What is read of a saved conversation that is opened."""

from __future__ import annotations

from s2s_desktop.conversation.events import ConversationOpened
from s2s_desktop.conversation.store.history_items import Remembered
from s2s_desktop.conversation.store.library import Library
from s2s_desktop.conversation.store.records import Compaction

SHOWN_TURNS = 50
"""Turns that a conversation opens with; earlier ones are fetched on request."""

_MOST_TURNS = 100
"""Turns that are fetched at once to show one that search found; one further back is shown without the end."""

_AROUND = 8


def read_opened(library: Library, conversation_id: str, turn: int | None) -> ConversationOpened:
    """Return what is shown of a conversation: its end, or a turn with its surroundings.

    Raises:
        AssistantError: NOT_FOUND.
    """
    conversation = library.conversation(conversation_id)
    last = library.last_number(conversation_id)
    wanted = SHOWN_TURNS if turn is None else max(last - turn + _AROUND, SHOWN_TURNS)
    later = turn is not None and wanted > _MOST_TURNS
    limit = SHOWN_TURNS if later else wanted
    end = turn + SHOWN_TURNS - _AROUND if turn is not None and later else None
    turns = library.turns(conversation_id, before=end, limit=limit + 1)
    return ConversationOpened(
        conversation,
        turns[-limit:],
        more=len(turns) > limit,
        later=later,
        summary=summary_of(library, conversation_id),
        turn=turn,
    )


def remembered_of(library: Library, conversation_id: str, turns: int) -> tuple[Remembered, int]:
    """Return what the model is reminded of, and the number of the newest turn."""
    return library.remembered(conversation_id, turns=turns), library.last_number(conversation_id)


def summary_of(library: Library, conversation_id: str) -> Compaction | None:
    """Return the summary in force; None without one."""
    kept = [made for made in library.compactions(conversation_id) if not made.undone]
    return kept[-1] if kept else None
