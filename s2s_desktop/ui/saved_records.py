"""Saved turns as the records that rows are made from."""

from __future__ import annotations

from s2s_desktop.conversation.events import AssistantError
from s2s_desktop.conversation.store.records import Role, SavedTurn
from s2s_desktop.ui.turn_record import TextRun, ToolUse, TurnRecord


def record_of(turn: SavedTurn, number: int) -> TurnRecord:
    """Return the record of a saved turn, which is over.

    Args:
        turn: As it was saved.
        number: Its place among the rows.
    """
    record = TurnRecord(
        number,
        user_text=turn.user_text,
        heard=turn.heard,
        # The app ended in the middle of the turn: for the reader that is an interruption too.
        interrupted=turn.interrupted or not turn.finished,
        error=AssistantError(turn.failure.kind, turn.failure.message) if turn.failure else None,
        notice=turn.notice,
        metrics=turn.metrics,
        usage=turn.usage,
        finished=True,
    )
    for message in turn.messages:
        if message.tool is not None:
            tool = message.tool
            record.parts.append(ToolUse(tool.call_id, tool.name, tool.arguments, tool.output))
        elif message.role is Role.ASSISTANT:
            run = TextRun(closed=True)
            run.add(message.text)
            record.parts.append(run)
    return record
