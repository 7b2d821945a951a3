"""What models are told."""

from __future__ import annotations

import pytest

from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.items import AssistantText, UserMessage
from s2s_desktop.llm.prompts import (
    TRIAL_MODEL_OPTIONS,
    TRIAL_MODEL_PRIMING,
    TRIAL_MODEL_PROMPT,
    VOICE_PROMPT,
    language_prompt,
)
from s2s_desktop.settings.languages import LANGUAGES
from s2s_desktop.settings.schema import Profile


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Answer in German."),
        ("de-auto", "Answer in German."),
        ("en-US", "Answer in English."),
        ("zh", "Answer in Chinese."),
        ("", ""),
        ("auto", ""),
        ("xx", ""),
        ("xx-auto", ""),
    ],
)
def test_the_language_that_was_heard(language: str, sentence: str) -> None:
    assert language_prompt(language) == sentence


def test_every_language_that_can_be_heard_can_be_asked_for() -> None:
    for code, name in LANGUAGES.items():
        assert language_prompt(code) == language_prompt(f"{code}-auto") == f"Answer in {name}."


def test_the_voice_prompt_is_short_plain_text() -> None:
    assert len(VOICE_PROMPT.split()) < 200
    assert "…" in VOICE_PROMPT
    assert not any(mark in VOICE_PROMPT for mark in "*#`_")


def test_the_examples_alternate_and_end_with_an_answer() -> None:
    kinds = [type(item) for item in TRIAL_MODEL_PRIMING]

    assert kinds == [UserMessage, AssistantText] * (len(kinds) // 2)


def test_the_trial_options_are_fields_of_a_profile() -> None:
    profile = Profile(name="x").model_copy(update=dict(TRIAL_MODEL_OPTIONS))

    assert Profile.model_validate(profile.model_dump()) == profile


def test_the_examples_stand_between_the_users_own_prompt_and_the_question() -> None:
    history = History(priming=TRIAL_MODEL_PRIMING)
    history.begin_turn(UserMessage.of("What is the capital of France?"))

    items = history.items("You are Max.")
    assert len(items) == len(TRIAL_MODEL_PRIMING) + 2
    assert TRIAL_MODEL_PROMPT not in str(items)
