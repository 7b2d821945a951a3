"""The language of a conversation does not jump."""

from __future__ import annotations

from s2s_desktop.stt.language_memory import LanguageMemory


def test_a_doubtful_guess_keeps_the_language_of_the_conversation() -> None:
    memory = LanguageMemory()
    for _ in range(10):
        assert memory.settle("en", 0.98) == ("en", 0.98)
    assert memory.settle("cy", 0.31) == ("en", 0.31)


def test_a_clear_change_is_followed() -> None:
    memory = LanguageMemory()
    memory.settle("en", 0.98)
    assert memory.settle("fr", 0.95) == ("fr", 0.95)
    assert memory.settle("cy", 0.2) == ("fr", 0.2)


def test_the_first_guess_is_all_there_is() -> None:
    assert LanguageMemory().settle("cy", 0.31) == ("cy", 0.31)


def test_a_draft_learns_nothing() -> None:
    memory = LanguageMemory()
    assert memory.likely("fr", 0.9) == "fr"
    assert memory.settle("cy", 0.31) == ("cy", 0.31)
    memory.settle("en", 0.98)
    assert memory.likely("cy", 0.31) == "en"
