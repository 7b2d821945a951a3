"""The parts of an engine, and what they consist of."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Part(StrEnum):
    """What an engine is wanted for; a part that is not wanted loads nothing."""

    LLM = "llm"
    HEARING = "hearing"
    VOICE = "voice"


class Component(StrEnum):
    """Something that is loaded by itself and can be replaced by itself. In the order they are loaded."""

    LLM = "llm"
    TRANSCRIBER = "transcriber"
    DETECTOR = "detector"
    VOICE = "voice"
    SPEAKER = "speaker"


PARTS = {
    Component.LLM: Part.LLM,
    Component.TRANSCRIBER: Part.HEARING,
    Component.DETECTOR: Part.HEARING,
    Component.VOICE: Part.VOICE,
    Component.SPEAKER: Part.VOICE,
}


def components_of(parts: Iterable[Part]) -> tuple[Component, ...]:
    """Return what parts consist of, the language model first."""
    wanted = set(parts)
    return tuple(component for component, part in PARTS.items() if part in wanted)
