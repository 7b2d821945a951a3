"""The library: lists, pages, titles, deleting, wiping, usage, going on with a conversation."""

from __future__ import annotations

import random
import sqlite3
import string

import numpy as np
import pytest

from conversation.store.kit import NOON, Shelf, reply_events, typed_turn, whole
from s2s_desktop.conversation.events import (
    FinalTranscript,
    SpokenProgress,
    TextDelta,
    ToolCall,
    ToolResult,
    TurnFailed,
    TurnFinished,
    TurnMetrics,
    TypedMessage,
    Usage,
    VoiceChunk,
)
from s2s_desktop.conversation.store.library import FirstExchange
from s2s_desktop.conversation.store.records import Role, TitleSource
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.items import AssistantText, ToolOutput, UserMessage


def titles(shelf: Shelf) -> list[str]:
    return [found.title for found in shelf.library.conversations()]


def test_pinned_conversations_come_first_then_the_newest(shelf: Shelf) -> None:
    for day, name in enumerate(("old", "middle", "new")):
        shelf.library.add(whole(name, ("Hi", "Hello"), at=NOON + day))
    assert titles(shelf) == ["new", "middle", "old"]
    shelf.library.pin("old", True)
    assert titles(shelf) == ["old", "new", "middle"]
    shelf.library.pin("old", False)
    assert titles(shelf) == ["new", "middle", "old"]
    assert [found.title for found in shelf.library.conversations(limit=1, offset=1)] == ["middle"]


def test_turns_come_in_pages_from_the_newest_backwards(shelf: Shelf) -> None:
    shelf.library.add(whole("c", *((f"q{n}", f"a{n}") for n in range(1, 251))))
    newest = shelf.library.turns("c")
    assert [turn.number for turn in newest] == list(range(151, 251))
    before = shelf.library.turns("c", before=newest[0].number)
    assert [turn.number for turn in before] == list(range(51, 151))
    assert len(shelf.library.turns("c", before=51)) == 50
    assert shelf.library.turns("c", before=1) == ()


def test_a_title_of_the_user_is_never_replaced(shelf: Shelf) -> None:
    shelf.say(1, "Plan my trip to Rome.", "Gladly.")
    conversation = shelf.recorder.conversation_id
    assert shelf.library.unnamed() == FirstExchange(conversation, "Plan my trip to Rome.", "Gladly.")
    assert shelf.library.name_by_model(conversation, "Trip to Rome")
    assert shelf.library.unnamed() is None
    shelf.library.rename(conversation, "  Roman\nholiday ")
    assert not shelf.library.name_by_model(conversation, "Trip to Rome")
    found = shelf.library.conversation(conversation)
    assert (found.title, found.title_source) == ("Roman holiday", TitleSource.USER)
    with pytest.raises(AssistantError, match="title"):
        shelf.library.rename(conversation, " \u202e\n")


def test_deleting_can_be_undone_until_it_is_for_good(shelf: Shelf) -> None:
    shelf.library.add(whole("c", ("Hi", "Hello")))
    before = shelf.library.whole("c")
    shelf.library.delete("c")
    assert titles(shelf) == []
    assert shelf.library.search("hello") == []
    assert shelf.library.purge_deleted() == 0
    shelf.library.undo_delete("c")
    assert shelf.library.whole("c") == before
    shelf.library.delete("c")
    shelf.clock.seconds += 61
    assert shelf.library.purge_deleted() == 1
    with pytest.raises(AssistantError, match="for good"):
        shelf.library.undo_delete("c")


@pytest.mark.parametrize("call", ["turns", "delete", "conversation", "items", "whole", "undo_compaction"])
def test_a_conversation_that_is_not_there_is_said_in_a_sentence(shelf: Shelf, call: str) -> None:
    with pytest.raises(AssistantError, match="no longer there") as caught:
        getattr(shelf.library, call)("nowhere")
    assert caught.value.kind is ErrorKind.NOT_FOUND


def canary(chance: random.Random) -> str:
    return "zq" + "".join(chance.choices(string.ascii_lowercase, k=10))


def test_nothing_of_a_conversation_that_was_removed_can_be_found_in_the_files(shelf: Shelf) -> None:
    chance = random.Random(1)
    shelf.recorder.keep(text=True, sound=True)
    gone: list[str] = []
    stays: list[str] = []
    for number in range(1, 31):
        words = [canary(chance) for _ in range(chance.randrange(20, 200))]
        (gone if number % 2 else stays).extend(words)
        shelf.recorder.new_conversation()
        half = len(words) // 2
        shelf.feed(number, [FinalTranscript(" ".join(words[:half])), TextDelta(words[half])])
        for word in words[half + 1 :]:
            shelf.feed(number, [TextDelta(f" {word}")])
            if chance.random() < 0.05:
                assert shelf.recorder.flush()
        shelf.feed(number, [TurnFinished(TurnMetrics())])
        assert shelf.recorder.flush()
        if number % 2:
            shelf.library.delete(shelf.recorder.conversation_id)
    assert shelf.library.purge_deleted(0) == 15
    data = shelf.bytes_on_disk()
    assert not [word for word in gone if word.encode() in data]
    assert all(word.encode() in data for word in stays)
    assert len(shelf.library.search(stays[-1])) == 1


def test_a_wipe_leaves_nothing_behind(shelf: Shelf) -> None:
    chance = random.Random(2)
    words = [canary(chance) for _ in range(3000)]
    shelf.recorder.keep(text=True, sound=True)
    shelf.say(1, " ".join(words[:1000]), " ".join(words[1000:2000]))
    shelf.library.rename(shelf.recorder.conversation_id, words[2000])
    shelf.library.compact(shelf.recorder.conversation_id, words[2001], words[2002], keep=0)
    shelf.sounds.save("c", 1, Role.USER, np.ones(100, np.float32), 16_000)
    (shelf.folder / "conversations-damaged-2026-01-01.db").write_text(words[2003])
    shelf.library.wipe()
    data = shelf.bytes_on_disk()
    assert not [word for word in words if word.encode() in data]
    assert {path.name for path in shelf.folder.iterdir()} <= {
        "conversations.db",
        "conversations.db-wal",
        "conversations.db-shm",
    }
    assert titles(shelf) == []
    shelf.recorder.forget()
    shelf.say(1, "A fresh start.", "Yes.")
    assert titles(shelf) == ["A fresh start."]


def test_a_wipe_that_another_window_holds_up_is_said(shelf: Shelf) -> None:
    shelf.say(1, "zqsecret", "zqanswer")
    other = sqlite3.connect(shelf.path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT * FROM message").fetchall()
    with pytest.raises(AssistantError, match="wipe again"):
        shelf.library.wipe()
    other.execute("COMMIT")
    other.close()
    shelf.library.wipe()
    assert b"zq" not in shelf.bytes_on_disk()


def test_usage_is_counted_for_each_conversation_and_in_total(shelf: Shelf) -> None:
    shelf.feed(1, [TypedMessage("One?"), Usage(10, 1), Usage(20, 2), TurnFinished(TurnMetrics())])
    assert shelf.recorder.flush()
    first = shelf.recorder.conversation_id
    shelf.recorder.new_conversation()
    shelf.feed(2, [TypedMessage("Two?"), Usage(5, 5), TurnFinished(TurnMetrics())])
    shelf.feed(3, typed_turn("Not counted?", "No."))
    assert shelf.recorder.flush()
    assert shelf.library.usage(first) == Usage(30, 3)
    assert shelf.library.usage(shelf.recorder.conversation_id) == Usage(5, 5)
    assert shelf.library.usage() == Usage(35, 8)
    assert shelf.library.usage("nowhere") == Usage(0, 0)


def test_what_the_model_is_reminded_of_is_what_the_live_history_held(shelf: Shelf) -> None:
    """Each turn is played to both; the reply to the interrupted one was heard up to its second word."""
    live = History(chat_size=30)

    live.begin_turn(UserMessage.of("6 times 7?"))
    live.add_assistant("Let me see.")
    live.add_tool_call(ToolCall("c1", "calculator", "{}"))
    live.add_tool_output("c1", "42")
    live.add_assistant("It is 42.")
    live.commit()
    shelf.feed(
        1,
        [
            TypedMessage("6 times 7?"),
            *reply_events("Let me see."),
            ToolCall("c1", "calculator", "{}"),
            ToolResult("c1", "calculator", "42"),
            *reply_events("It is 42."),
            TurnFinished(TurnMetrics()),
        ],
    )

    live.begin_turn(UserMessage.of("Count to four."))
    live.interrupt("One two")
    chunk = VoiceChunk(np.zeros(10, np.float32), 24_000, "One two three four.")
    shelf.feed(2, [TypedMessage("Count to four."), TextDelta("One two three four."), chunk])
    shelf.feed(2, [SpokenProgress("One two"), TurnFinished(TurnMetrics())])

    live.begin_turn(UserMessage.of("This fails."))
    live.add_assistant("Half an")
    live.fail()
    error = AssistantError(ErrorKind.SERVER, "The server failed.")
    shelf.feed(3, [TypedMessage("This fails."), TextDelta("Half an"), TurnFailed(error)])
    shelf.feed(3, [TurnFinished(TurnMetrics())])

    live.begin_turn(UserMessage.of("Too soon."))
    live.interrupt("")
    shelf.feed(4, [TypedMessage("Too soon."), TurnFinished(TurnMetrics())])

    live.begin_turn(UserMessage.of("Thanks."))
    live.add_assistant("You are welcome.")
    live.commit()
    shelf.feed(5, typed_turn("Thanks.", "You are welcome."))

    assert shelf.recorder.flush()
    items = shelf.library.items(shelf.recorder.conversation_id)
    assert AssistantText("One two", interrupted=True) in items
    assert ToolOutput("c1", "42") in items
    resumed = History(chat_size=30)
    resumed.load(items)
    assert resumed.items("Be brief.") == live.items("Be brief.")


def test_a_reply_that_the_end_of_the_app_cut_off_counts_as_far_as_it_was_read(shelf: Shelf) -> None:
    shelf.feed(1, [TypedMessage("Tell me."), TextDelta("Once upon")])
    assert shelf.recorder.flush()
    items = shelf.library.items(shelf.recorder.conversation_id)
    assert items == [UserMessage.of("Tell me."), AssistantText("Once upon", interrupted=True)]


def test_only_the_newest_turns_are_given_to_the_model(shelf: Shelf) -> None:
    shelf.library.add(whole("c", *((f"q{n}", f"a{n}") for n in range(50))))
    items = shelf.library.items("c", turns=2)
    assert items[0] == UserMessage.of("q48")
    assert len(items) == 4


def test_a_compaction_stands_for_the_older_turns_until_it_is_undone(shelf: Shelf) -> None:
    shelf.library.add(whole("c", *((f"q{n}", f"a{n}") for n in range(1, 7))))
    before = shelf.library.items("c")
    first = shelf.library.compact("c", "asked things", "answered", keep=4)
    assert first is not None
    assert first.through_turn == 2
    second = shelf.library.compact("c", "asked more", "answered all", keep=1)
    assert second is not None
    assert second.through_turn == 5
    assert shelf.library.items("c") == [
        UserMessage.of("Earlier I said: asked more"),
        AssistantText("Earlier I answered: answered all"),
        UserMessage.of("q6"),
        AssistantText("a6"),
    ]
    assert len(shelf.library.turns("c")) == 6
    assert shelf.library.undo_compaction("c")
    assert UserMessage.of("q3") in shelf.library.items("c")
    assert UserMessage.of("Earlier I said: asked things") in shelf.library.items("c")
    assert shelf.library.undo_compaction("c")
    assert shelf.library.items("c") == before
    assert not shelf.library.undo_compaction("c")
    assert [made.undone for made in shelf.library.compactions("c")] == [True, True]


def test_a_compaction_of_nothing_is_none(shelf: Shelf) -> None:
    shelf.library.add(whole("c", ("q", "a"), ("q", "a")))
    assert shelf.library.compact("c", "s", "s", keep=2) is None
    assert shelf.library.compact("c", "s", "s", keep=1) is not None
    assert shelf.library.compact("c", "s", "s", keep=1) is None


def test_the_end_of_the_app_leaves_nothing_undone(shelf: Shelf) -> None:
    shelf.library.add(whole("deleted", ("q", "a")))
    shelf.library.delete("deleted")
    shelf.feed(1, [TypedMessage("Hello?"), TextDelta("A half sentence")])
    assert shelf.recorder.flush()
    assert shelf.library.search("sentence") == []
    shelf.clock.seconds += 3600
    shelf.library.tidy()
    assert len(shelf.library.search("sentence")) == 1
    with pytest.raises(AssistantError):
        shelf.library.undo_delete("deleted")
    shelf.feed(1, [TextDelta(" becomes whole."), TurnFinished(TurnMetrics())])
    assert shelf.recorder.flush()
    assert len(shelf.library.search("sentence whole")) == 1


def test_recordings_stay_below_their_limit_and_the_oldest_go_first(shelf: Shelf) -> None:
    second = np.ones(16_000, np.float32)
    shelf.sounds.limit_bytes = 100_000
    for turn in range(1, 6):
        shelf.sounds.save("c", turn, Role.USER, second, 16_000)
    kept = shelf.library.recordings("c")
    assert [recording.turn for recording in kept] == [3, 4, 5]
    assert sum(recording.path.stat().st_size for recording in kept) <= 100_000
    shelf.sounds.save("c", 6, Role.USER, np.ones(60_000, np.float32), 16_000)
    assert [recording.turn for recording in shelf.library.recordings("c")] == [3, 4, 5]
