"""A session over scripted parts that saves what is said: for tests of the engine and of the window."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from conversation.parts import Recorder, ScriptedBackend, ScriptedSource
from s2s_desktop.conversation.events import TurnMetrics, Usage
from s2s_desktop.conversation.session import Behavior, Session
from s2s_desktop.conversation.stages import Stages
from s2s_desktop.conversation.store.records import (
    Conversation,
    Message,
    Role,
    SavedTurn,
    TitleSource,
    WholeConversation,
)
from s2s_desktop.engine.saved_conversations import SavedConversations
from s2s_desktop.llm.history.history import History
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Settings
from s2s_desktop.tts.clauses import ClauseSplitter
from s2s_desktop.tts.speakable_text import SpeakableText

NOON = 1_700_000_000_000
"""A moment of 2023, in milliseconds."""


class SavingSession:
    """Make it on the running loop; `answers` scripts the language model."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.loop = asyncio.get_running_loop()
        self.settings = settings or Settings()
        self.history = History(
            chat_size=self.settings.assistant.chat_size, compacts=self.settings.assistant.compact_history
        )
        self.stages = Stages(
            make_source=ScriptedSource, make_speakable=SpeakableText, make_clauses=ClauseSplitter
        )
        self.session = Session(self.stages, self.history, Behavior(system_prompt="Be brief."))
        self.seen = Recorder()
        self.session.add_observer(self.seen)
        self.saved = SavedConversations(self.settings, find_paths(), self.session, self.history)

    def answers(self, *replies: list[object]) -> ScriptedBackend:
        backend = ScriptedBackend(*replies)  # type: ignore[arg-type]
        self.stages.language_model = backend
        return backend

    async def add(self, *conversations: WholeConversation) -> None:
        def add_all(library: object) -> None:
            for conversation in conversations:
                library.add(conversation)  # type: ignore[attr-defined]

        await self.saved.store.run(add_all)

    async def flush(self) -> None:
        """Return when everything said so far is in the file."""
        assert await self.saved.written()

    async def titles(self) -> list[str]:
        return [conversation.title for conversation in await self.saved.page(limit=100)]

    async def close(self) -> None:
        await self.session.close()
        await self.saved.store.close()


def whole(
    name: str, *exchanges: tuple[str, str], title: str = "", at: int = NOON, pinned: bool = False
) -> WholeConversation:
    """A typed conversation in which every turn took 100 tokens in and 10 out."""
    turns = tuple(
        SavedTurn(
            number,
            at + number,
            (Message(Role.USER, user), Message(Role.ASSISTANT, reply)),
            usage=Usage(100, 10),
            metrics=TurnMetrics(),
        )
        for number, (user, reply) in enumerate(exchanges, 1)
    )
    conversation = Conversation(name, title or name, TitleSource.WORDS, at, at, pinned)
    return WholeConversation(conversation, turns)


def long_conversation(name: str, turns: int) -> WholeConversation:
    return whole(name, *((f"Question {number}", f"Answer {number}") for number in range(1, turns + 1)))


async def until(holds: Callable[[], bool]) -> None:
    """Let the loop run until something is so."""
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110  (what is looked at is no event)
            await asyncio.sleep(0.005)


def bytes_below(folder: Path) -> bytes:
    """Everything in the files of a folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
