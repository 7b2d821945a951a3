"""Text-to-speech: time to the sound of texts of several lengths, real-time factor, silence and memory.

    python tests/benchmarks/bench_tts.py MODEL.onnx [--runs 5] [--threads 2] [--voice af_heart]

CPU seconds tell more than wall-clock seconds on a shared machine.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

import numpy as np
import psutil

from s2s_desktop.tts.kokoro_onnx import SAMPLE_RATE, KokoroSynthesizer

TEXTS = (
    "Sure.",
    "The weather is lovely today",
    "The weather looks nice, so let us go out for a long walk",
    "The weather looks nice today, so let us go out for a long walk in the park, and then we can have some "
    "coffee near the river.",
)
LONGEST = "and then we went on and on " * 20


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--voice", default="af_heart")
    options = parser.parse_args()
    before = _memory_mb()
    voice = KokoroSynthesizer(options.model, voice=options.voice, threads=options.threads)
    started = time.perf_counter()
    voice.load()
    print(f"load {time.perf_counter() - started:.2f} s, +{_memory_mb() - before:.0f} MB")
    print("characters  wall s   CPU s  sound s    RTF   lead s")
    for text in TEXTS:
        walls, cpus = [], []
        for _ in range(options.runs):
            started, cpu_started = time.perf_counter(), time.process_time()
            samples = voice.synthesize(text).samples
            walls.append(time.perf_counter() - started)
            cpus.append(time.process_time() - cpu_started)
        seconds = samples.size / SAMPLE_RATE
        lead = np.argmax(np.abs(samples) > 0.01 * np.abs(samples).max()) / SAMPLE_RATE
        wall, cpu = statistics.median(walls), statistics.median(cpus)
        print(f"{len(text):10}{wall:8.3f}{cpu:8.3f}{seconds:9.2f}{wall / seconds:7.2f}{lead:9.3f}")
    settled = _memory_mb()
    voice.synthesize(LONGEST)
    print(f"memory {settled:.0f} MB, behind a clause of {len(LONGEST)} characters {_memory_mb():.0f} MB")


def _memory_mb() -> float:
    return psutil.Process().memory_info().rss / 1e6


if __name__ == "__main__":
    main()
