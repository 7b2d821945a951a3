"""One row a turn, in the order of the turns, and a view that stays where the reader is."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.events import (
    AssistantError,
    ErrorKind,
    FinalTranscript,
    FinishReason,
    PartialTranscript,
    ReplyFinished,
    SpeechDiscarded,
    SpeechStarted,
    SpokenProgress,
    State,
    StateChanged,
    TextDelta,
    ToolCall,
    ToolResult,
    TurnFailed,
    TurnFinished,
    TurnId,
    TurnMetrics,
    TypedMessage,
    Usage,
)
from s2s_desktop.ui.empty_state import EmptyState
from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.text_view import TextView
from s2s_desktop.ui.turn_rows import MAX_ROWS
from s2s_desktop.ui.turn_view import TurnView
from window_helpers import Conversation, button

LONG = "A sentence that takes some room on the screen. " * 40


def words(view: TurnView) -> list[str]:
    """Everything a row shows, from top to bottom."""
    QApplication.processEvents()  # a layout shows new widgets on the next turn of the loop
    children = [*view.findChildren(TextView), *view.findChildren(QLabel), *view.findChildren(QPushButton)]
    pieces = [child for child in children if child.isVisibleTo(view)]
    placed = sorted(pieces, key=lambda child: child.mapTo(view, child.rect().topLeft()).y())
    texts = [
        piece.toPlainText() if isinstance(piece, TextView) else piece.text().replace("\u200b", "")
        for piece in placed
    ]
    return [text for text in texts if text]


def settle(qtbot: QtBot, window: MainWindow) -> None:
    """Let layouts and coalesced updates catch up."""
    window.conversation.flush()
    QApplication.processEvents()


def test_question_and_answer_are_shown_in_one_row(window: MainWindow, conversation: Conversation) -> None:
    conversation.hold_turn(1, "What is the capital of France?", "The capital of France is **Paris**.")
    (row,) = window.conversation.views
    assert words(row)[:2] == ["What is the capital of France?", "The capital of France is Paris."]


def test_the_answer_streams_in_the_order_of_its_deltas(
    qtbot: QtBot, window: MainWindow, conversation: Conversation
) -> None:
    conversation.tell(TypedMessage("Count"), turn=1)
    answer = ""
    for number in range(200):
        conversation.tell(TextDelta(f"word{number} "), turn=1)
        answer += f"word{number} "
        if number % 20 == 0:
            settle(qtbot, window)
            assert words(window.conversation.views[0])[1] == answer.strip()
    conversation.tell(ReplyFinished(FinishReason.STOP), TurnFinished(TurnMetrics()), turn=1)
    assert words(window.conversation.views[0])[1] == answer.strip()


def test_a_row_says_that_the_assistant_thinks_until_the_first_word(
    qtbot: QtBot, window: MainWindow, conversation: Conversation
) -> None:
    conversation.tell(TypedMessage("Why?"), turn=1)
    assert words(window.conversation.views[0]) == ["Why?", "Thinking…"]
    conversation.tell(TextDelta("Because."), turn=1)
    settle(qtbot, window)
    assert words(window.conversation.views[0]) == ["Why?", "Because."]


def test_rows_stand_in_the_order_of_the_turns_whatever_arrives_first(
    qtbot: QtBot, window: MainWindow, conversation: Conversation
) -> None:
    conversation.tell(TypedMessage("first"), turn=1)
    conversation.tell(TypedMessage("third"), turn=3)
    conversation.tell(TypedMessage("second"), turn=2)
    conversation.tell(TextDelta("late answer"), turn=1)
    settle(qtbot, window)
    rows = window.conversation.views
    assert [words(row)[0] for row in rows] == ["first", "second", "third"]
    assert [row.y() for row in rows] == sorted(row.y() for row in rows)
    assert words(rows[0])[1] == "late answer"


def test_a_turn_that_came_to_nothing_leaves_no_row(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(FinalTranscript(""), Usage(1, 1), TurnFinished(TurnMetrics()), turn=1)
    assert window.conversation.views == []


def test_late_results_of_an_earlier_revision_are_not_shown(
    qtbot: QtBot, window: MainWindow, conversation: Conversation
) -> None:
    conversation.tell(FinalTranscript("Could you"), TextDelta("Could I"), turn=TurnId(1, 0))
    conversation.tell(FinalTranscript("Could you tell me the time?"), turn=TurnId(1, 1))
    conversation.tell(TextDelta(" what?"), turn=TurnId(1, 0))
    conversation.tell(TextDelta("It is noon."), turn=TurnId(1, 1))
    settle(qtbot, window)
    (row,) = window.conversation.views
    assert words(row) == ["Could you tell me the time?", "It is noon."]


def test_tools_are_one_quiet_line_each(qtbot: QtBot, window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(TypedMessage("Time?"), ToolCall("a", "get_<b>time", '{"zone": "<i>"}'), turn=1)
    row = window.conversation.views[0]
    assert words(row) == ["Time?", "Using get_<b>time…"]
    conversation.tell(ToolResult("a", "get_<b>time", "noon"), TextDelta("It is noon."), turn=1)
    settle(qtbot, window)
    assert words(row) == ["Time?", "Used get_<b>time", "It is noon."]


def test_a_reply_cut_off_says_where_the_voice_stopped(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(FinalTranscript("Count"), TextDelta("One, two, three, four, five, six, seven."), turn=1)
    conversation.tell(SpokenProgress("One, two, three, four, five, six,"), turn=1)
    conversation.tell(StateChanged(State.INTERRUPTED))
    conversation.tell(TurnFinished(TurnMetrics()), turn=1)
    assert "Interrupted after “…two, three, four, five, six”" in words(window.conversation.views[0])


def test_a_notice_about_the_reply_stands_below_it(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(TypedMessage("Go"), TextDelta("On and"), turn=1)
    conversation.tell(ReplyFinished(FinishReason.LENGTH, notice="Cut by the length limit."), turn=1)
    assert words(window.conversation.views[0]) == ["Go", "On and", "Cut by the length limit."]


class TestFailure:
    ERROR = AssistantError(ErrorKind.RATE_LIMIT, "The server asks to wait <20> seconds.", "HTTP 429: slow")

    def fail(self, conversation: Conversation) -> None:
        conversation.tell(TypedMessage("Hello?"), TextDelta("He"), TurnFailed(self.ERROR), turn=1)
        conversation.tell(TurnFinished(TurnMetrics()), turn=1)

    def test_the_sentence_is_shown_and_what_came_before_stays(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        self.fail(conversation)
        assert words(window.conversation.views[0])[:3] == ["Hello?", "He", self.ERROR.message]

    def test_try_again_sends_the_same_question(self, window: MainWindow, conversation: Conversation) -> None:
        self.fail(conversation)
        button(window, "Try again").click()
        assert conversation.asked == [("send_text", "Hello?")]

    def test_details_are_shown_on_request(self, window: MainWindow, conversation: Conversation) -> None:
        self.fail(conversation)
        row = window.conversation.views[0]
        assert not any("429" in text for text in words(row))
        button(window, "Details of the error").click()
        assert "[rate_limit] HTTP 429: slow" in words(row)
        button(window, "Details of the error").click()
        assert not any("429" in text for text in words(row))

    @pytest.mark.parametrize(
        ("kind", "page"), [(ErrorKind.AUTH, "model"), (ErrorKind.MODEL_MISSING, "models")]
    )
    def test_the_settings_that_can_mend_it_are_one_click_away(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation, kind: ErrorKind, page: str
    ) -> None:
        failed = TurnFailed(AssistantError(kind, "It needs something."))
        conversation.tell(TypedMessage("Hello?"), failed, TurnFinished(TurnMetrics()), turn=1)
        with qtbot.waitSignal(window.settings_requested, timeout=1000) as asked:
            button(window, "Open the settings").click()
        assert asked.args == [page]

    def test_what_passes_by_itself_leads_to_no_settings(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        self.fail(conversation)
        with pytest.raises(AssertionError, match="0 visible buttons"):
            button(window, "Open the settings")

    def test_without_a_question_there_is_nothing_to_try_again(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(TurnFailed(self.ERROR), TurnFinished(TurnMetrics()), turn=1)
        with pytest.raises(AssertionError, match="0 visible buttons"):
            button(window, "Try again")


class TestCaption:
    def test_it_goes_from_listening_over_words_to_a_message(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(SpeechStarted(0))
        assert window.conversation.caption == "Listening to you…"
        conversation.tell(PartialTranscript("Could you"))
        assert window.conversation.caption == "Could you"
        conversation.tell(PartialTranscript("Could you tell me"))
        assert window.conversation.caption == "Could you tell me"
        conversation.tell(FinalTranscript("Could you tell me the time?"), turn=1)
        assert window.conversation.caption == ""
        assert words(window.conversation.views[0])[0] == "Could you tell me the time?"

    def test_a_cough_leaves_nothing(self, window: MainWindow, conversation: Conversation) -> None:
        conversation.tell(SpeechStarted(0), SpeechDiscarded())
        assert window.conversation.caption == ""
        assert window.findChild(EmptyState).isVisible()

    def test_silence_after_all_leaves_nothing(self, window: MainWindow, conversation: Conversation) -> None:
        conversation.tell(SpeechStarted(0))
        conversation.tell(FinalTranscript(""), turn=1)
        assert window.conversation.caption == ""

    def test_an_empty_partial_does_not_wipe_the_words(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(SpeechStarted(0), PartialTranscript("Could"), PartialTranscript(" "))
        assert window.conversation.caption == "Could"


class TestFollowing:
    def fill(self, qtbot: QtBot, window: MainWindow, conversation: Conversation) -> None:
        for number in range(1, 6):
            conversation.hold_turn(number, f"Question {number}", LONG)
        bar = window.conversation.verticalScrollBar()
        qtbot.waitUntil(lambda: 0 < bar.maximum() == bar.value())

    def test_the_newest_is_in_view_while_the_reader_is_at_the_end(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        self.fill(qtbot, window, conversation)
        before = window.conversation.verticalScrollBar().maximum()
        conversation.tell(TypedMessage("More"), TextDelta(LONG), turn=6)
        bar = window.conversation.verticalScrollBar()
        qtbot.waitUntil(lambda: before < bar.maximum() == bar.value())
        assert window.conversation.following

    def test_the_view_stays_where_the_reader_is(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        self.fill(qtbot, window, conversation)
        bar = window.conversation.verticalScrollBar()
        bar.setValue(50)
        before = bar.maximum()
        conversation.tell(TextDelta(LONG), ToolCall("a", "t", "{}"), turn=5)
        qtbot.waitUntil(lambda: bar.maximum() > before)
        assert bar.value() == 50

    def test_follow_appears_and_takes_the_reader_back(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        self.fill(qtbot, window, conversation)
        with pytest.raises(AssertionError, match="0 visible buttons"):
            button(window, "Jump to latest")
        bar = window.conversation.verticalScrollBar()
        bar.setValue(50)
        button(window, "Jump to latest").click()
        assert bar.value() == bar.maximum()
        assert window.conversation.following
        with pytest.raises(AssertionError, match="0 visible buttons"):
            button(window, "Jump to latest")

    def test_sending_a_message_takes_the_reader_to_the_end(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        self.fill(qtbot, window, conversation)
        bar = window.conversation.verticalScrollBar()
        bar.setValue(50)
        conversation.tell(TypedMessage("Next"), turn=6)
        qtbot.waitUntil(lambda: bar.value() == bar.maximum())


def test_copy_gives_the_reply_as_the_model_wrote_it(window: MainWindow, conversation: Conversation) -> None:
    conversation.hold_turn(1, "Q", "It is **very** mild.")
    button(window, "Copy the answer").click()
    assert QApplication.clipboard().text() == "It is **very** mild."
    assert button(window, "Copied").isVisible()
    button(window, "Copy your message").click()
    assert QApplication.clipboard().text() == "Q"


def test_the_time_one_waited_stands_below_the_latest_answer(
    window: MainWindow, conversation: Conversation
) -> None:
    conversation.hold_turn(1, "Q", "A")
    conversation.hold_turn(2, "Q", "A")
    first, second = window.conversation.views
    assert "0.9 s" in words(second)
    assert "0.9 s" not in words(first)


def test_the_examples_ask_their_question_and_go_away(window: MainWindow, conversation: Conversation) -> None:
    question = "What is the capital of France?"
    button(window, f"Ask: {question}").click()
    assert conversation.asked == [("send_text", question)]
    conversation.tell(TypedMessage(question), turn=1)
    assert not window.findChild(EmptyState).isVisible()
    assert window.focusWidget() is window.dock.field.input


def test_a_long_conversation_keeps_few_widgets_and_all_its_text(
    qtbot: QtBot, window: MainWindow, conversation: Conversation
) -> None:
    for number in range(1, MAX_ROWS + 31):
        conversation.hold_turn(number, f"Question {number}", "Answer.")
    settle(qtbot, window)
    numbers = [row.record.number for row in window.conversation.views]
    assert numbers == list(range(31, MAX_ROWS + 31))
    assert len(window.conversation.records) == MAX_ROWS + 30


def test_earlier_messages_come_back_without_moving_the_text(
    qtbot: QtBot, window: MainWindow, conversation: Conversation
) -> None:
    for number in range(1, MAX_ROWS + 6):
        conversation.hold_turn(number, f"Question {number}", "Answer.")
    bar = window.conversation.verticalScrollBar()
    qtbot.waitUntil(lambda: 0 < bar.maximum() == bar.value())
    bar.setValue(0)
    settle(qtbot, window)
    old_first = window.conversation.views[0]
    before = old_first.mapTo(window, old_first.rect().topLeft()).y()
    button(window, "Show earlier messages").click()
    qtbot.waitUntil(lambda: len(window.conversation.views) == MAX_ROWS + 5)
    numbers = [row.record.number for row in window.conversation.views]
    assert all(first < second for first, second in itertools.pairwise(numbers))

    def moved() -> int:
        return abs(old_first.mapTo(window, old_first.rect().topLeft()).y() - before)

    qtbot.waitUntil(lambda: moved() <= 60)  # the button above the rows went away
