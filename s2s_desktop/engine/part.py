"""The parts of an engine."""

from enum import StrEnum


class Part(StrEnum):
    """What an engine is wanted for; a part that is not wanted loads nothing."""

    LLM = "llm"
    HEARING = "hearing"
    VOICE = "voice"
