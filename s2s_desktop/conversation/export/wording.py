"""The words and times that exports put around what was said."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, tzinfo

from s2s_desktop.conversation.store.records import Conversation, Role, SavedTurn

SPEAKER = {Role.USER: "You", Role.ASSISTANT: "Assistant", Role.TOOL: "Tool"}
UNTITLED = "Conversation"
INTERRUPTED = "interrupted"


def title_of(conversation: Conversation) -> str:
    """Return the title, or a stand-in, on one line."""
    return " ".join(visible(conversation.title).split()) or UNTITLED


def summary_of(conversation: Conversation, timezone: tzinfo | None) -> str:
    """Return when and with what a conversation was held, on one line."""
    parts = (
        moment(conversation.created_at, timezone),
        conversation.profile,
        conversation.persona,
        conversation.language,
    )
    return " · ".join(" ".join(visible(part).split()) for part in parts if part)


def moment(milliseconds: int, timezone: tzinfo | None) -> str:
    """Return a moment as date and time."""
    return _local(milliseconds, timezone).strftime("%Y-%m-%d %H:%M")


def day(milliseconds: int, timezone: tzinfo | None) -> str:
    """Return the date of a moment."""
    return _local(milliseconds, timezone).strftime("%Y-%m-%d")


def remarks_on(turn: SavedTurn) -> list[str]:
    """Return sentences about a turn that nobody said: what failed, and notices."""
    return [text for text in (turn.failure.message if turn.failure else "", turn.notice) if text]


def visible(text: str) -> str:
    """Return text without control characters (a terminal would obey them); line ends become line feeds."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) != "Cc")


def _local(milliseconds: int, timezone: tzinfo | None) -> datetime:
    # The end of the calendar has no later time zone.
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone(timezone)
    except (OverflowError, OSError, ValueError):
        return datetime.fromtimestamp(milliseconds / 1000, UTC)
