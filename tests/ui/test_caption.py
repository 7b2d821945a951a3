"""What is being said: gray while it may change, black when it stays, and never lost when the turn goes on."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from s2s_desktop.conversation.events import (
    FinalTranscript,
    PartialTranscript,
    SpeechStarted,
    TextDelta,
    TurnId,
    TurnReopened,
)
from s2s_desktop.ui.caption import Caption
from s2s_desktop.ui.main_window import MainWindow
from window_helpers import Conversation


def caption(window: MainWindow) -> Caption:
    found: Caption = window.findChild(Caption)
    return found


def spans(window: MainWindow) -> dict[str, str]:
    """Return the color of each piece of the caption."""
    label: QLabel = caption(window).findChild(QLabel)
    pieces = label.text().removeprefix("<span").removesuffix("</span>").split("</span><span")
    return {piece.split(">", 1)[1]: piece.split('"')[1].removeprefix("color: ") for piece in pieces}


def test_words_go_from_gray_to_black(window: MainWindow, conversation: Conversation) -> None:
    text, muted = (window.theme.color(token).name() for token in ("text", "muted"))
    conversation.tell(SpeechStarted(0), PartialTranscript("Could you"))
    assert spans(window) == {"Could you": muted}
    conversation.tell(PartialTranscript("Could you tell me", stable=10))
    assert spans(window) == {"Could you ": text, "tell me": muted}
    conversation.tell(PartialTranscript("Could you tell me", stable=17))
    assert spans(window) == {"Could you tell me": text}


def test_what_sounds_like_html_is_text(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(PartialTranscript("a <b> & <img src='file:///x'>"))
    (shown,) = spans(window)
    assert "<" not in shown
    assert caption(window).text == "a <b> & <img src='file:///x'>"


def test_a_long_caption_shows_its_end(window: MainWindow, conversation: Conversation) -> None:
    words = " ".join(f"word{number}" for number in range(400))
    conversation.tell(PartialTranscript(words, stable=len(words) - 20))
    assert caption(window).text.endswith(words[-100:])
    assert len(caption(window).text) <= 610


class TestReopened:
    def test_the_words_stay_as_a_caption_and_the_answer_goes(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(FinalTranscript("Could you"), TextDelta("Could I what?"), turn=TurnId(1, 0))
        conversation.tell(TurnReopened(), turn=TurnId(1, 1))
        assert window.conversation.views == []
        assert window.conversation.caption == "Could you"
        assert caption(window).certain_text == "Could you"
        conversation.tell(SpeechStarted(0))
        assert window.conversation.caption == "Could you"
        conversation.tell(PartialTranscript("Could you tell me the time", stable=9))
        assert window.conversation.caption == "Could you tell me the time"

    def test_the_next_transcript_holds_everything(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.tell(FinalTranscript("Could you"), TextDelta("Could I"), turn=TurnId(1, 0))
        conversation.tell(TurnReopened(), turn=TurnId(1, 1))
        conversation.tell(TextDelta(" what?"), turn=TurnId(1, 0))
        conversation.tell(FinalTranscript("Could you tell me the time?"), turn=TurnId(1, 1))
        conversation.tell(TextDelta("It is noon."), turn=TurnId(1, 1))
        (record,) = window.conversation.records
        assert (record.user_text, record.reply_text) == ("Could you tell me the time?", "It is noon.")
        assert len(window.conversation.views) == 1
        assert window.conversation.caption == ""

    def test_it_keeps_its_place_among_the_others(
        self, window: MainWindow, conversation: Conversation
    ) -> None:
        conversation.hold_turn(1, "First", "Answer")
        conversation.tell(FinalTranscript("Second"), turn=TurnId(2, 0))
        conversation.tell(TurnReopened(), turn=TurnId(2, 1))
        conversation.hold_turn(3, "Third", "Answer")
        conversation.tell(FinalTranscript("Second, longer"), turn=TurnId(2, 1))
        shown = [view.record.user_text for view in window.conversation.views]
        assert shown == ["First", "Second, longer", "Third"]
