"""The word that is heard is marked in the reply, and only while the voice speaks."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.events import (
    FinishReason,
    ReplyFinished,
    SpokenProgress,
    TextDelta,
    ToolCall,
    ToolResult,
    TurnFinished,
    TurnMetrics,
    TypedMessage,
)
from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.text_view import TextView
from window_helpers import Conversation

REPLY = """This is **bold** text.

```python
print('bold text')
```

And *this* comes after the code. 🎉 Good luck!"""


def marked(window: MainWindow) -> list[str]:
    window.conversation.flush()
    QApplication.processEvents()
    return [view.marked_word for view in window.findChildren(TextView) if view.marked_word]


def say(conversation: Conversation, text: str, *, finished: bool = False) -> None:
    conversation.tell(SpokenProgress(text, finished), turn=1)


def test_the_mark_follows_the_voice_through_markdown_and_past_code(
    window: MainWindow, conversation: Conversation
) -> None:
    conversation.tell(TypedMessage("Q"), TextDelta(REPLY), turn=1)
    for heard, word in (
        ("This", "This"),
        ("This is bold", "bold"),
        ("This is bold text. And", "And"),
        ("This is bold text. And this comes after the code.", "code"),
        ("This is bold text. And this comes after the code. Good luck!", "luck"),
    ):
        say(conversation, heard)
        assert marked(window) == [word]


def test_it_follows_a_reply_that_is_still_arriving(
    qtbot: QtBot, window: MainWindow, conversation: Conversation
) -> None:
    conversation.tell(TypedMessage("Q"), turn=1)
    words = [f"w{number}" for number in range(600)]
    for count in range(0, 600, 20):
        conversation.tell(TextDelta(" ".join(words[count : count + 20]) + " "), turn=1)
        say(conversation, " ".join(words[: count + 15]))
        qtbot.waitUntil(lambda at=count: marked(window) == [f"w{at + 14}"])


def test_it_goes_on_behind_a_tool(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(
        TypedMessage("Q"),
        TextDelta("Let me look."),
        ToolCall("a", "clock", "{}"),
        ToolResult("a", "clock", "noon"),
        TextDelta("It is noon."),
        turn=1,
    )
    say(conversation, "Let me look. It is noon.")
    assert marked(window) == ["noon"]


def test_the_mark_goes_when_everything_was_heard(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(TypedMessage("Q"), TextDelta("One two."), turn=1)
    say(conversation, "One")
    assert marked(window) == ["One"]
    say(conversation, "One two.", finished=True)
    assert marked(window) == []


def test_the_mark_goes_with_the_turn(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(TypedMessage("Q"), TextDelta("One two."), turn=1)
    say(conversation, "One")
    assert marked(window) == ["One"]
    conversation.tell(ReplyFinished(FinishReason.CANCELLED), TurnFinished(TurnMetrics()), turn=1)
    assert marked(window) == []


def test_a_mark_lays_out_nothing(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(TypedMessage("Q"), TextDelta("One two three."), turn=1)
    say(conversation, "One")
    marked(window)
    (view,) = [view for view in window.findChildren(TextView) if view.marked_word]
    layouts = []
    view.document().documentLayout().update.connect(lambda: layouts.append("update"))
    view.document().contentsChanged.connect(lambda: layouts.append("change"))
    say(conversation, "One two")
    assert marked(window) == ["two"]
    assert layouts == []
