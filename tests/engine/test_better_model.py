"""Going from one built-in language model to another while the program runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from processes import children_running
from s2s_desktop.conversation.events import AssistantMessage, Event, Notice, Readiness, TurnId
from s2s_desktop.engine import model_use
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Settings

pytestmark = pytest.mark.models


class Watch:
    """Keeps events and can be awaited for one of a kind."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._arrived = asyncio.Event()

    def __call__(self, turn: TurnId | None, event: Event) -> None:
        self.events.append(event)
        self._arrived.set()

    async def first(self, kind: type[Event]) -> Event:
        async with asyncio.timeout(60):
            while True:
                for event in self.events:
                    if isinstance(event, kind):
                        return event
                self._arrived.clear()
                await self._arrived.wait()


@pytest.fixture
async def engine(home_with_models: Path) -> AsyncIterator[Engine]:
    """An engine for typed questions to the built-in model, which is not loaded yet."""
    engine = Engine(Settings(), find_paths(), parts={Part.LLM})
    yield engine
    await engine.close()


async def test_the_better_model_takes_over_and_the_old_server_ends(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    await engine.prepare()
    (before,) = children_running("llm.builtin")
    watch = Watch()
    engine.add_observer(watch)
    # The larger models of the catalog are not on a test machine: the change itself is what is tested.
    monkeypatch.setattr(model_use, "better_model", lambda settings: model_use.TRIAL_MODEL)
    engine.fetch_better_model()
    ready = await watch.first(Readiness)
    assert isinstance(ready, Readiness)
    assert ready.llm
    assert psutil.wait_procs([before], timeout=5)[1] == []
    await engine.session.converse("What is the capital of France?")
    answer = await watch.first(AssistantMessage)
    assert isinstance(answer, AssistantMessage)
    assert "Paris" in answer.content


async def test_a_machine_that_runs_the_best_already_says_so(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch()
    engine.add_observer(watch)
    monkeypatch.setattr(model_use, "better_model", lambda settings: None)
    engine.fetch_better_model()
    notice = await watch.first(Notice)
    assert isinstance(notice, Notice)
    assert "provider" in notice.text


@pytest.mark.parametrize(
    ("memory_gb", "cores", "recommended"), [(4, 2, None), (16, 4, "qwen2.5-1.5b"), (32, 8, "qwen3-4b")]
)
def test_memory_and_cores_decide_what_is_better(
    monkeypatch: pytest.MonkeyPatch, memory_gb: int, cores: int, recommended: str | None
) -> None:
    class Memory:
        total = int(memory_gb * 1e9)

    monkeypatch.setattr(psutil, "virtual_memory", Memory)
    monkeypatch.setattr(psutil, "cpu_count", lambda logical: cores)
    assert model_use.better_model(Settings()) == recommended
