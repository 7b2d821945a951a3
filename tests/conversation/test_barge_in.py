"""The user speaks into the reply: the voice is held, and what was heard is remembered."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from conversation.parts import SPEECH, answer
from conversation.test_session import Conversation
from s2s_desktop.conversation.events import SpeechDiscarded as Discarded
from s2s_desktop.conversation.events import SpokenProgress, State, TurnFinished, VoicePaused
from s2s_desktop.llm.items import AssistantText
from s2s_desktop.vad.events import SpeechDiscarded, SpeechOnset, SpeechPaused, SpeechSegment, SpeechStarted

LONG = "One two three four five six seven eight nine ten."


@pytest.fixture
async def conversation() -> AsyncIterator[Conversation]:
    conversation = Conversation()
    conversation.behaves(barge_in="careful")
    conversation.sink.instant = False
    yield conversation
    await conversation.session.close()


async def speaking(conversation: Conversation) -> None:
    conversation.session.send_text("Count")
    await conversation.listen()
    await conversation.sink.queued.wait()
    await conversation.seen.until(lambda: conversation.session.state is State.SPEAKING)
    conversation.sink.advance(3.5)


def interrupt_with(conversation: Conversation) -> None:
    start = 10 * SPEECH.size
    end = start + SPEECH.size
    conversation.detector.script += [
        [SpeechOnset(start)],
        [SpeechStarted(start)],
        [SpeechPaused(SPEECH, start, end, end + 3_000)],
        [SpeechSegment(SPEECH, start, end, end + 9_000)],
    ]
    for _ in range(4):
        conversation.source.deliver()


async def test_the_voice_is_held_on_the_thread_of_the_microphone(conversation: Conversation) -> None:
    conversation.hears()
    conversation.answers(answer(LONG))
    await speaking(conversation)
    conversation.detector.script.append([SpeechOnset(0)])
    conversation.source.deliver()
    assert conversation.sink.paused  # before the loop has run


async def test_words_end_the_reply_and_the_history_keeps_what_was_heard(conversation: Conversation) -> None:
    conversation.hears("Stop, what comes after ten?")
    backend = conversation.answers(answer(LONG), answer("Eleven."))
    await speaking(conversation)
    interrupt_with(conversation)
    await conversation.seen.until(lambda: len(backend.requests) == 2)
    assert not conversation.sink.paused
    assert AssistantText("One two three four", interrupted=True) in backend.requests[1]
    conversation.sink.instant = True
    conversation.sink.advance(99.0)
    await conversation.finished(2)
    assert conversation.session.state is State.LISTENING


async def test_a_cough_lets_the_voice_go_on_to_its_end(conversation: Conversation) -> None:
    conversation.hears()
    conversation.answers(answer(LONG))
    await speaking(conversation)
    conversation.detector.script += [[SpeechOnset(0)], [SpeechDiscarded()]]
    conversation.source.deliver()
    conversation.source.deliver()
    await conversation.seen.until(lambda: len(conversation.seen.of(VoicePaused)) == 2)
    assert not conversation.sink.paused
    conversation.sink.advance(99.0)
    await conversation.finished()
    assert conversation.seen.of(SpokenProgress)[-1] == SpokenProgress(LONG, finished=True)


async def test_a_sign_of_listening_lets_the_voice_go_on(conversation: Conversation) -> None:
    conversation.hears("Mm-hmm.")
    backend = conversation.answers(answer(LONG))
    await speaking(conversation)
    interrupt_with(conversation)
    await conversation.seen.until(lambda: bool(conversation.seen.of(Discarded)))
    assert not conversation.sink.paused
    conversation.sink.advance(99.0)
    await conversation.finished()
    assert len(backend.requests) == 1
    assert len(conversation.seen.of(TurnFinished)) == 1


async def test_with_headphones_speech_alone_ends_the_reply(conversation: Conversation) -> None:
    conversation.behaves(barge_in="immediate")
    conversation.hears()
    conversation.answers(answer(LONG))
    await speaking(conversation)
    conversation.detector.script.append([SpeechStarted(10 * SPEECH.size)])
    conversation.source.deliver()
    await conversation.seen.until(lambda: conversation.session.state is State.HEARING)
    assert conversation.sink.queued_seconds == 0.0


async def test_the_microphone_asks_for_clearer_speech_while_the_voice_speaks(
    conversation: Conversation,
) -> None:
    conversation.hears()
    conversation.answers(answer(LONG))
    await speaking(conversation)
    assert conversation.detector.strict
    conversation.sink.advance(99.0)
    await conversation.finished()
    assert not conversation.detector.strict
