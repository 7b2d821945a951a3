"""What the states are called on the screen."""

from __future__ import annotations

from PySide6.QtCore import QObject

from s2s_desktop.conversation.events import Readiness, State

TONES = {
    State.LISTENING: "listening",
    State.HEARING: "listening",
    State.TRANSCRIBING: "thinking",
    State.THINKING: "thinking",
    State.SPEAKING: "speaking",
    State.ERROR: "error",
}
"""Colour of the word; a state that is not here is written in the colour of text."""


def state_words(owner: QObject, state: State, readiness: Readiness) -> tuple[str, str]:
    """Return the word beside the microphone and the hint below it.

    Args:
        owner: Translates.
        state: What the assistant is doing.
        readiness: Which parts work by now.
    """
    match state:
        case State.IDLE if not readiness.llm:
            return owner.tr("Getting ready"), owner.tr("This takes a moment")
        case State.IDLE if not readiness.hearing:
            return owner.tr("Ready for typing"), owner.tr("Speech is on its way")
        case State.IDLE:
            return owner.tr("Press to talk"), owner.tr("or type a message")
        case State.LISTENING:
            return owner.tr("Listening"), ""
        case State.HEARING:
            return owner.tr("Hearing you"), ""
        case State.TRANSCRIBING:
            return owner.tr("Transcribing"), owner.tr("Esc to stop")
        case State.THINKING:
            return owner.tr("Thinking"), owner.tr("Esc to stop")
        case State.SPEAKING:
            return owner.tr("Speaking"), owner.tr("Esc to stop")
        case State.INTERRUPTED:
            return owner.tr("Interrupted"), ""
        case State.ERROR:
            return owner.tr("That did not work"), owner.tr("Your question is kept")
