"""Every control does what its name says, and every event shows up where it belongs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import compress, permutations, product

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.events import (
    AssistantError,
    ErrorKind,
    MicLevel,
    MicrophoneChanged,
    ModelProgress,
    Notice,
    PartialTranscript,
    Readiness,
    SpokenProgress,
    State,
    StateChanged,
    TextDelta,
    ToolCall,
    TurnFailed,
    TypedMessage,
)
from s2s_desktop.ui.elided_label import ElidedLabel
from s2s_desktop.ui.main_window import SMALLEST, MainWindow
from s2s_desktop.ui.message_input import MAX_LINES
from s2s_desktop.ui.text_view import TextView
from window_helpers import READY, Conversation, button

PARTS = ("Language model", "Speech recognition", "Voice")


def type_message(qtbot: QtBot, window: MainWindow, text: str) -> None:
    qtbot.keyClicks(window.dock.field.input, text)


def send_message(qtbot: QtBot, window: MainWindow, text: str) -> None:
    type_message(qtbot, window, text)
    qtbot.keyClick(window.dock.field.input, Qt.Key.Key_Return)


class TestTyping:
    def test_enter_sends_and_empties_the_field(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        send_message(qtbot, window, "Hello")
        assert conversation.asked == [("send_text", "Hello")]
        assert window.dock.field.input.toPlainText() == ""

    def test_the_send_button_sends(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        send = button(window, "Send")
        assert not send.isEnabled()
        type_message(qtbot, window, "Hello")
        send.click()
        assert conversation.asked == [("send_text", "Hello")]

    def test_keys_go_into_the_field_wherever_the_focus_is(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.hold_turn(1, "Q", "An answer to click on.")
        QApplication.processEvents()
        for place in (window.conversation, window.dock.mic_button, window.findChildren(TextView)[0]):
            place.setFocus()
            qtbot.keyClick(place, "h")
            qtbot.keyClicks(window.focusWidget(), "ey ")
        assert window.dock.field.input.toPlainText() == "hey hey hey "
        assert conversation.asked == []

    def test_white_space_is_nothing_to_send(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        send_message(qtbot, window, "   ")
        assert conversation.asked == []

    def test_a_message_can_be_sent_while_a_reply_is_under_way(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(StateChanged(State.SPEAKING))
        type_message(qtbot, window, "Wait")
        button(window, "Send").click()
        assert conversation.asked == [("send_text", "Wait")]

    def test_every_line_is_in_view_while_the_field_grows(self, qtbot: QtBot, window: MainWindow) -> None:
        field = window.dock.field.input
        for line in range(MAX_LINES - 1):
            qtbot.keyClicks(field, f"line {line}")
            qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
            QApplication.processEvents()
            assert field.verticalScrollBar().value() == 0

    def test_what_is_sent_before_somebody_can_answer_waits_and_then_goes_out(self, qtbot: QtBot) -> None:
        window = MainWindow()
        qtbot.addWidget(window)
        window.show()
        send_message(qtbot, window, "Early")
        conversation = Conversation()
        window.connect_to(conversation)
        assert conversation.asked == []
        assert window.dock.hint == "Then your message is sent"
        qtbot.keyClicks(window.dock.field.input, ", and changed")
        conversation.tell(READY)
        assert conversation.asked == [("send_text", "Early, and changed")]
        assert window.dock.field.input.toPlainText() == ""
        assert window.dock.hint == "or type a message"
        window.hide()

    def test_what_was_taken_back_meanwhile_is_not_sent(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(Readiness(hearing=False, voice=False, llm=False))
        send_message(qtbot, window, "Early")
        window.dock.field.input.clear()
        conversation.tell(READY)
        assert conversation.asked == []

    def test_what_waits_goes_out_when_the_model_fails_so_that_the_answer_says_why(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(Readiness(hearing=False, voice=False, llm=False))
        send_message(qtbot, window, "Early")
        conversation.tell(ModelProgress("Language model", error="The network is gone."))
        conversation.tell(Readiness(hearing=True, voice=True, llm=False, llm_failed=True))
        send_message(qtbot, window, "Again")
        assert conversation.asked == [("send_text", "Early"), ("send_text", "Again")]

    def test_what_is_sent_while_a_failed_model_is_loaded_anew_waits(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(Readiness(hearing=True, voice=True, llm=False, llm_failed=True))
        conversation.tell(Readiness(hearing=True, voice=True, llm=False))
        send_message(qtbot, window, "Early")
        assert conversation.asked == []
        conversation.tell(READY)
        assert conversation.asked == [("send_text", "Early")]

    @pytest.mark.parametrize("order", list(permutations(PARTS)), ids="-".join)
    def test_only_the_language_model_decides_when_what_waits_goes_out(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation, order: tuple[str, ...]
    ) -> None:
        for fails in product((False, True), repeat=len(PARTS)):
            failing = set(compress(PARTS, fails))
            conversation.asked.clear()
            conversation.tell(Readiness(hearing=False, voice=False, llm=False))
            send_message(qtbot, window, "Early")
            for done in range(1, len(order) + 1):
                *_, part = over = order[:done]
                there = set(over) - failing
                if part in failing:
                    conversation.tell(ModelProgress(part, error="It could not be had."))
                conversation.tell(
                    Readiness(
                        hearing="Speech recognition" in there,
                        voice="Voice" in there,
                        llm="Language model" in there,
                        llm_failed="Language model" in failing.intersection(over),
                    )
                )
                sent = [("send_text", "Early")] if "Language model" in over else []
                assert conversation.asked == sent, (over, failing)


class TestMicrophone:
    def test_the_button_switches_it_on_and_off(self, window: MainWindow, conversation: Conversation) -> None:
        button(window, "Talk").click()
        conversation.tell(MicrophoneChanged(on=True), StateChanged(State.LISTENING))
        button(window, "Stop listening").click()
        assert conversation.asked == [("set_microphone", True), ("set_microphone", False)]

    def test_control_m_does_the_same_from_anywhere(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        qtbot.keyClick(window.dock.field.input, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
        assert conversation.asked == [("set_microphone", True)]

    def test_space_presses_the_button_that_has_the_focus(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        qtbot.keyClick(window.dock.mic_button, Qt.Key.Key_Space)
        assert conversation.asked == [("set_microphone", True)]

    def test_only_the_disc_is_the_button(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        disc = window.dock.mic_button
        assert min(disc.width(), disc.height()) >= 56
        qtbot.mouseClick(disc, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
        assert conversation.asked == []
        qtbot.mouseClick(disc, Qt.MouseButton.LeftButton, pos=disc.rect().center())
        assert conversation.asked == [("set_microphone", True)]

    def test_a_problem_is_said_beside_it_and_typing_goes_on(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        sentence = "No microphone was found. Plug one in and press the button again."
        conversation.tell(MicrophoneChanged(on=False, problem=sentence))
        assert window.dock.problem == sentence
        assert (window.dock.state_text, window.dock.hint) == (
            "Microphone not available",
            "Press to try again",
        )
        assert window.dock.mic_button.icon_name == "mic-off"
        type_message(qtbot, window, "Hello")
        button(window, "Send").click()
        assert conversation.asked == [("send_text", "Hello")]
        conversation.tell(MicrophoneChanged(on=True))
        assert window.dock.problem == ""


class TestLevel:
    def test_the_meter_moves_with_the_voice(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(MicrophoneChanged(on=True), StateChanged(State.LISTENING))
        conversation.tell(MicLevel(-45.0, -40.0))
        qtbot.waitUntil(lambda: window.dock.meter.bar.level == pytest.approx(0.25))
        conversation.tell(MicLevel(-12.0, -6.0))
        qtbot.waitUntil(lambda: window.dock.meter.bar.level == pytest.approx(0.8))
        qtbot.waitUntil(lambda: window.dock.meter.text == "−12 dB" or _louder(conversation))
        assert window.dock.mic_button.level == pytest.approx(0.8)

    def test_a_burst_of_levels_is_one_update(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(MicrophoneChanged(on=True))
        for level in range(100):
            conversation.tell(MicLevel(-60.0 + level * 0.5, -5.0))
        assert window.dock.meter.bar.level == 0.0
        qtbot.waitUntil(lambda: window.dock.meter.bar.level > 0)
        assert window.dock.meter.bar.level == pytest.approx(1 - 10.5 / 60)

    def test_the_meter_rests_when_the_microphone_is_off(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(MicrophoneChanged(on=True), MicLevel(-12.0, -6.0))
        qtbot.waitUntil(lambda: window.dock.meter.bar.level > 0)
        conversation.tell(MicrophoneChanged(on=False))
        assert (window.dock.meter.bar.level, window.dock.mic_button.level) == (0.0, 0.0)


def _louder(conversation: Conversation) -> bool:
    conversation.tell(MicLevel(-12.0, -6.0))
    return False


class TestStop:
    @pytest.mark.parametrize("state", [State.TRANSCRIBING, State.THINKING, State.SPEAKING])
    def test_escape_and_the_button_stop_a_reply(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation, state: State
    ) -> None:
        conversation.tell(StateChanged(state))
        button(window, "Stop").click()
        qtbot.keyClick(window.dock.field.input, Qt.Key.Key_Escape)
        assert conversation.asked == [("stop_reply", None)] * 2

    @pytest.mark.parametrize("state", [State.IDLE, State.LISTENING, State.HEARING, State.ERROR])
    def test_there_is_nothing_to_stop_otherwise(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation, state: State
    ) -> None:
        conversation.tell(StateChanged(State.SPEAKING), StateChanged(state))
        qtbot.keyClick(window.dock.field.input, Qt.Key.Key_Escape)
        assert conversation.asked == []
        assert not window.dock.field.stop_button.isVisible()


class TestStates:
    @pytest.mark.parametrize(
        ("state", "word"),
        [
            (State.IDLE, "Press to talk"),
            (State.LISTENING, "Listening"),
            (State.HEARING, "Hearing you"),
            (State.TRANSCRIBING, "Transcribing"),
            (State.THINKING, "Thinking"),
            (State.SPEAKING, "Speaking"),
            (State.INTERRUPTED, "Interrupted"),
            (State.ERROR, "That did not work"),
        ],
    )
    def test_every_state_has_a_word(
        self, window: MainWindow, conversation: Conversation, state: State, word: str
    ) -> None:
        conversation.tell(StateChanged(state))
        assert window.dock.state_text == word

    def test_the_window_says_that_it_is_getting_ready(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(Readiness(hearing=False, voice=False, llm=False))
        assert window.dock.state_text == "Getting ready"
        conversation.tell(Readiness(hearing=False, voice=False, llm=True))
        assert window.dock.state_text == "Ready for typing"
        conversation.tell(READY)
        assert window.dock.state_text == "Press to talk"

    def test_the_ring_breathes_only_while_the_assistant_works(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        for state in State:
            conversation.tell(StateChanged(state))
            assert window.dock.mic_button.animating == (state in (State.THINKING, State.TRANSCRIBING))
        conversation.tell(StateChanged(State.THINKING))
        window.hide()
        assert not window.dock.mic_button.animating

    def test_the_ring_shows_how_much_of_the_reply_was_heard(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(TypedMessage("Q"), TextDelta("x" * 100), turn=1)
        conversation.tell(StateChanged(State.SPEAKING))
        conversation.tell(SpokenProgress("x" * 25), turn=1)
        assert window.dock.mic_button.spoken == pytest.approx(0.25)
        conversation.tell(SpokenProgress("x" * 80, finished=True), turn=1)
        assert window.dock.mic_button.spoken == 1.0


class TestModels:
    def test_a_narrow_window_shortens_the_name_of_the_model_before_a_short_title(
        self, window: MainWindow
    ) -> None:
        window.resize(SMALLEST[0], 480)
        window.top_bar.show_title("Not saved")
        QApplication.processEvents()
        (title,) = [label for label in window.top_bar.findChildren(ElidedLabel) if label.whole_text]
        assert title.text() == "Not saved"
        assert window.top_bar.model.text().startswith("Built")
        window.resize(900, 480)
        QApplication.processEvents()
        assert window.top_bar.model.text() == "Built-in · SmolLM2 135M"

    def test_the_name_of_the_model_is_a_chip(self, window: MainWindow) -> None:
        assert window.top_bar.model_name == "Built-in · SmolLM2 135M"

    def test_a_download_is_a_row_until_it_is_done(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        title = "Whisper base (speech recognition)"
        conversation.tell(ModelProgress(title, 43_000_000, 145_000_000, "Downloading"))
        assert window.progress.texts == [f"{title}: Downloading 43 of 145 MB"]
        conversation.tell(ModelProgress("Language model", text="Loading language model…"))
        assert window.progress.texts[1] == "Loading language model…"
        conversation.tell(ModelProgress(title, 145_000_000, 145_000_000))
        assert window.progress.texts == ["Loading language model…"]
        conversation.tell(ModelProgress("Language model"))
        assert not window.progress.isVisible()

    def test_a_failed_download_says_why_until_it_is_dismissed(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(ModelProgress("Kokoro", error="No connection. Try again later."))
        assert window.progress.texts == ["Kokoro: No connection. Try again later."]
        button(window.progress, "Dismiss").click()
        assert not window.progress.isVisible()

    def test_the_trial_model_offers_a_better_one(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        trial = Readiness(hearing=True, voice=True, llm=True, trial_model=True)
        conversation.tell(trial)
        offer = button(window, "Get a better one")
        offer.click()
        assert conversation.asked == [("fetch_better_model", None)]
        assert not offer.isEnabled()
        conversation.tell(ModelProgress("Qwen", error="No connection."))
        assert offer.isEnabled()
        conversation.tell(READY)
        assert not offer.isVisible()

    def test_the_offer_stays_away_once_dismissed(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        trial = Readiness(hearing=True, voice=True, llm=True, trial_model=True)
        conversation.tell(trial)
        button(window.banners, "Dismiss").click()
        conversation.tell(trial)
        assert not window.banners.isVisible()


class TestNotices:
    def test_a_notice_stays_until_it_is_dismissed(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(Notice("The speaker <b>was</b> changed."))
        assert window.banners.notices == ["The speaker <b>was</b> changed."]
        button(window.banners, "Dismiss").click()
        assert window.banners.notices == []
        assert not window.banners.isVisible()

    def test_the_same_sentence_is_shown_once_and_old_ones_make_room(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        for text in ("one", "two", "one", "three", "four"):
            conversation.tell(Notice(text))
        assert window.banners.notices == ["one", "three", "four"]


class TestClosing:
    @pytest.mark.parametrize("state", list(State))
    def test_the_window_hides_at_once_and_asks_the_program_to_end(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation, state: State
    ) -> None:
        conversation.tell(StateChanged(state))
        with qtbot.waitSignal(window.close_requested, timeout=1000):
            assert not window.close()
        assert not window.isVisible()

    def test_events_that_come_after_closing_do_no_harm(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        window.close()
        conversation.hold_turn(1, "Q", "A")
        conversation.tell(MicLevel(-10.0, -5.0), Notice("late"), StateChanged(State.SPEAKING))


class TestAccess:
    def fill(self, conversation: Conversation) -> None:
        conversation.tell(Readiness(True, True, True, "m", trial_model=True), Notice("A notice"))
        conversation.tell(ModelProgress("Kokoro", error="It failed."))
        error = AssistantError(ErrorKind.DNS, "The server was not found.", "x")
        conversation.tell(TypedMessage("Again"), TurnFailed(error), turn=1)
        conversation.hold_turn(2, "Q", "See [this](http://example.org).\n\n```py\na = 1\n```")
        conversation.tell(StateChanged(State.SPEAKING))

    def test_everything_that_takes_the_focus_has_a_name(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        nameless = self.without_name(window)
        self.fill(conversation)
        assert nameless + self.without_name(window) == []

    @staticmethod
    def without_name(window: MainWindow) -> list[QWidget]:
        return [
            widget
            for widget in window.findChildren(QWidget)
            if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and not widget.accessibleName()
        ]

    def test_tab_goes_through_every_control_and_comes_back(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        self.fill(conversation)
        QApplication.processEvents()
        names = []
        widget = window.dock.field.input.nextInFocusChain()
        while widget is not window.dock.field.input:
            if widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                names.append(widget.accessibleName())
            widget = widget.nextInFocusChain()
        for name in ("Talk", "Stop", "Try again", "Details of the error", "Copy the answer", "Dismiss"):
            assert name in names

    def test_control_l_goes_to_the_field(self, qtbot: QtBot, window: MainWindow) -> None:
        window.dock.mic_button.setFocus()
        qtbot.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
        assert window.focusWidget() is window.dock.field.input


class TestSize:
    def test_the_smallest_window_has_room_for_everything_that_matters(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.hold_turn(1, "What is the capital of France?", "The capital of France is Paris.")
        conversation.tell(Readiness(True, True, True, "m", trial_model=True), Notice("A notice"))
        conversation.tell(MicrophoneChanged(on=True), StateChanged(State.SPEAKING))
        window.resize(*SMALLEST)
        qtbot.waitUntil(lambda: (window.width(), window.height()) == SMALLEST)
        field = window.dock.field
        qtbot.waitUntil(lambda: field.height() >= field.minimumSizeHint().height())
        qtbot.waitUntil(lambda: window.minimumSizeHint().width() <= SMALLEST[0])
        for part in (window.dock.mic_button, window.dock.field, window.dock.meter, window.top_bar):
            corner = part.mapTo(window, part.rect().bottomRight())
            assert window.rect().contains(corner), part
            assert part.height() >= part.minimumSizeHint().height()
        assert window.conversation.viewport().height() >= 120

    @pytest.mark.parametrize("size", [SMALLEST, (700, 500), (1400, 900)])
    def test_the_picture_is_not_blank_and_nothing_sticks_out(
        self, qtbot: QtBot, window: MainWindow, conversation: Conversation, size: tuple[int, int]
    ) -> None:
        word = "w" * 300
        conversation.hold_turn(1, f"A long word: {word}", "y" * 2000)
        conversation.tell(Notice(word), MicrophoneChanged(on=False, problem=word), PartialTranscript(word))
        conversation.tell(ModelProgress(word, 1, 2, word), ToolCall("a", word, word), turn=1)
        conversation.tell(TurnFailed(AssistantError(ErrorKind.DNS, word, word)), turn=2)
        QApplication.processEvents()
        window.resize(*size)
        page, viewport = window.conversation.widget(), window.conversation.viewport()
        qtbot.waitUntil(lambda: page.width() <= viewport.width() <= window.width() == size[0])
        picture = window.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        colors = {
            picture.pixel(x, y) for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 7)
        }
        assert len(colors) > 10


def test_the_window_belongs_to_the_thread_of_the_loop(window: MainWindow) -> None:
    """The session calls its observers on the event loop, so no widget is touched from another thread."""
    assert window.thread() is QApplication.instance().thread()
    assert threading.current_thread() is threading.main_thread()


async def test_a_conversation_on_the_loop_reaches_the_window(qapp: QApplication) -> None:
    import asyncio

    conversation = Conversation()
    window = MainWindow(conversation)
    window.show()
    closing = asyncio.Event()
    window.close_requested.connect(closing.set)
    asyncio.get_running_loop().call_later(0.01, conversation.hold_turn, 1, "Q", "A")
    asyncio.get_running_loop().call_later(0.05, window.close)
    await asyncio.wait_for(closing.wait(), 10)
    assert [record.reply_text for record in window.conversation.records] == ["A"]
    window.deleteLater()


class TestBeforeThereIsAConversation:
    @pytest.fixture
    def early(self, qtbot: QtBot) -> Iterator[MainWindow]:
        window = MainWindow()
        window.show()
        yield window
        window.hide()
        window.deleteLater()

    def test_the_microphone_waits_for_it(self, early: MainWindow) -> None:
        assert not button(early, "Talk").isEnabled()
        assert early.dock.state_text == "Getting ready"
        early.connect_to(Conversation())
        assert button(early, "Talk").isEnabled()

    def test_a_question_that_was_clicked_is_kept(self, early: MainWindow) -> None:
        button(early, "Ask: Why is the sky blue?").click()
        assert early.dock.field.input.toPlainText() == "Why is the sky blue?"
        conversation = Conversation()
        early.connect_to(conversation)
        conversation.tell(READY)
        assert conversation.asked == [("send_text", "Why is the sky blue?")]

    def test_it_can_be_closed(self, qtbot: QtBot, early: MainWindow) -> None:
        with qtbot.waitSignal(early.close_requested, timeout=1000):
            early.close()
