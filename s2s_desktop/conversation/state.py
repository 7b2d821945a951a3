"""The states of a conversation; only the session changes them."""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """What the assistant is doing."""

    IDLE = "idle"
    LISTENING = "listening"
    HEARING = "hearing"
    TRANSCRIBING = "transcribing"
    THINKING = "thinking"
    SPEAKING = "speaking"
    INTERRUPTED = "interrupted"
    ERROR = "error"
