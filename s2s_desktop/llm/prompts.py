"""What language models are told: how to speak, which language, and examples for the smallest one."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from s2s_desktop.llm.history.serialize import CUT_OFF
from s2s_desktop.llm.items import AssistantText, Item, UserMessage
from s2s_desktop.settings.languages import LANGUAGES, language_code

VOICE_PROMPT = f"""\
You are a helpful assistant in a spoken conversation: you hear the user, and what you write is read aloud.
Answer like a friendly person on the phone, in one or two short sentences. Say more only when asked to.
Write plain sentences. No Markdown, lists, headings, tables, code, links, emoji or stage directions.
Answer in the language the user speaks.
The words of the user come from speech recognition and can be wrong. Take what was most likely meant.
Ask back only when you cannot tell.
Before you use a tool, say one short sentence about what you are going to do.
Never say the names of tools, and tell their results in your own words.
When you do not know something, say so.
A reply of yours that ends in {CUT_OFF} was cut off by the user. Do not repeat it, go on from there."""
"""The system prompt of spoken conversations, unless the user wrote one."""


def language_prompt(language: str) -> str:
    """Return a sentence that asks for answers in a language, "" when the language is not known.

    Args:
        language: What the speech recognition reported: a code, also with a region or the suffix `-auto`.
    """
    try:
        code = language_code(language)
    except ValueError:
        return ""
    return f"Answer in {LANGUAGES[code]}." if code else ""


TRIAL_MODEL_PROMPT = "You are a helpful voice assistant. You answer in one short sentence."
"""The system prompt of the trial model: it does not follow longer ones."""

_EXAMPLES = (
    ("Tell me a joke.", "Why did the bicycle fall over? Because it was two-tired!"),
    ("What color is the sun?", "The sun is yellow."),
    ("What's your name?", "I'm your voice assistant."),
    ("Bye!", "Goodbye! Have a nice day."),
    ("What color is snow?", "Snow is white."),
    ("What can you do?", "I can talk with you and answer simple questions."),
    ("What is 7 minus 4?", "7 - 4 = 3."),
    ("Close the kitchen door.", "Sorry, I can't do that. I can only talk with you."),
    ("Which month comes after May?", "June comes after May."),
    ("Set an alarm for seven.", "Sorry, I can't do that. I can only talk with you."),
    ("What is four plus three?", "4 + 3 = 7."),
)

TRIAL_MODEL_PRIMING: tuple[Item, ...] = tuple(
    item for said, answer in _EXAMPLES for item in (UserMessage.of(said), AssistantText(answer))
)
"""Examples ahead of every conversation with the trial model (SmolLM2-135M-Instruct, Q4_1).

Without them it rambles or answers something else. Their order matters: the nearer to the question, the
stronger. Sums are right more often when the example answers in digits and signs. With the prompt they take
about 300 tokens, which are evaluated once: they are a stable prefix in the prompt cache.
"""

TRIAL_MODEL_OPTIONS = MappingProxyType({"temperature": 0.0, "max_output_tokens": 80})
"""Fields of the profile that the trial model needs: the likeliest words, and an end if it goes in circles."""

TRIAL_MODEL_EXTRA_BODY: Mapping[str, object] = MappingProxyType(
    {
        "repeat_penalty": 1.0,
        "dry_multiplier": 2.0,
        "dry_base": 2.0,
        "dry_allowed_length": 6,
        "dry_penalty_last_n": 26,
        "dry_sequence_breakers": ["<|im_end|>"],
    }
)
"""Sampling of llama.cpp against endless repetition.

A repeat penalty above 1 forbids the words of the question and of the examples, and so right answers: at 1.1
"What is 2 plus 2?" gave "Two and two are equal." DRY only ends sequences that repeat; its window is too short
to reach an example that the answer may copy (https://github.com/oobabooga/text-generation-webui/pull/5677).
"""
