"""Summaries of old turns, asked from a real backend over a real socket."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from llm.fake_provider import FakeProvider, Reply, Set, Stall, WaitFor
from llm.streams import chat_reply
from s2s_desktop.llm.backend import HttpBackend
from s2s_desktop.llm.events import ToolCall
from s2s_desktop.llm.history.compaction import Compactor, Summary, parse_summary
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.items import AssistantText, ImagePart, TextPart, UserMessage

GOOD = '{"user_summary": "I count.", "assistant_summary": "I confirm."}'
SUMMARY = [UserMessage.of("Earlier I said: I count."), AssistantText("Earlier I answered: I confirm.")]


def exchange(history: History, said: str) -> None:
    history.begin_turn(UserMessage.of(said))
    history.add_assistant("yes")
    history.commit()


def full_history(chat_size: int = 4) -> History:
    history = History(chat_size=chat_size, compacts=True)
    for number in range(chat_size + 1):
        exchange(history, str(number))
    return history


def asked_text(provider: FakeProvider) -> str:
    messages = provider.requests[0].json()["messages"]
    assert isinstance(messages, list)
    return str(messages[1]["content"])


async def test_the_oldest_turns_become_one_summary_and_the_newest_stay(
    provider: FakeProvider, backend: HttpBackend
) -> None:
    provider.script(Reply(chat_reply(GOOD)))
    history = full_history()

    task = Compactor(backend, history).start_if_needed()

    assert task is not None
    assert await task
    assert history.items("") == [
        *SUMMARY,
        UserMessage.of("3"),
        AssistantText("yes"),
        UserMessage.of("4"),
        AssistantText("yes"),
    ]
    assert asked_text(provider) == "User: 0\nAssistant: yes\nUser: 1\nAssistant: yes\nUser: 2\nAssistant: yes"


async def test_tools_and_pictures_are_told_in_words(provider: FakeProvider, backend: HttpBackend) -> None:
    provider.script(Reply(chat_reply(GOOD)))
    history = History(chat_size=2, compacts=True)
    history.begin_turn(UserMessage((TextPart("What is this?"), ImagePart("https://x/y.png"))))
    history.add_tool_call(ToolCall("call_1", "look", '{"a": 1}'))
    history.add_tool_output("call_1", "x" * 5000)
    history.add_assistant("A cat, I")
    history.interrupt("A cat")
    exchange(history, "Thanks")
    exchange(history, "Bye")

    task = Compactor(backend, history).start_if_needed()
    assert task is not None
    await task

    lines = asked_text(provider).splitlines()
    assert lines[0] == "User: What is this? [User image]"
    assert lines[1] == 'Assistant uses the tool look with {"a": 1}'
    assert len(lines[2]) < 700
    assert lines[3] == "Assistant: A cat [interrupted]"


async def test_a_short_history_or_an_open_turn_is_left_alone(backend: HttpBackend) -> None:
    history = History(chat_size=4, compacts=True)
    for number in range(4):
        exchange(history, str(number))
    assert Compactor(backend, history).start_if_needed() is None

    exchange(history, "4")
    history.begin_turn(UserMessage.of("now"))
    assert Compactor(backend, history).start_if_needed() is None


@pytest.mark.parametrize(
    "reply",
    [
        Reply(chat_reply("I would rather not.")),
        Reply(chat_reply(GOOD, finish="length")),
        Reply(b'{"error": {"message": "no"}}', status=500, content_type="application/json"),
        Reply(b"<html>", content_type="text/html"),
    ],
    ids=["no JSON", "cut", "refused", "a web page"],
)
async def test_a_failure_leaves_the_history_as_it_was(
    provider: FakeProvider, backend: HttpBackend, reply: Reply
) -> None:
    provider.script(reply)
    history = full_history()
    before = history.items("")
    compactor = Compactor(backend, history)

    task = compactor.start_if_needed()

    assert task is not None
    assert not await task
    assert history.items("") == before
    assert compactor.start_if_needed() is None, "a provider that fails is not asked after every turn"


async def test_turns_added_meanwhile_survive_and_one_summary_is_made_at_a_time(
    provider: FakeProvider, backend: HttpBackend
) -> None:
    asked, go_on = threading.Event(), threading.Event()
    provider.script(Reply([Set(asked), WaitFor(go_on), chat_reply(GOOD)]))
    history = full_history()
    compactor = Compactor(backend, history)
    task = compactor.start_if_needed()
    assert task is not None
    await asyncio.to_thread(asked.wait, 10)

    exchange(history, "meanwhile")
    assert compactor.start_if_needed() is None
    history.begin_turn(UserMessage.of("now"))
    go_on.set()

    assert await task
    assert history.items("")[:2] == SUMMARY
    assert UserMessage.of("meanwhile") in history.items("")
    assert history.items("")[-1] == UserMessage.of("now")


async def test_a_conversation_that_was_cleared_gets_no_summary_of_the_old_one(
    provider: FakeProvider, backend: HttpBackend
) -> None:
    asked, go_on = threading.Event(), threading.Event()
    provider.script(Reply([Set(asked), WaitFor(go_on), chat_reply(GOOD)]))
    history = full_history()
    task = Compactor(backend, history).start_if_needed()
    assert task is not None
    await asyncio.to_thread(asked.wait, 10)
    history.clear()
    go_on.set()

    assert not await task
    assert history.items("") == []


async def test_cancelling_hangs_up_and_changes_nothing(provider: FakeProvider, backend: HttpBackend) -> None:
    provider.script(Reply([Stall()]))
    history = full_history()
    before = history.items("")
    compactor = Compactor(backend, history)
    task = compactor.start_if_needed()
    assert task is not None
    await asyncio.to_thread(provider.wait_for_request)

    await compactor.cancel()

    assert task.cancelled()
    assert history.items("") == before
    await asyncio.to_thread(provider.wait_for_disconnect)


async def test_a_summary_that_takes_too_long_is_given_up(
    provider: FakeProvider, backend: HttpBackend
) -> None:
    provider.script(Reply([Stall()]))
    history = full_history()
    task = Compactor(backend, history, timeout_s=0.2).start_if_needed()

    assert task is not None
    assert not await task
    assert len(history) == 5


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"Here it is:\n```json\n{GOOD}\n```",
        "{not this} " + GOOD + " {nor this}",
        json.dumps({"user_summary": " I\ncount. ", "assistant_summary": "I confirm.", "more": 1}),
    ],
)
def test_a_summary_is_found_in_what_surrounds_it(text: str) -> None:
    assert parse_summary(text) == Summary("I count.", "I confirm.")


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"user_summary": "x"}', '{"user_summary": "x", "assistant_summary": ""}', "{" * 20_000],
)
def test_anything_else_is_no_summary(text: str) -> None:
    assert parse_summary(text) is None
