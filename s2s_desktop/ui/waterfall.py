"""Where the time of a turn went, step by step, and what would make the slowest step faster."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject

from s2s_desktop.conversation.events import TurnMetrics

_SLOW_S = {
    "end_of_turn": 0.9,
    "stt_final": 0.8,
    "llm_first_token": 1.0,
    "tts_first_audio": 1.0,
    "voice_to_voice": 0.3,
}
"""A step that takes longer than this is felt as waiting; the whole aims at one second."""


@dataclass(frozen=True, slots=True)
class Step:
    """One part of the wait.

    Attributes:
        field: Of `TurnMetrics`: the moment the step ends with.
        name: For people.
        start: Seconds from the end of the user's speech.
        end: The same; equal to `start` for what was done during an earlier step.
    """

    field: str
    name: str
    start: float
    end: float

    @property
    def seconds(self) -> float:
        """How long the step made the user wait."""
        return self.end - self.start

    @property
    def is_slow(self) -> bool:
        """Whether the step is felt."""
        return self.seconds > _SLOW_S[self.field]


def steps_of(owner: QObject, metrics: TurnMetrics) -> list[Step]:
    """Return the steps that were reached, in their order.

    Steps overlap (speech is transcribed during the pause): each one is given the time by which it moved the
    end, so that they add up to the wait.
    """
    marks = (
        ("end_of_turn", owner.tr("Pause"), metrics.end_of_turn),
        ("stt_final", owner.tr("Transcript"), metrics.stt_final),
        ("llm_first_token", owner.tr("First word"), metrics.llm_first_token),
        ("tts_first_audio", owner.tr("First clause"), metrics.tts_first_audio),
        ("voice_to_voice", owner.tr("Voice"), metrics.voice_to_voice),
    )
    steps: list[Step] = []
    reached = 0.0
    for field, name, moment in marks:
        if moment is not None:
            steps.append(Step(field, name, reached, max(reached, moment)))
            reached = max(reached, moment)
    return steps


def advice(owner: QObject, steps: list[Step]) -> str:
    """Return one sentence about the step that is slowest for its kind; "" when none is slow."""
    slow = [step for step in steps if step.is_slow]
    if not slow:
        return ""
    match max(slow, key=lambda step: step.seconds / _SLOW_S[step.field]).field:
        case "end_of_turn":
            return owner.tr("The pause before the answer is long: lower “Pause” in the audio settings.")
        case "stt_final":
            return owner.tr("Understanding speech was slow: choose a smaller speech model in the settings.")
        case "llm_first_token":
            return owner.tr("The language model was slow to begin: try a nearer provider or a smaller model.")
        case "tts_first_audio":
            return owner.tr(
                "The voice was slow to begin: close other programs, or choose another voice engine."
            )
        case _:
            return owner.tr("The speaker was slow to begin: a wireless speaker can add this much.")
