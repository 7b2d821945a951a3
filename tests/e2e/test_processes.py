"""What is left of the program when it, or its child, is killed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest

from processes import children_running
from s2s_desktop.conversation.events import AssistantMessage, Event, TurnFailed, TurnId
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Settings
from virtual_audio import VirtualAudio

pytestmark = [pytest.mark.e2e, pytest.mark.models]

START_LIMIT_S = 60
GONE_LIMIT_S = 5
BUILTIN_SERVER = "llm.builtin"


@pytest.fixture
def program(home_with_models: Path, virtual_audio: VirtualAudio) -> Iterator[subprocess.Popen[bytes]]:
    """The program with its window, in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "s2s_desktop"], env=dict(os.environ), stderr=subprocess.PIPE
    ) as process:
        yield process
        process.kill()


def built_in_server(process: subprocess.Popen[bytes]) -> psutil.Process:
    """Wait until the program has started its language model and return that process."""
    parent = psutil.Process(process.pid)
    for _ in range(START_LIMIT_S * 10):
        if found := children_running(BUILTIN_SERVER, parent):
            return found[0]
        assert not psutil.wait_procs([parent], timeout=0.1)[0], "the program ended by itself"
    pytest.fail("the built-in language model was never started")


def test_a_killed_program_leaves_no_language_model_behind(program: subprocess.Popen[bytes]) -> None:
    child = built_in_server(program)
    program.kill()
    _, alive = psutil.wait_procs([child], timeout=GONE_LIMIT_S)
    assert alive == []


def test_a_program_that_is_asked_to_end_ends_in_order(program: subprocess.Popen[bytes]) -> None:
    child = built_in_server(program)
    program.terminate()
    _, stderr = program.communicate(timeout=10)
    assert b"Traceback" not in stderr
    assert psutil.wait_procs([child], timeout=GONE_LIMIT_S)[1] == []


def test_the_window_closes_by_itself(home_with_models: Path, virtual_audio: VirtualAudio) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "s2s_desktop", "--quit-after", "1"],
        env=dict(os.environ),
        capture_output=True,
        timeout=60,
        check=False,
    )
    # A sound server that starves says so through ALSA; what the program itself says would be a fault.
    said = [line for line in done.stderr.splitlines() if not line.startswith(b"ALSA lib")]
    assert (done.returncode, said) == (0, [])


@pytest.fixture
async def engine(home_with_models: Path) -> AsyncIterator[Engine]:
    """An engine that answers typed questions with the built-in model."""
    engine = Engine(Settings(), find_paths(), parts={Part.LLM})
    await engine.prepare()
    yield engine
    await engine.close()


async def test_after_the_language_model_was_killed_the_next_turn_works(engine: Engine) -> None:
    events: list[Event] = []

    def record(turn: TurnId | None, event: Event) -> None:
        events.append(event)

    engine.session.add_observer(record)
    await engine.session.converse("What is the capital of France?")
    for child in children_running(BUILTIN_SERVER):
        child.kill()
        await asyncio.to_thread(child.wait, 5)
    await engine.session.converse("What is the capital of France?")
    answers = [event.content for event in events if isinstance(event, AssistantMessage)]
    assert len(answers) == 2, [event for event in events if isinstance(event, TurnFailed)]
    assert all("Paris" in answer for answer in answers)
