"""The store as the app uses it: on an event loop, over a real session."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from conversation.parts import ScriptedBackend, answer
from conversation.store.kit import typed_turn
from s2s_desktop.conversation.events import TurnId
from s2s_desktop.conversation.session import Behavior, Session
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.conversation.store.conversation_store import ConversationStore
from s2s_desktop.conversation.store.library import Library
from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.history.history import History
from s2s_desktop.llm.items import AssistantText, UserMessage
from s2s_desktop.settings.schema import HistorySettings


class Told:
    """What the store told the app."""

    def __init__(self) -> None:
        self.notices: list[str] = []
        self.changes = 0
        self.changed = asyncio.Event()

    def note_change(self, conversation_id: str) -> None:
        self.changes += 1
        self.changed.set()


def content_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def make_store(folder: Path, told: Told, **settings: bool) -> ConversationStore:
    return ConversationStore(
        folder, HistorySettings(**settings), on_notice=told.notices.append, on_changed=told.note_change
    )


def session_with(backend: ScriptedBackend, history: History, store: ConversationStore) -> Session:
    stages = Stages(
        make_source=lambda: pytest.fail("nobody listens"),
        make_detector=lambda: pytest.fail("nobody listens"),
        make_speakable=lambda: pytest.fail("nobody speaks"),
        make_clauses=lambda: pytest.fail("nobody speaks"),
        language_model=backend,
    )
    session = Session(stages, history, Behavior(system_prompt="Be brief."))
    session.add_observer(store.recorder)
    return session


async def test_a_conversation_goes_on_in_the_next_run_of_the_app(tmp_path: Path) -> None:
    told = Told()
    store = make_store(tmp_path, told)
    await store.open()
    session = session_with(ScriptedBackend(answer("Paris is.")), History(), store)
    await session.converse("What is the capital of France?")
    await session.close()
    await store.close()

    store = make_store(tmp_path, told)
    await store.open()
    (found,) = await store.run(lambda library: library.conversations())
    assert found.title == "What is the capital of France?"
    history = History()
    history.load(*await store.run(lambda library: library.remembered(found.id)))
    store.recorder.resume(found.id)
    backend = ScriptedBackend(answer("Madrid."))
    session = session_with(backend, history, store)
    await session.converse("And of Spain?")
    await session.close()
    assert backend.requests[0][1:] == [
        UserMessage.of("What is the capital of France?"),
        AssistantText("Paris is."),
        UserMessage.of("And of Spain?"),
    ]
    assert store.recorder.flush()
    turns = await store.run(lambda library: library.turns(found.id))
    assert [(turn.number, turn.user_text) for turn in turns] == [
        (1, "What is the capital of France?"),
        (2, "And of Spain?"),
    ]
    await store.close()
    assert told.notices == []


async def test_the_app_is_told_when_the_list_changes(tmp_path: Path) -> None:
    told = Told()
    store = make_store(tmp_path, told)
    for event in typed_turn("Hello?", "Hi."):
        store.recorder(TurnId(1), event)
    async with asyncio.timeout(10):
        await told.changed.wait()
    assert len(await store.run(Library.conversations)) == 1
    await store.close()


async def test_deleting_the_conversation_in_use_begins_a_new_one(tmp_path: Path) -> None:
    told = Told()
    store = make_store(tmp_path, told)
    for event in typed_turn("Delete me.", "No!"):
        store.recorder(TurnId(1), event)
    assert store.recorder.flush()
    deleted = store.conversation_id
    await store.delete(deleted)
    assert store.conversation_id != deleted
    await store.undo_delete(deleted)
    assert [found.id for found in await store.run(Library.conversations)] == [deleted]
    await store.delete(deleted)
    await store.close()
    assert b"Delete me" not in content_of(tmp_path)


async def test_a_wipe_takes_what_is_about_to_be_written_too(tmp_path: Path) -> None:
    told = Told()
    store = make_store(tmp_path, told)
    for event in typed_turn("Wipe me.", "No!"):
        store.recorder(TurnId(1), event)
    await store.wipe()
    assert await store.run(Library.conversations) == []
    await store.close()
    assert b"Wipe me" not in content_of(tmp_path)


async def test_settings_take_effect_at_once(tmp_path: Path) -> None:
    store = make_store(tmp_path, Told(), keep=False)
    for event in typed_turn("Off.", "Off."):
        store.recorder(TurnId(1), event)
    store.use(HistorySettings(keep=True, audio_limit_mb=7))
    for event in typed_turn("On.", "On."):
        store.recorder(TurnId(2), event)
    assert store.recorder.flush()
    assert [found.title for found in await store.run(Library.conversations)] == ["On."]
    await store.close()


async def test_nothing_is_remembered_of_a_conversation_that_is_not_there(tmp_path: Path) -> None:
    store = make_store(tmp_path, Told())
    with pytest.raises(AssistantError, match="no longer there"):
        await store.run(lambda library: library.remembered("nowhere"))
    await store.close()


async def test_trouble_at_the_start_is_a_notice_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    told = Told()
    store = make_store(tmp_path / "data", told)
    await store.open()
    assert len(told.notices) == 1
    assert "cannot be opened or written" in told.notices[0]
    await store.close()
    await store.close()
