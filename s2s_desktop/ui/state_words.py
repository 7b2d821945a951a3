"""What the states are called on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject

from s2s_desktop.conversation.events import Readiness, State
from s2s_desktop.ui.talk_control import MicrophoneMode

TONES = {
    State.LISTENING: "listening",
    State.HEARING: "listening",
    State.TRANSCRIBING: "thinking",
    State.THINKING: "thinking",
    State.SPEAKING: "speaking",
    State.ERROR: "error",
}
"""Color of the word; a state that is not here is written in the color of text."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What decides about the words.

    Attributes:
        state: What the assistant is doing.
        readiness: Which parts work by now.
        mode: What the microphone button does.
        muted: The user switched the microphone off.
        trouble: The microphone cannot be used.
        talking: A turn that began by hand goes on.
        voice_paused: The voice waits until it is clear whether the user said something.
        message_waits: A message goes out as soon as somebody can answer.
    """

    state: State
    readiness: Readiness
    mode: MicrophoneMode = "hands-free"
    muted: bool = False
    trouble: bool = False
    talking: bool = False
    voice_paused: bool = False
    message_waits: bool = False


def state_words(owner: QObject, now: Situation) -> tuple[str, str]:
    """Return the word beside the microphone and the hint below it.

    Args:
        owner: Translates.
        now: What decides about them.
    """
    if now.talking:
        return _while_talking(owner, now.mode)
    match now.state:
        case State.IDLE:
            return _at_rest(owner, now)
        case State.LISTENING if now.mode != "hands-free":
            return _at_rest(owner, now)
        case State.LISTENING:
            return owner.tr("Listening"), ""
        case State.HEARING:
            return owner.tr("Hearing you"), ""
        case State.TRANSCRIBING:
            return owner.tr("Transcribing"), owner.tr("Esc to stop")
        case State.THINKING:
            return owner.tr("Thinking"), owner.tr("Esc to stop")
        case State.SPEAKING if now.voice_paused:
            return owner.tr("Waiting"), owner.tr("Did you say something?")
        case State.SPEAKING:
            return owner.tr("Speaking"), owner.tr("Esc to stop")
        case State.INTERRUPTED:
            return owner.tr("Interrupted"), ""
        case State.ERROR:
            return owner.tr("That did not work"), owner.tr("Your question is kept")


def _while_talking(owner: QObject, mode: MicrophoneMode) -> tuple[str, str]:
    if mode == "push-to-talk":
        return owner.tr("Hearing you"), owner.tr("Let go to send")
    return owner.tr("Hearing you"), owner.tr("Press again to send")


def _at_rest(owner: QObject, now: Situation) -> tuple[str, str]:
    if not now.readiness.llm:
        waits = owner.tr("Then your message is sent")
        return owner.tr("Getting ready"), waits if now.message_waits else owner.tr("This takes a moment")
    if not now.readiness.hearing:
        return owner.tr("Ready for typing"), owner.tr("Speech is on its way")
    if now.trouble:
        return owner.tr("Microphone not available"), owner.tr("Press to try again")
    if now.mode == "push-to-talk":
        return owner.tr("Hold to talk"), owner.tr("the button or Space")
    if now.muted and now.mode == "hands-free":
        return owner.tr("Microphone off"), owner.tr("Press to talk")
    return owner.tr("Press to talk"), owner.tr("or type a message")
