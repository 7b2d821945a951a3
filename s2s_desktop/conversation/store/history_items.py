"""Saved turns as the items that a language model is reminded of, by the rules of the live history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from s2s_desktop.conversation.store.records import Compaction, Role, SavedTurn
from s2s_desktop.llm.events import ToolCall
from s2s_desktop.llm.history.turns import Step, Turn
from s2s_desktop.llm.items import Item, ToolOutput, UserMessage


class Remembered(NamedTuple):
    """What `History.load` takes.

    Attributes:
        items: What was said.
        numbers: Of the turns, one for each user message among the items.
        summary_through: The first turn is a summary of all up to this number; 0 where there is none.
    """

    items: list[Item]
    numbers: tuple[int, ...] = ()
    summary_through: int = 0


def remembered(turns: Sequence[SavedTurn], summary: Compaction | None = None) -> Remembered:
    """Return what is remembered of a conversation; see `items_of`."""
    numbers = [saved.number for saved in turns if history_turn(saved) is not None]
    if summary is None:
        return Remembered(items_of(turns), tuple(numbers))
    through = summary.through_turn
    return Remembered(items_of(turns, summary), (through, *numbers), through)


def items_of(turns: Sequence[SavedTurn], summary: Compaction | None = None) -> list[Item]:
    """Return the items for `History.load`.

    A failed turn left no trace in the history, and neither did a reply without a word. Of a reply that was
    cut off, by the user or by the end of the app, what was heard counts (read, where nothing spoke).

    Args:
        turns: Oldest first.
        summary: Stands ahead of them.
    """
    kept = [turn for saved in turns if (turn := history_turn(saved)) is not None]
    if summary is not None:
        kept.insert(0, summary_turn(summary.user_summary, summary.assistant_summary))
    return [item for turn in kept for item in turn.items()]


def history_turn(saved: SavedTurn) -> Turn | None:
    """Return a turn as the history keeps it, or None where it keeps none."""
    if saved.failure is not None or not saved.user_text:
        return None
    turn = Turn(UserMessage.of(saved.user_text))
    for message in saved.messages:
        if message.role is Role.ASSISTANT:
            turn.add_text(message.text)
        elif message.tool is not None:
            tool = message.tool
            turn.add_call(ToolCall(tool.call_id, tool.name, tool.arguments))
            if tool.output is not None:
                turn.add_output(ToolOutput(tool.call_id, tool.output))
    if saved.interrupted or not saved.finished:
        written = "".join(message.text for message in saved.messages if message.role is Role.ASSISTANT)
        turn.cut(saved.heard if saved.voiced else written)
        return turn
    turn.end()
    return turn if turn.answered else None


def summary_turn(user: str, assistant: str) -> Turn:
    """Return a summary as the exchange that stands for what it sums up, worded as `llm.compaction` does."""
    turn = Turn(UserMessage.of(f"Earlier I said: {user}"))
    turn.steps.append(Step(f"Earlier I answered: {assistant}"))
    return turn
