"""Nothing is cut off or squeezed: not in the smallest window, and not with the largest text."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QWidget

from s2s_desktop.conversation.events import (
    AssistantError,
    MicLevel,
    MicrophoneChanged,
    ModelProgress,
    Readiness,
    State,
    StateChanged,
    TextDelta,
    TurnFailed,
    TypedMessage,
)
from s2s_desktop.conversation.store.records import Compaction
from s2s_desktop.errors import ErrorKind
from s2s_desktop.ui.main_window import SMALLEST, MainWindow
from window_helpers import Conversation

Scene = Callable[[MainWindow, Conversation], None]


def nothing_said_yet(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(MicrophoneChanged(True), StateChanged(State.LISTENING), MicLevel(-24, -12))


def a_long_talk(window: MainWindow, conversation: Conversation) -> None:
    conversation.hold_turn(
        1, "w" * 300, "| A | B | C |\n|---|---|---|\n| one | two | three |\n\n" + "w" * 300
    )
    conversation.tell(TypedMessage("Go on."), TextDelta("Speaking"), StateChanged(State.SPEAKING), turn=2)


def a_failure(window: MainWindow, conversation: Conversation) -> None:
    error = AssistantError(ErrorKind.AUTH, "OpenAI needs a key. Enter one in the settings.", "x" * 200)
    conversation.tell(TypedMessage("Why?"), TurnFailed(error), StateChanged(State.ERROR), turn=1)


def a_message_that_is_edited(window: MainWindow, conversation: Conversation) -> None:
    conversation.hold_turn(1, "Why is the sky blue?", "Because of the air.")
    window.conversation.views[0].edit()


def no_microphone(window: MainWindow, conversation: Conversation) -> None:
    problem = "The microphone could not be opened. Another program uses it; close that and try again."
    conversation.tell(MicrophoneChanged(False, problem))


def everything_above_the_conversation(window: MainWindow, conversation: Conversation) -> None:
    conversation.tell(Readiness(hearing=True, voice=True, llm=True, trial_model=True))
    conversation.tell(ModelProgress("Whisper base", 1, 2, "Getting Whisper base"))
    window.banners.show_offer("“A conversation with a long name” was deleted.", "Undo", print, 60_000)
    window.summary.show_summary(Compaction(1, "asked", "answered", 0))


SCENES = (
    nothing_said_yet,
    a_long_talk,
    a_failure,
    a_message_that_is_edited,
    no_microphone,
    everything_above_the_conversation,
)


def said_of(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.accessibleName()!r} {widget.geometry().getRect()}"


def faults(window: QWidget) -> list[str]:
    """Return what sticks out of its parent at the side, is lower than it can be, or cuts its words off."""
    found = []
    for widget in window.findChildren(QWidget):
        parent = widget.parentWidget()
        if not widget.isVisible() or widget.isWindow() or parent is None:
            continue
        rows_scroll = isinstance(parent.parentWidget(), QScrollArea)
        if widget.x() < 0 or widget.x() + widget.width() > parent.width():
            found.append(f"sticks out: {said_of(widget)} of {said_of(parent)}")
        least = min(widget.minimumSizeHint().height(), widget.maximumHeight())
        if not rows_scroll and widget.height() < least:
            found.append(f"squeezed: {said_of(widget)}")
        wraps = widget.hasHeightForWidth()
        if isinstance(widget, QPushButton) and not wraps and widget.width() < widget.sizeHint().width():
            found.append(f"words cut off: {said_of(widget)}")
    return found


@pytest.mark.parametrize("text_scale", [1.0, 2.0])
@pytest.mark.parametrize("size", [SMALLEST, (1000, 720)])
@pytest.mark.parametrize("scene", SCENES)
def test_everything_has_room(
    window: MainWindow,
    conversation: Conversation,
    scene: Scene,
    size: tuple[int, int],
    text_scale: float,
) -> None:
    window.theme.choose("system", text_scale)
    window.resize(*size)
    scene(window, conversation)
    window.conversation.flush()
    deadline = time.monotonic() + 2  # long texts are laid out in slices
    while faults(window) and time.monotonic() < deadline:
        QApplication.processEvents()
    assert faults(window) == []
