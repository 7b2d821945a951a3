"""`bench idle`: what listening to a silent room costs."""

from __future__ import annotations

import argparse
import asyncio

import psutil

from s2s_desktop.cli import output
from s2s_desktop.cli.bench import figures
from s2s_desktop.conversation.events import Event, MicrophoneChanged, TurnId
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings

SETTLE_S = 3.0
SECONDS_A_ROUND = 10.0


async def idle(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Listen to the real microphone and measure the program and its language model; returns the exit code."""
    opened: asyncio.Queue[str | None] = asyncio.Queue()

    def observe(turn: TurnId | None, event: Event) -> None:
        if isinstance(event, MicrophoneChanged):
            opened.put_nowait(None if event.on else event.problem or "The microphone was closed.")

    engine = Engine(settings, paths, parts=set(Part))
    document: dict[str, object] = {"machine": figures.machine()}
    try:
        engine.session.add_observer(observe)
        await engine.prepare(output.download_progress(quiet=options.json))
        engine.session.set_microphone(True)
        if (problem := await opened.get()) is not None:
            raise AssistantError(ErrorKind.DEVICE, problem)
        await asyncio.sleep(SETTLE_S)
        own = psutil.Process()
        for name, processes in {"program": [own], "language_model": own.children(recursive=True)}.items():
            document[name] = await _measure(processes, options.rounds)
    finally:
        await engine.close()
    if options.json:
        output.print_json(document)
    else:
        for name in ("program", "language_model"):
            values = document[name]
            assert isinstance(values, dict)
            output.say(
                f"{name.replace('_', ' '):<16} {values['cpu_percent']['median']:.1f} % of a core, "
                f"{values['memory_mb']:.0f} MB"
            )
    return 0


async def _measure(processes: list[psutil.Process], rounds: int) -> dict[str, object]:
    shares = []
    for _ in range(rounds):
        before = sum(sum(process.cpu_times()[:2]) for process in processes)
        await asyncio.sleep(SECONDS_A_ROUND)
        after = sum(sum(process.cpu_times()[:2]) for process in processes)
        shares.append(100 * (after - before) / SECONDS_A_ROUND)
    memory = sum(process.memory_info().rss for process in processes)
    return {"cpu_percent": figures.summary(shares), "memory_mb": round(memory / 1e6, 1)}
