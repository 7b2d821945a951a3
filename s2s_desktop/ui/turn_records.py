"""The turns of the conversation in view: those that were saved before, then those of this run."""

from __future__ import annotations

import time
from collections.abc import Sequence

from s2s_desktop.conversation.events import (
    AssistantMessage,
    Event,
    FinalTranscript,
    State,
    StateChanged,
    TextDelta,
    ToolCall,
    TurnFailed,
    TurnId,
    TypedMessage,
)
from s2s_desktop.conversation.store.records import SavedTurn
from s2s_desktop.ui.saved_records import record_of
from s2s_desktop.ui.turn_record import TurnRecord


class TurnRecords:
    """Records by number, in order. Turns of this run count from 1, saved ones stand below.

    Attributes:
        earliest: Number in the store of the first turn that is here, where earlier ones are saved; else None.
    """

    def __init__(self) -> None:
        self._records: dict[int, TurnRecord] = {}
        self._saved_end = 0
        self.earliest: int | None = None

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, number: int) -> TurnRecord:
        return self._records[number]

    def get(self, number: int) -> TurnRecord | None:
        """Return the turn with this number, if there is one."""
        return self._records.get(number)

    @property
    def all(self) -> list[TurnRecord]:
        """Every turn, oldest first."""
        return list(self._records.values())

    @property
    def with_content(self) -> list[int]:
        """The numbers of the turns that have something to show, oldest first."""
        return [number for number, record in self._records.items() if record.has_content]

    def begin(self, turns: Sequence[SavedTurn], more: bool) -> None:
        """Hold a saved conversation in place of this one.

        Args:
            turns: The newest turns, oldest first; none for a new conversation.
            more: There are earlier ones.
        """
        self._records = {}
        self._saved_end = turns[-1].number + 1 if turns else 0
        self.add_saved(turns, more)

    def add_saved(self, turns: Sequence[SavedTurn], more: bool) -> None:
        """Add saved turns before the first one, oldest first; `more` as for `begin`."""
        for turn in turns:
            number = self.number_of_saved(turn.number)
            record = self._records[number] = record_of(turn, number)
            record.began_at = turn.created_at
        self._sort()
        self.earliest = turns[0].number if turns and more else None

    def number_of_saved(self, stored: int) -> int:
        """Return the number here of a turn with this number in the store."""
        return stored - self._saved_end

    def known_as(self, number: int) -> int:
        """Return the number by which the commands know a turn: a saved one has that of the store."""
        return number if number > 0 else number + self._saved_end

    def remove(self, turn: int) -> int:
        """Take out a turn, named as the commands do, and return its number here."""
        number = turn if turn in self._records else self.number_of_saved(turn)
        self._records.pop(number, None)
        return number

    def of_event(self, turn: TurnId | None, event: Event) -> TurnRecord | None:
        """Find the turn an event belongs to. Late results of an earlier revision belong to none."""
        if isinstance(event, StateChanged):
            wanted = event.state is State.INTERRUPTED and self._records
            return self.all[-1] if wanted else None
        if turn is None:
            return None
        record = self._records.get(turn.number)
        if record is None:
            return self._new(turn) if _begins_a_row(event) else None
        if turn.revision < record.revision:
            return None
        if turn.revision > record.revision:
            record.reopen(turn.revision)
        return record

    def _new(self, turn: TurnId) -> TurnRecord:
        record = TurnRecord(turn.number, turn.revision, began_at=round(time.time() * 1000))
        self._records[turn.number] = record
        self._sort()
        return record

    def _sort(self) -> None:
        self._records = dict(sorted(self._records.items()))


def _begins_a_row(event: Event) -> bool:
    """Tell whether an event is something to show, so that a turn that came to nothing leaves no row."""
    match event:
        case FinalTranscript(text=text) | TypedMessage(text=text) | TextDelta(text=text):
            return bool(text)
        case _:
            return isinstance(event, TurnFailed | ToolCall | AssistantMessage)
