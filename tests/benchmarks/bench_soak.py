"""Hundreds of spoken turns in a row: what grows?

    python tests/benchmarks/bench_soak.py MODELS QUESTION.wav [--turns 300]

Real speech detection, recognition and voice, a model that answers at once, files in place of devices, as fast
as they can be taken. Prints memory, threads, file handles, tasks and timers every 50 turns as one JSON
document, and each on stderr.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import sys
import tempfile
import threading
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parent))

from bench_segmentation import Ears

from s2s_desktop.audio.wav_file import WavSink
from s2s_desktop.cli.bench.figures import machine
from s2s_desktop.cli.bench.latency import InstantModel
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import Settings

EVERY = 50


async def soak(question: Path, turns: int) -> dict[str, object]:
    sink = WavSink(None, realtime=False)
    engine = Engine(Settings(), find_paths(), parts={Part.HEARING, Part.VOICE}, sink=sink)
    seen: list[dict[str, object]] = []
    try:
        await engine.prepare()
        sink.start()
        ears = Ears(engine)
        engine.session.stages.language_model = InstantModel("It is half past nine, and the sun is shining.")
        answered = 0
        for turn in range(1, turns + 1):
            words, _, _ = await ears.hear(question)
            answered += bool(words)
            if turn == 1 or turn % EVERY == 0:
                seen.append({"turn": turn, "answered": answered, **_held()})
                print(seen[-1], file=sys.stderr, flush=True)
    finally:
        await engine.close()
    after_50 = next(each for each in seen if each["turn"] == EVERY)
    return {
        "machine": machine(),
        "seen": seen,
        "memory_growth_after_50": round(
            float(str(seen[-1]["memory_mb"])) / float(str(after_50["memory_mb"])) - 1, 4
        ),
    }


def _held() -> dict[str, object]:
    gc.collect()
    process = psutil.Process()
    return {
        "memory_mb": round(process.memory_info().rss / 1e6, 1),
        "threads": threading.active_count(),
        "handles": process.num_fds() if hasattr(process, "num_fds") else process.num_handles(),
        "tasks": len(asyncio.all_tasks()),
        "timers": len(asyncio.get_running_loop()._scheduled),  # type: ignore[attr-defined]
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", type=Path, help="the folder of the model files")
    parser.add_argument("question", type=Path)
    parser.add_argument("--turns", type=int, default=300, help="at least 50")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "models").symlink_to(options.models.resolve())
        os.environ["S2S_DESKTOP_HOME"] = home
        print(json.dumps(asyncio.run(soak(options.question, options.turns)), indent=2))


if __name__ == "__main__":
    main()
