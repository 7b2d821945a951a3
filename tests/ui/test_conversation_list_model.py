"""One conversation changes: its row moves to where it belongs, and no other row is touched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from PySide6.QtCore import QModelIndex, QObject
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.store.records import Conversation, TitleSource
from s2s_desktop.ui.conversation_list_model import ConversationListModel

TODAY = date(2026, 3, 20)


def at(days: int, hour: int = 12) -> int:
    """A moment so many days ago, in milliseconds."""
    moment = datetime(TODAY.year, TODAY.month, TODAY.day, hour).astimezone() - timedelta(days=days)
    return round(moment.timestamp() * 1000)


def made(name: str, days: int, hour: int = 12, pinned: bool = False) -> Conversation:
    return Conversation(name, name.upper(), TitleSource.WORDS, at(days, hour), at(days, hour), pinned)


class Listed:
    """The model and how many rows came and went."""

    def __init__(self, parent: QObject) -> None:
        self.model = ConversationListModel(parent, lambda: TODAY)
        self.inserted = self.removed = 0
        self.model.rowsInserted.connect(self._count("inserted"))
        self.model.rowsRemoved.connect(self._count("removed"))

    def _count(self, name: str) -> Callable[[QModelIndex, int, int], None]:
        def count(parent: QModelIndex, first: int, last: int) -> None:
            assert not parent.isValid()
            setattr(self, name, getattr(self, name) + last - first + 1)

        return count

    def show(self, *conversations: Conversation) -> None:
        self.model.show_all(conversations, True)
        self.inserted = self.removed = 0

    @property
    def rows(self) -> list[str]:
        shown = [str(self.model.index(row, 0).data()) for row in range(self.model.rowCount())]
        for row, text in enumerate(shown):
            if text.isupper():
                assert self.model.row_of(text.lower()) == row
        return shown


@pytest.fixture
def listed(qtbot: QtBot) -> Listed:
    owner = QObject()
    listed = Listed(owner)
    listed.owner = owner  # type: ignore[attr-defined]
    return listed


def test_what_is_said_in_moves_to_the_top(listed: Listed) -> None:
    listed.show(made("a", 0), made("b", 1), made("c", 1, 9))
    listed.model.update_one(made("c", 0, 13))
    assert listed.rows == ["Today", "C", "A", "Yesterday", "B"]
    assert (listed.inserted, listed.removed) == (1, 1)


def test_a_heading_without_conversations_goes_and_a_new_one_comes(listed: Listed) -> None:
    listed.show(made("b", 1))
    listed.model.update_one(made("b", 0))
    assert listed.rows == ["Today", "B"]


def test_a_new_one_is_put_under_its_heading(listed: Listed) -> None:
    listed.show(made("a", 0), made("b", 1))
    listed.model.update_one(made("n", 0, 15))
    listed.model.update_one(made("m", 1, 9))
    assert listed.rows == ["Today", "N", "A", "Yesterday", "B", "M"]


def test_a_group_between_two_others_is_made(listed: Listed) -> None:
    listed.show(made("a", 0), made("z", 40))
    listed.model.update_one(made("m", 1))
    assert listed.rows == ["Today", "A", "Yesterday", "M", "8 February", "Z"]


def test_the_last_one_of_a_group_stays_above_the_next_heading(listed: Listed) -> None:
    listed.show(made("a", 0, 14), made("b", 1))
    listed.model.update_one(made("m", 0, 9))
    assert listed.rows == ["Today", "A", "M", "Yesterday", "B"]


def test_pinning_and_unpinning(listed: Listed) -> None:
    listed.show(made("a", 0), made("b", 1))
    listed.model.update_one(made("b", 1, pinned=True))
    assert listed.rows == ["Pinned", "B", "Today", "A"]
    listed.model.update_one(made("b", 1))
    assert listed.rows == ["Today", "A", "Yesterday", "B"]


def test_another_title_touches_one_row(listed: Listed) -> None:
    listed.show(made("a", 0, 14), made("b", 0, 13), made("c", 0, 12))
    listed.model.update_one(replace(made("b", 0, 13), title="Renamed"))
    assert [listed.model.index(row, 0).data() for row in range(4)] == ["Today", "A", "Renamed", "C"]
    assert listed.inserted + listed.removed <= 2


def test_removing_the_only_one_empties_the_list(listed: Listed) -> None:
    listed.show(made("a", 0))
    listed.model.remove_one("a")
    listed.model.remove_one("gone already")
    assert listed.rows == []


def test_one_that_was_not_fetched_yet_is_left_to_be_fetched(listed: Listed) -> None:
    listed.model.show_all([made("a", 0)], False)
    listed.model.update_one(made("old", 300))
    assert listed.rows == ["Today", "A"]


def test_a_list_that_is_fetched_anew_touches_only_what_differs(listed: Listed) -> None:
    listed.show(made("a", 0, 14), made("b", 0, 13), made("c", 1))
    listed.model.show_all([made("a", 0, 14), made("c", 1)], True)
    assert listed.rows == ["Today", "A", "Yesterday", "C"]
    assert (listed.inserted, listed.removed) == (0, 1)
