"""Titles: short, on one line, harmless, from the words or from a language model."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversation.parts import ScriptedBackend, answer
from s2s_desktop.conversation.store.titles import clean_title, title_by_llm, title_by_words
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.events import FinishReason, LLMEvent, ReplyFinished, TextDelta

_LONG = "Tell me everything that there is to know about…"


@pytest.mark.parametrize(
    ("user", "assistant", "title"),
    [
        ("What is the capital of France?", "Paris.", "What is the capital of France?"),
        ("# **Bold** plans\nfor `x` and [a link](http://example.org)", "", "Bold plans for x and a link"),
        ("Tell me everything that there is to know about the history of Rome", "", _LONG),
        ("snake_case and __init__ stay", "", "snake_case and init stay"),
        ("???", "You ask nothing.", "You ask nothing."),
        ("🎉", "", ""),
        ("[User audio input]", "It rains in Rome.", "It rains in Rome."),
        ("", "", ""),
        ("a\u202eb\x07c\nd", "", "ab c d"),
        ("请" * 60, "", "请" * 47 + "…"),
    ],
)
def test_words_make_a_title(user: str, assistant: str, title: str) -> None:
    assert title_by_words(user, assistant) == title


def test_a_cut_leaves_no_half_characters() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    for before in range(40, 48):
        title = title_by_words("x" * before + family + "e\u0301" * 10 + " more words")
        rest = title.removesuffix("…").lstrip("x")
        assert rest in ("", family) or rest.replace(family, "", 1).replace("e\u0301", "") == ""


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_any_text_makes_a_title_that_is_harmless_and_stays_as_it_is(text: str) -> None:
    for title in (clean_title(text), title_by_words(text)):
        assert len(title) <= 200
        assert clean_title(title) == title
        assert title == title.strip()
        assert not any(unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs") for char in title)


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("Trip to Rome", "Trip to Rome"),
        ('"Trip to Rome."\n\nIt is about…', "Trip to Rome"),
        ("**Title:** Trip to Rome", "Trip to Rome"),
        ("罗马之行。", "罗马之行"),
        ("…", ""),
        ("A title that goes on and on and on until it is no title any more at all", ""),
    ],
)
async def test_a_language_model_names_a_conversation(said: str, title: str) -> None:
    backend = ScriptedBackend(answer(said))
    assert await title_by_llm(backend, "Plan a trip to Rome.", "Gladly.") == title
    (request,) = backend.requests
    assert "Plan a trip to Rome." in str(request)
    assert backend.closed == 1


failure = AssistantError(ErrorKind.SERVER, "It failed.")


@pytest.mark.parametrize(
    "reply",
    [
        [ReplyFinished(FinishReason.ERROR, failure)],
        [TextDelta("Trip"), ReplyFinished(FinishReason.LENGTH)],
        [],
        [TextDelta("word " * 100), None],
    ],
    ids=["failed", "cut", "nothing", "essay"],
)
async def test_a_model_that_gives_no_title_leaves_the_one_by_words(reply: Sequence[LLMEvent | None]) -> None:
    assert await title_by_llm(ScriptedBackend(reply), "Hello", "Hi") == ""


async def test_a_model_that_never_answers_is_given_up() -> None:
    backend = ScriptedBackend([None])
    assert await title_by_llm(backend, "Hello", "Hi", timeout_s=0.01) == ""
    assert backend.closed == 1


async def test_somebody_who_waits_for_a_title_can_leave() -> None:
    backend = ScriptedBackend([None])
    task = asyncio.ensure_future(title_by_llm(backend, "Hello", "Hi"))
    await backend.waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
