"""Speech-to-text: word errors and time of the right-sized window against plain faster-whisper.

    python tests/benchmarks/bench_stt.py MODEL_FOLDER SPEECH_FOLDER [--runs 3] [--threads 2]

Both hear the same recordings in turn within one run, because other work on the machine changes from run to
run. CPU seconds tell more than wall-clock seconds on a shared machine.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber
from stt.speech_material import RATE, Recording, errors, recordings

Ear = Callable[[Recording], tuple[str, str]]
"""From a recording to the text and its language."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("speech", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    before = _memory_mb()
    transcriber = FasterWhisperTranscriber(options.model, cpu_threads=options.threads)
    started = time.perf_counter()
    transcriber.load()
    print(f"load {time.perf_counter() - started:.2f} s, +{_memory_mb() - before:.0f} MB")
    ears: dict[str, Ear] = {"ours": _ours(transcriber), "plain": _plain(transcriber._model)}
    material = recordings(options.speech, speech=True)
    wall: dict[str, list[float]] = defaultdict(list)
    cpu: dict[str, list[float]] = defaultdict(list)
    wrong: Counter[tuple[str, str]] = Counter()
    said: Counter[str] = Counter()
    print(f"{'recording':32}{'s':>6}{'ours s':>9}{'plain s':>9}{'ours cpu':>10}{'plain cpu':>10}  errors")
    for recording in material:
        row = _measure(recording, ears, options.runs)
        said[recording.language] += row.words
        for ear in ears:
            wall[ear].append(row.wall[ear])
            cpu[ear].append(row.cpu[ear])
            wrong[ear, recording.language] += row.errors[ear]
        print(
            f"{recording.name:32}{recording.audio.size / RATE:6.1f}"
            f"{row.wall['ours']:9.3f}{row.wall['plain']:9.3f}"
            f"{row.cpu['ours']:10.3f}{row.cpu['plain']:10.3f}  {row.errors['ours']}/{row.errors['plain']}"
        )
    for ear in ears:
        rates = ", ".join(f"{language} {wrong[ear, language]}/{said[language]}" for language in sorted(said))
        print(
            f"{ear}: median {statistics.median(wall[ear]):.3f} s, sum {sum(wall[ear]):.2f} s, "
            f"CPU {sum(cpu[ear]):.2f} s; errors {rates}"
        )
    print(
        f"plain / ours: wall {sum(wall['plain']) / sum(wall['ours']):.2f}, "
        f"CPU {sum(cpu['plain']) / sum(cpu['ours']):.2f}; memory {_memory_mb():.0f} MB"
    )


class _Row:
    def __init__(self) -> None:
        self.wall: dict[str, float] = {}
        self.cpu: dict[str, float] = {}
        self.errors: dict[str, int] = {}
        self.words = 0


def _measure(recording: Recording, ears: dict[str, Ear], runs: int) -> _Row:
    row = _Row()
    wall: dict[str, list[float]] = defaultdict(list)
    cpu: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        for name, ear in ears.items():
            started, cpu_started = time.perf_counter(), time.process_time()
            text, _ = ear(recording)
            wall[name].append(time.perf_counter() - started)
            cpu[name].append(time.process_time() - cpu_started)
            row.errors[name], row.words = errors(recording.transcript, text, recording.language)
    row.wall = {name: statistics.median(times) for name, times in wall.items()}
    row.cpu = {name: statistics.median(times) for name, times in cpu.items()}
    return row


def _ours(transcriber: FasterWhisperTranscriber) -> Ear:
    def hear(recording: Recording) -> tuple[str, str]:
        transcript = transcriber.transcribe(recording.audio)
        return transcript.text, transcript.language

    return hear


def _plain(model: Any) -> Ear:
    def hear(recording: Recording) -> tuple[str, str]:
        segments, info = model.transcribe(recording.audio, beam_size=5, condition_on_previous_text=False)
        return "".join(segment.text for segment in segments), info.language

    return hear


def _memory_mb() -> float:
    return psutil.Process().memory_info().rss / 1e6


if __name__ == "__main__":
    main()
