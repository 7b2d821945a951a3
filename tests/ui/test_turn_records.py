"""Saved turns stand before those of this run, each known to the commands by its own number."""

from __future__ import annotations

import pytest

from s2s_desktop.conversation.events import (
    Event,
    FinalTranscript,
    MicLevel,
    State,
    StateChanged,
    TextDelta,
    TurnId,
    TypedMessage,
)
from s2s_desktop.conversation.store.records import Message, Role, SavedTurn
from s2s_desktop.ui.turn_records import TurnRecords


def saved(*numbers: int) -> list[SavedTurn]:
    return [
        SavedTurn(number, 1000 + number, (Message(Role.USER, f"Question {number}"),)) for number in numbers
    ]


@pytest.fixture
def records() -> TurnRecords:
    records = TurnRecords()
    records.begin(saved(7, 8), more=True)
    new = records.of_event(TurnId(1), TypedMessage("New"))
    assert new is not None
    new.apply(TypedMessage("New"))
    return records


def test_they_are_in_order_and_known_by_their_own_numbers(records: TurnRecords) -> None:
    assert [record.user_text for record in records.all] == ["Question 7", "Question 8", "New"]
    assert [records.known_as(record.number) for record in records.all] == [7, 8, 1]
    assert records.earliest == 7


def test_earlier_ones_are_added_above(records: TurnRecords) -> None:
    records.add_saved(saved(5, 6), more=False)
    assert [records.known_as(record.number) for record in records.all] == [5, 6, 7, 8, 1]
    assert records.earliest is None


@pytest.mark.parametrize(("turn", "left"), [(7, ["Question 8", "New"]), (1, ["Question 7", "Question 8"])])
def test_one_is_removed_by_the_number_the_commands_have(
    records: TurnRecords, turn: int, left: list[str]
) -> None:
    number = records.remove(turn)
    assert records.get(number) is None
    assert [record.user_text for record in records.all] == left


@pytest.mark.parametrize("event", [FinalTranscript(""), MicLevel(-40.0, -30.0), TextDelta("")])
def test_what_shows_nothing_begins_no_turn(event: Event) -> None:
    records = TurnRecords()
    assert records.of_event(TurnId(1), event) is None
    assert len(records) == 0


def test_late_words_of_an_earlier_revision_belong_to_none(records: TurnRecords) -> None:
    reopened = records.of_event(TurnId(1, 2), TypedMessage("Newer"))
    assert reopened is records[1]
    assert records.of_event(TurnId(1, 1), TextDelta("late")) is None


def test_an_interruption_is_of_the_newest_turn(records: TurnRecords) -> None:
    assert records.of_event(None, StateChanged(State.INTERRUPTED)) is records[1]
    assert records.of_event(None, StateChanged(State.LISTENING)) is None
