"""Titles and summaries by the language model: only while nobody talks, never in the way."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from conversation.parts import answer
from s2s_desktop.conversation.events import ConversationsChanged, FinishReason, SummaryChanged
from s2s_desktop.engine.summarizer import Summarizer
from s2s_desktop.engine.title_writer import TitleWriter
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.events import ReplyFinished
from s2s_desktop.settings.schema import Settings
from saved_conversations_kit import SavingSession, until, whole

SUMMARY = '{"user_summary": "Asked for numbers.", "assistant_summary": "Gave them."}'


@pytest.fixture
async def saving() -> AsyncIterator[SavingSession]:
    settings = Settings()
    settings.assistant.chat_size = 2
    settings.assistant.compact_history = True
    saving = SavingSession(settings)
    yield saving
    await saving.close()


@pytest.fixture
async def titles(saving: SavingSession) -> AsyncIterator[TitleWriter]:
    writer = TitleWriter(saving.saved, lambda: saving.stages.language_model, quiet_s=0)
    saving.session.add_observer(writer)
    yield writer
    await writer.close()


async def named(saving: SavingSession, title: str) -> None:
    changes = 0
    while title not in await saving.titles():
        await saving.seen.until(lambda before=changes: len(saving.seen.of(ConversationsChanged)) > before)
        changes = len(saving.seen.of(ConversationsChanged))


async def test_a_conversation_gets_a_title_after_its_first_turn(
    saving: SavingSession, titles: TitleWriter
) -> None:
    saving.answers(answer("In France."), answer("Capital of France"))
    await saving.session.converse("So tell me, where is Paris?")
    await named(saving, "Capital of France")
    assert saving.seen.of(ConversationsChanged)


async def test_speaking_on_cancels_the_request_at_once(saving: SavingSession, titles: TitleWriter) -> None:
    backend = saving.answers(
        answer("In France."),
        answer("Half a", pause_before_end=True),
        answer("Big."),
        answer("Facts on Paris"),
    )
    await saving.session.converse("So tell me, where is Paris?")
    await backend.waiting.wait()
    await saving.session.converse("How big is it?")
    assert backend.closed >= 2
    await named(saving, "Facts on Paris")


async def test_a_model_that_fails_is_not_asked_again_and_the_words_stay(
    saving: SavingSession, titles: TitleWriter
) -> None:
    refused = ReplyFinished(
        FinishReason.ERROR, error=AssistantError(ErrorKind.QUOTA, "The quota is used up.")
    )
    backend = saving.answers(answer("In France."), [refused], answer("Big."))
    await saving.session.converse("Where is Paris?")
    await until(lambda: backend.closed == 2)
    await saving.session.converse("How big is it?")
    await saving.flush()
    assert await saving.titles() == ["Where is Paris?"]
    assert len(backend.requests) == 3


async def test_nobody_is_asked_without_a_model_for_it(saving: SavingSession) -> None:
    writer = TitleWriter(saving.saved, lambda: None, quiet_s=0)
    saving.session.add_observer(writer)
    backend = saving.answers(answer("In France."))
    await saving.session.converse("Where is Paris?")
    await saving.flush()
    await writer.close()
    assert len(backend.requests) == 1


async def test_other_conversations_are_left_alone(saving: SavingSession) -> None:
    await saving.add(whole("old", ("Old question", "Old answer"), at=4_000_000_000_000))
    backend = saving.answers(answer("In France."))
    await saving.session.converse("Where is Paris?")
    await TitleWriter(saving.saved, lambda: backend).work(backend)
    assert len(backend.requests) == 1


async def test_a_long_conversation_is_summed_up_and_says_so(saving: SavingSession) -> None:
    summarizer = Summarizer(saving.saved, saving.history, lambda: saving.stages.language_model, quiet_s=0)
    saving.session.add_observer(summarizer)
    backend = saving.answers(answer("One."), answer("Two."), answer("Three."), answer(SUMMARY))
    for number in ("1", "2", "3"):
        await saving.session.converse(number)
        await saving.flush()
    await saving.seen.until(lambda: bool(saving.seen.of(SummaryChanged)))
    (told,) = saving.seen.of(SummaryChanged)
    assert told.summary is not None
    assert told.summary.user_summary == "Asked for numbers."
    assert len(saving.history) == 2
    assert len(backend.requests) == 4
    await saving.saved.undo_summary()
    assert len(saving.history) == 2  # as many turns as the settings say, none of them a summary
    await summarizer.close()
