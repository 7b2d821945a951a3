"""Summaries that stand for older turns, and taking them back."""

from __future__ import annotations

import sqlite3

from s2s_desktop.conversation.store import loading, saving
from s2s_desktop.conversation.store.history_items import history_turn
from s2s_desktop.conversation.store.records import Compaction

_PAGE = 100


def in_force(connection: sqlite3.Connection, conversation_key: int) -> Compaction | None:
    """Return the newest summary that was not undone."""
    kept = [made for made in loading.compactions(connection, conversation_key) if not made.undone]
    return kept[-1] if kept else None


def compact(
    connection: sqlite3.Connection, conversation_key: int, user: str, assistant: str, keep: int, at: int
) -> Compaction | None:
    """Add a summary of all turns but the newest `keep` that the history counts; see `Library.compact`."""
    last = _last_to_sum_up(connection, conversation_key, keep)
    before = in_force(connection, conversation_key)
    if last is None or (before is not None and last <= before.through_turn):
        return None
    made = Compaction(last, user, assistant, at)
    saving.add_compaction(connection, conversation_key, made)
    return made


def undo(connection: sqlite3.Connection, conversation_key: int) -> bool:
    """Take the newest summary in force back."""
    changed = connection.execute(
        "UPDATE compaction SET undone = 1 WHERE conversation_key = ? AND number ="
        " (SELECT max(number) FROM compaction WHERE conversation_key = ? AND undone = 0)",
        (conversation_key, conversation_key),
    )
    return changed.rowcount > 0


def _last_to_sum_up(connection: sqlite3.Connection, conversation_key: int, keep: int) -> int | None:
    """Return the number of the newest turn that is not among the kept ones."""
    before: int | None = None
    while page := loading.turns(connection, conversation_key, before=before, limit=_PAGE):
        for turn in reversed(page):
            if history_turn(turn) is not None:
                if keep == 0:
                    return turn.number
                keep -= 1
        before = page[0].number
    return None
