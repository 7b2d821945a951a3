"""What the tests of the window share: a conversation that records, and a way to find a control."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from s2s_desktop.conversation.events import (
    AssistantMessage,
    Event,
    FinishReason,
    Observer,
    Readiness,
    ReplyFinished,
    TextDelta,
    TurnFinished,
    TurnId,
    TurnMetrics,
    TypedMessage,
)


class Conversation:
    """Stands in for the session: records what the window asks for, and tells it what a test says."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, object]] = []
        self._observers: list[Observer] = []

    def add_observer(self, observer: Observer) -> None:
        self._observers.append(observer)

    def send_text(self, text: str) -> None:
        self.asked.append(("send_text", text))

    def set_microphone(self, on: bool) -> None:
        self.asked.append(("set_microphone", on))

    def stop_reply(self) -> None:
        self.asked.append(("stop_reply", None))

    def push_to_talk(self, pressed: bool) -> None:
        self.asked.append(("push_to_talk", pressed))

    def regenerate(self) -> None:
        self.asked.append(("regenerate", None))

    def edit_and_resend(self, turn: int, text: str) -> None:
        self.asked.append(("edit_and_resend", (turn, text)))

    def delete_turn(self, turn: int) -> None:
        self.asked.append(("delete_turn", turn))

    def fetch_better_model(self) -> None:
        self.asked.append(("fetch_better_model", None))

    def tell(self, *events: Event, turn: int | TurnId | None = None) -> None:
        identity = TurnId(turn) if type(turn) is int else turn
        for event in events:
            for observer in self._observers:
                observer(identity, event)

    def hold_turn(self, number: int, question: str, answer: str) -> None:
        self.tell(
            TypedMessage(question),
            TextDelta(answer),
            AssistantMessage(answer),
            ReplyFinished(FinishReason.STOP),
            TurnFinished(TurnMetrics(voice_to_voice=0.9)),
            turn=number,
        )


READY = Readiness(hearing=True, voice=True, llm=True, model_name="Built-in · SmolLM2 135M")


def button(parent: QWidget, name: str) -> QAbstractButton:
    """Find the visible button a screen reader calls `name`."""
    QApplication.processEvents()  # a layout shows new widgets on the next turn of the loop
    found = [
        candidate
        for candidate in parent.findChildren(QAbstractButton)
        if candidate.accessibleName() == name and candidate.isVisible()
    ]
    assert len(found) == 1, f"{len(found)} visible buttons are called {name!r}"
    return found[0]
