"""What the tests of the store are written with."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from s2s_desktop.conversation.events import (
    AssistantMessage,
    Event,
    FinalTranscript,
    FinishReason,
    ReplyFinished,
    TextDelta,
    TurnFinished,
    TurnId,
    TurnMetrics,
    TypedMessage,
)
from s2s_desktop.conversation.store.database import Database
from s2s_desktop.conversation.store.library import Library
from s2s_desktop.conversation.store.recorder import Recorder
from s2s_desktop.conversation.store.records import (
    Conversation,
    Message,
    Role,
    SavedTurn,
    TitleSource,
    WholeConversation,
)
from s2s_desktop.conversation.store.sound_files import SoundFiles

NOON = 1_700_000_000_000
"""A moment of 2023, in milliseconds."""


@dataclass
class Clock:
    """A clock that the test moves; seconds since 1970."""

    seconds: float = NOON / 1000

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Shelf:
    """A store in a folder, with everything it said."""

    folder: Path
    wait_s: float = 5.0
    clock: Clock = field(default_factory=Clock)
    notices: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    saved: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.path = self.folder / "conversations.db"
        self.database = Database(self.path, on_notice=self.notices.append, wait_s=self.wait_s)
        self.sounds = SoundFiles(self.folder / "sounds", 10_000_000)
        self.library = Library(self.database, self.sounds, now=self.clock)
        self.recorder = Recorder(
            self.database,
            self.sounds,
            on_saved=self.saved.append,
            on_problem=self.problems.append,
            now=self.clock,
        )
        self.recorder.keep(text=True, sound=False)

    def feed(self, number: int, events: Iterable[Event], revision: int = 0) -> None:
        for event in events:
            self.recorder(TurnId(number, revision), event)

    def say(self, number: int, user: str, reply: str) -> None:
        self.feed(number, typed_turn(user, reply))
        assert self.recorder.flush()

    def turns(self) -> tuple[SavedTurn, ...]:
        assert self.recorder.flush()
        return self.library.turns(self.recorder.conversation_id)

    def close(self) -> None:
        self.recorder.close()
        self.database.close()

    def bytes_on_disk(self) -> bytes:
        return b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())


def typed_turn(user: str, reply: str) -> list[Event]:
    return [TypedMessage(user), *reply_events(reply), TurnFinished(TurnMetrics())]


def spoken_turn(user: str, reply: str, language: str = "en") -> list[Event]:
    return [FinalTranscript(user, language), *reply_events(reply), TurnFinished(TurnMetrics())]


def reply_events(reply: str) -> list[Event]:
    words = reply.split(" ")
    deltas = [TextDelta(words[0]), *(TextDelta(f" {word}") for word in words[1:])]
    return [*deltas, AssistantMessage(reply), ReplyFinished(FinishReason.STOP)]


def whole(name: str, *exchanges: tuple[str, str], title: str = "", at: int = NOON) -> WholeConversation:
    turns = tuple(
        SavedTurn(
            number,
            at + number,
            (Message(Role.USER, user), Message(Role.ASSISTANT, reply)),
        )
        for number, (user, reply) in enumerate(exchanges, 1)
    )
    return WholeConversation(Conversation(name, title or name, TitleSource.WORDS, at, at), turns)


def integrity(path: Path) -> str:
    connection = sqlite3.connect(path)
    try:
        verdict: str = connection.execute("PRAGMA integrity_check").fetchone()[0]
        connection.execute("INSERT INTO search (search) VALUES ('integrity-check')")
        return verdict
    finally:
        connection.close()
