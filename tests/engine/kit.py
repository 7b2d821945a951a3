"""An engine over scripted providers: for tests of what happens when the settings change."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TypeVar

from conversation.parts import Recorder
from llm.fake_provider import FakeProvider, Reply
from llm.streams import chat_reply
from s2s_desktop.conversation.events import AssistantMessage, Event, Readiness, SettingsChanged
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.settings import file as settings_file
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Profile, Settings

E = TypeVar("E", bound=Event)


def says(provider: FakeProvider, text: str) -> FakeProvider:
    """Let a provider answer every question with the same words."""
    provider.script(Reply(chat_reply(text)), repeat=True)
    return provider


def profile_at(provider: FakeProvider, name: str, **options: object) -> Profile:
    return Profile(name=name, backend="chat-completions", base_url=provider.base_url, model="demo", **options)  # type: ignore[arg-type]


class RunningEngine:
    """Make it on the running loop."""

    def __init__(self, settings: Settings, *, parts: set[Part] | None = None) -> None:
        self.engine = Engine(
            settings, find_paths(), parts={Part.LLM} if parts is None else parts, conversations=True
        )
        self.seen = Recorder()
        self.engine.add_observer(self.seen)
        self.preferences = self.engine.preferences

    async def ready(self) -> None:
        """Return when everything asked for so far is loaded."""
        await self.engine._parts.settled()

    async def start(self) -> None:
        self.engine.prepare_in_background()
        await self.ready()

    async def change(self, **paths: object) -> None:
        """Apply settings by their paths, with __ for the dot."""
        settings = self.preferences.settings
        for path, value in paths.items():
            section, _, name = path.rpartition("__")
            setattr(getattr(settings, section) if section else settings, name, value)
        await self.preferences.apply(settings)
        await self.ready()

    async def ask(self, text: str) -> str:
        """Return the answer to a typed message; "" when it failed."""
        before = len(self.seen.of(AssistantMessage))
        await self.engine.session.converse(text)
        said = self.seen.of(AssistantMessage)[before:]
        return said[-1].content if said else ""

    @property
    def readiness(self) -> Readiness:
        return self.seen.of(Readiness)[-1]

    @property
    def changes(self) -> int:
        return len(self.seen.of(SettingsChanged))

    def saved(self) -> Settings:
        return settings_file.load(find_paths().settings_file).settings

    def saved_text(self) -> str:
        path: Path = find_paths().settings_file
        return path.read_text(encoding="utf-8") if path.exists() else ""

    async def close(self) -> None:
        async with asyncio.timeout(10):
            await self.engine.close()
