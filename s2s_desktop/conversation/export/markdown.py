"""A conversation as Markdown."""

from __future__ import annotations

from datetime import tzinfo

from s2s_desktop.conversation.export.markdown_inert import fenced, inert, literal, quoted
from s2s_desktop.conversation.export.wording import (
    INTERRUPTED,
    SPEAKER,
    remarks_on,
    summary_of,
    title_of,
    visible,
)
from s2s_desktop.conversation.store.records import Message, Role, SavedTurn, WholeConversation


def to_markdown(whole: WholeConversation, timezone: tzinfo | None = None) -> str:
    """Return a conversation as a document: a heading, then each message as a quotation under its speaker."""
    conversation = whole.conversation
    blocks = [f"# {literal(title_of(conversation))}", literal(summary_of(conversation, timezone))]
    for turn in whole.turns:
        blocks += [_message(message, turn) for message in turn.messages]
        blocks += [f"*{literal(' '.join(visible(remark).split()))}*" for remark in remarks_on(turn)]
    return "\n\n".join(blocks) + "\n"


def _message(message: Message, turn: SavedTurn) -> str:
    speaker = f"**{SPEAKER[message.role]}**"
    if message.tool is not None:
        tool = message.tool
        text = fenced(visible(f"{tool.name} {tool.arguments}\n{tool.output or ''}").rstrip())
    elif message.role is Role.USER:
        text = literal(visible(message.text).strip("\n"))
    else:
        text = inert(visible(message.text).strip("\n"))
        if turn.interrupted and message is turn.messages[-1]:
            speaker += f" ({INTERRUPTED})"
    return f"{speaker}\n\n{quoted(text)}"
