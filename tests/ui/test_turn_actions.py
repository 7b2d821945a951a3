"""What can be done with a turn: copy, answer again, edit, delete, see where its time went."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QDateTime, QLocale, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.events import (
    AssistantError,
    ErrorKind,
    FinishReason,
    ReplyFinished,
    State,
    StateChanged,
    TextDelta,
    TurnFailed,
    TurnFinished,
    TurnMetrics,
    TurnRemoved,
    TypedMessage,
    Usage,
)
from s2s_desktop.conversation.store.records import Message, Role, SavedTurn
from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.turn_editor import TurnEditor
from s2s_desktop.ui.turn_menu import TurnMenu
from s2s_desktop.ui.turn_view import TurnView
from s2s_desktop.ui.waterfall_popup import WaterfallPopup
from window_helpers import Conversation, button


@pytest.fixture
def two_turns(window: MainWindow, conversation: Conversation) -> list[TurnView]:
    conversation.hold_turn(1, "First question", "First answer.")
    conversation.hold_turn(2, "Second question", "Second answer.")
    QApplication.processEvents()
    return window.conversation.views


def open_menu(view: TurnView) -> TurnMenu:
    """Press the menu key on a row."""
    view.setFocus()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    QApplication.sendEvent(view, event)
    (menu,) = [menu for menu in view.findChildren(TurnMenu) if menu.isVisible()]
    return menu


def choose(menu: TurnMenu, text: str) -> None:
    (action,) = [action for action in menu.actions() if action.text() == text]
    menu.close()
    action.trigger()


def labels(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget)]


class TestRegenerate:
    def test_the_newest_answer_can_be_asked_for_again(
        self, window: MainWindow, conversation: Conversation, two_turns: list[TurnView]
    ) -> None:
        button(window, "Answer again").click()
        assert conversation.asked == [("regenerate", None)]

    def test_it_is_offered_for_the_newest_turn_only(self, two_turns: list[TurnView]) -> None:
        texts = [action.text() for action in open_menu(two_turns[0]).actions()]
        assert "Answer again" not in texts
        assert "Copy the answer" in texts

    def test_the_answer_that_was_taken_back_goes(
        self, window: MainWindow, conversation: Conversation, two_turns: list[TurnView]
    ) -> None:
        conversation.tell(TurnRemoved(2))
        conversation.tell(TypedMessage("Second question"), turn=3)
        assert [view.record.number for view in window.conversation.views] == [1, 3]
        assert [record.number for record in window.conversation.records] == [1, 3]


class TestEdit:
    def edit(self, qtbot: QtBot, view: TurnView) -> TurnEditor:
        choose(open_menu(view), "Edit and send again")
        (editor,) = view.findChildren(TurnEditor)
        return editor

    def test_the_new_text_is_sent_in_place_of_the_old(
        self, qtbot: QtBot, conversation: Conversation, two_turns: list[TurnView]
    ) -> None:
        editor = self.edit(qtbot, two_turns[0])
        assert editor.input.hasFocus()
        qtbot.keyClicks(editor.input, "Better question")  # what was there is selected
        qtbot.keyClick(editor.input, Qt.Key.Key_Return)
        assert conversation.asked == [("edit_and_resend", (1, "Better question"))]

    def test_escape_leaves_everything_as_it_was_and_stops_no_reply(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation, two_turns: list[TurnView]
    ) -> None:
        conversation.tell(StateChanged(State.SPEAKING))
        editor = self.edit(qtbot, two_turns[0])
        qtbot.keyClick(editor.input, Qt.Key.Key_Escape)
        assert conversation.asked == []
        assert not editor.isVisible()
        assert two_turns[0].hasFocus()

    def test_an_empty_message_cannot_be_sent(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation, two_turns: list[TurnView]
    ) -> None:
        editor = self.edit(qtbot, two_turns[0])
        editor.input.clear()
        assert not button(window, "Send again").isEnabled()
        qtbot.keyClick(editor.input, Qt.Key.Key_Return)
        assert conversation.asked == []

    def test_the_pencil_opens_the_same_editor(self, window: MainWindow, conversation: Conversation) -> None:
        window.resize(1100, 720)
        conversation.hold_turn(1, "Q", "A")
        QApplication.processEvents()
        button(window, "Edit and send again").click()
        button(window, "Cancel editing").click()
        assert conversation.asked == []


class TestDelete:
    def test_it_is_asked_for_once_more(
        self, window: MainWindow, conversation: Conversation, two_turns: list[TurnView]
    ) -> None:
        choose(open_menu(two_turns[0]), "Delete this turn")
        assert conversation.asked == []
        button(window, "Delete").click()
        assert conversation.asked == [("delete_turn", 1)]

    def test_cancel_keeps_it(
        self, window: MainWindow, conversation: Conversation, two_turns: list[TurnView]
    ) -> None:
        choose(open_menu(two_turns[0]), "Delete this turn")
        button(window, "Cancel").click()
        assert conversation.asked == []
        assert len(window.conversation.views) == 2

    def test_a_deleted_turn_leaves_the_others_in_their_order(
        self, window: MainWindow, conversation: Conversation, two_turns: list[TurnView]
    ) -> None:
        conversation.hold_turn(3, "Third", "Answer")
        conversation.tell(TurnRemoved(2), TurnRemoved(99))
        assert [view.record.number for view in window.conversation.views] == [1, 3]

    def test_without_turns_the_window_is_as_at_the_beginning(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.hold_turn(1, "Q", "A")
        conversation.tell(TurnRemoved(1))
        assert button(window, "Ask: Why is the sky blue?").isVisible()

    def test_a_saved_turn_is_known_by_the_number_it_was_saved_with(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        messages = (Message(Role.USER, "Old question"), Message(Role.ASSISTANT, "Old answer."))
        turns = [SavedTurn(number, 0, messages) for number in (4, 7)]
        window.conversation.show_saved(turns, more=False)
        conversation.hold_turn(8, "New question", "New answer.")
        QApplication.processEvents()
        choose(open_menu(window.conversation.views[0]), "Delete this turn")
        button(window, "Delete").click()
        assert conversation.asked == [("delete_turn", 4)]
        conversation.tell(TurnRemoved(4))
        assert [record.user_text for record in window.conversation.records] == [
            "Old question",
            "New question",
        ]
        conversation.tell(TurnRemoved(8))
        assert [record.user_text for record in window.conversation.records] == ["Old question"]


class TestKeyboard:
    def test_arrow_keys_go_from_row_to_row(self, qtbot: QtBot, two_turns: list[TurnView]) -> None:
        first, second = two_turns
        second.setFocus()
        qtbot.keyClick(second, Qt.Key.Key_Up)
        assert first.hasFocus()
        qtbot.keyClick(first, Qt.Key.Key_Up)
        assert first.hasFocus()
        qtbot.keyClick(first, Qt.Key.Key_Down)
        assert second.hasFocus()

    def test_tab_stops_at_the_newest_row_only(self, two_turns: list[TurnView]) -> None:
        stops = [bool(view.focusPolicy() & Qt.FocusPolicy.TabFocus) for view in two_turns]
        assert stops == [False, True]

    def test_a_row_reads_itself_out(self, two_turns: list[TurnView]) -> None:
        assert two_turns[0].accessibleName() == "You: First question\nAssistant: First answer."

    def test_copy_from_the_menu(self, two_turns: list[TurnView]) -> None:
        choose(open_menu(two_turns[0]), "Copy the answer")
        assert QApplication.clipboard().text() == "First answer."
        choose(open_menu(two_turns[0]), "Copy your message")
        assert QApplication.clipboard().text() == "First question"


def test_the_time_of_day_is_shown_on_demand(window: MainWindow, conversation: Conversation) -> None:
    window.resize(1100, 720)
    conversation.hold_turn(1, "Q", "A")
    QApplication.processEvents()
    (view,) = window.conversation.views
    began = QDateTime.fromMSecsSinceEpoch(view.record.began_at)
    shown = QLocale().toString(began.time(), QLocale.FormatType.ShortFormat)
    assert shown not in labels(view)
    view.setFocus()
    assert shown in labels(view)


class TestWaterfall:
    def open(self, window: MainWindow, conversation: Conversation, metrics: TurnMetrics) -> WaterfallPopup:
        conversation.tell(
            TypedMessage("Q"),
            TextDelta("A"),
            ReplyFinished(FinishReason.STOP),
            Usage(12, 3),
            TurnFinished(metrics),
            turn=1,
        )
        QApplication.processEvents()
        waited = metrics.voice_to_voice if metrics.voice_to_voice is not None else metrics.llm_first_token
        button(window, f"Where the time went: {waited:.1f} s").click()
        (popup,) = window.findChildren(WaterfallPopup)
        return popup

    def test_the_latency_opens_one_line_for_each_step(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        popup = self.open(window, conversation, TurnMetrics(0.6, 0.55, 0.8, 1.1, 1.15))
        shown = labels(popup)
        for name, value in (("Pause", "0.60 s"), ("Transcript", "meanwhile"), ("First word", "0.20 s")):
            assert shown[shown.index(name) + 1] == value
        assert shown[shown.index("Total") + 1] == "1.15 s"
        assert not any("slow" in text for text in shown)
        popup.close()

    def test_it_says_what_would_make_a_slow_step_faster(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        popup = self.open(window, conversation, TurnMetrics(0.6, 0.7, 3.1, 3.4, 3.5))
        assert any("nearer provider" in text for text in labels(popup))
        popup.close()

    def test_a_typed_turn_has_the_steps_it_went_through(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        popup = self.open(window, conversation, TurnMetrics(llm_first_token=0.3))
        assert "Pause" not in labels(popup)
        assert "First word" in labels(popup)
        popup.close()

    def test_escape_closes_it(self, qtbot: QtBot, window: MainWindow, conversation: Conversation) -> None:
        popup = self.open(window, conversation, TurnMetrics(llm_first_token=0.3))
        qtbot.keyClick(popup, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: window.findChildren(WaterfallPopup) == [])
        assert conversation.asked == []


def test_a_failed_turn_can_be_deleted_and_answered_again(
    window: MainWindow, conversation: Conversation
) -> None:
    error = AssistantError(ErrorKind.DNS, "The server was not found.")
    conversation.tell(TypedMessage("Q"), TurnFailed(error), TurnFinished(TurnMetrics()), turn=1)
    texts = [action.text() for action in open_menu(window.conversation.views[0]).actions()]
    assert "Delete this turn" in texts
    assert "Answer again" in texts
    assert "Copy the answer" not in texts
