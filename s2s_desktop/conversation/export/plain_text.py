"""A conversation as plain text. Lines of a message are indented, so that none can pass for a speaker."""

from __future__ import annotations

from datetime import tzinfo

from s2s_desktop.conversation.export.wording import (
    INTERRUPTED,
    SPEAKER,
    remarks_on,
    summary_of,
    title_of,
    visible,
)
from s2s_desktop.conversation.store.records import Message, Role, SavedTurn, WholeConversation


def to_plain_text(whole: WholeConversation, timezone: tzinfo | None = None) -> str:
    """Return a conversation as text to read."""
    head = f"{title_of(whole.conversation)}\n{summary_of(whole.conversation, timezone)}\n"
    return "\n".join([head, *(_turn(turn) for turn in whole.turns)])


def _turn(turn: SavedTurn) -> str:
    blocks = [_message(message, turn) for message in turn.messages]
    blocks += [f"({' '.join(visible(remark).split())})\n" for remark in remarks_on(turn)]
    return "\n".join(blocks)


def _message(message: Message, turn: SavedTurn) -> str:
    if message.tool is not None:
        text = f"{message.tool.name} {message.tool.arguments}\n{message.tool.output or ''}"
    else:
        text = message.text
    cut = turn.interrupted and message is turn.messages[-1] and message.role is Role.ASSISTANT
    lines = "".join(f"    {line}\n" for line in visible(text).rstrip().splitlines())
    return f"{SPEAKER[message.role]}{f' ({INTERRUPTED})' if cut else ''}:\n{lines}"
