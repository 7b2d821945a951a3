"""Search across everything that was said, newest first."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from s2s_desktop.conversation.store import rows
from s2s_desktop.conversation.store.query import Phrase, match_expression, parse_query
from s2s_desktop.conversation.store.records import Conversation, Role
from s2s_desktop.conversation.store.search_index import SEARCHED
from s2s_desktop.conversation.store.snippets import Snippet, make_snippet

_MAX_LOOKED_AT = 5000
"""Matching messages that are looked at when nearly all of them are in a few conversations."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A place where all words of a query are.

    Attributes:
        conversation: Where it is.
        turn: Number of the turn; None for the title.
        role: Who said it; None for the title.
        created_at: When, in milliseconds since 1970.
        snippet: The surroundings of the first match.
    """

    conversation: Conversation
    turn: int | None
    role: Role | None
    created_at: int
    snippet: Snippet


def search(connection: sqlite3.Connection, query: str, limit: int, per_conversation: int) -> list[SearchHit]:
    """Return titles, then messages that hold all words of a query, the newest first."""
    phrases = parse_query(query)
    if not phrases:
        return []
    titles = _titles(connection, phrases, limit)
    return titles + _messages(connection, phrases, limit - len(titles), per_conversation)


def _titles(connection: sqlite3.Connection, phrases: Sequence[Phrase], limit: int) -> list[SearchHit]:
    found = connection.execute(
        "SELECT conversation.* FROM search JOIN conversation ON key = -search.rowid"
        " WHERE search MATCH ? AND search.rowid < 0 AND deleted_at IS NULL"
        " ORDER BY updated_at DESC LIMIT ?",
        (match_expression(phrases), limit),
    )
    return [
        SearchHit(
            rows.conversation_of(row), None, None, row["updated_at"], make_snippet(row["title"], phrases)
        )
        for row in found
    ]


def _messages(
    connection: sqlite3.Connection, phrases: Sequence[Phrase], limit: int, per_conversation: int
) -> list[SearchHit]:
    if limit <= 0:
        return []
    candidates = connection.execute(
        "SELECT search.rowid AS id, conversation_key FROM search"
        " JOIN message ON message.id = search.rowid JOIN turn ON turn.id = turn_id"
        " JOIN conversation ON key = conversation_key"
        " WHERE search MATCH ? AND search.rowid > 0 AND deleted_at IS NULL"
        " ORDER BY search.rowid DESC LIMIT ?",
        (match_expression(phrases), _MAX_LOOKED_AT),
    )
    seen: Counter[int] = Counter()
    chosen: list[int] = []
    for row in candidates:
        seen[row["conversation_key"]] += 1
        if seen[row["conversation_key"]] <= per_conversation:
            chosen.append(row["id"])
            if len(chosen) == limit:
                break
    candidates.close()
    return [_hit(connection, message, phrases) for message in chosen]


def _hit(connection: sqlite3.Connection, message_id: int, phrases: Sequence[Phrase]) -> SearchHit:
    row = connection.execute(
        f"SELECT conversation.*, turn.number, turn.created_at AS said_at, role, {SEARCHED} AS searched"  # noqa: S608
        " FROM message JOIN turn ON turn.id = turn_id JOIN conversation ON key = conversation_key"
        " WHERE message.id = ?",
        (message_id,),
    ).fetchone()
    return SearchHit(
        rows.conversation_of(row),
        row["number"],
        Role(row["role"]),
        row["said_at"],
        make_snippet(row["searched"], phrases),
    )


__all__ = ["SearchHit", "Snippet", "search"]
