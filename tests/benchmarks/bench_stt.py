"""Speech-to-text: errors, and time against plain faster-whisper; what captions cost and how still they stand.

    python tests/benchmarks/bench_stt.py MODEL_FOLDER SPEECH_FOLDER [--runs 3] [--threads 2] [--step 0.8]

Both hear the same recordings in turn within one run, because other work on the machine changes from run to
run. CPU seconds tell more than wall-clock seconds on a shared machine. Errors are counted in words, in
Chinese and Japanese in characters, without case and punctuation; spellings that sound the same count as one
("Mr.", "10"). Traditional characters in place of simplified ones are errors.
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

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from s2s_desktop.stt.captions import CaptionStabilizer
from s2s_desktop.stt.faster_whisper import FasterWhisperTranscriber
from s2s_desktop.stt.words import words_of
from stt.speech_material import RATE, Recording, errors, recordings

Ear = Callable[[Recording], tuple[str, str]]
"""From a recording to the text and its language."""

GROUPS = {
    "English": (("en",), 0.025),
    "European": (("de", "en", "es", "fr"), 0.12),
    "Japanese and Chinese": (("ja", "zh"), 0.25),
}
"""Languages that are counted together, and the most errors a word that are allowed."""

MAX_RATIO = 0.6
"""Our time to that of plain faster-whisper."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("speech", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--step", type=float, default=0.8, help="seconds between two drafts")
    options = parser.parse_args()
    before = _memory_mb()
    transcriber = FasterWhisperTranscriber(options.model, cpu_threads=options.threads)
    started = time.perf_counter()
    transcriber.load()
    print(f"load {time.perf_counter() - started:.2f} s, +{_memory_mb() - before:.0f} MB")
    material = recordings(options.speech, speech=True)
    _compare(transcriber, material, options.runs)
    silent = recordings(options.speech, speech=False)
    heard = {each.name: text for each in silent if (text := transcriber.transcribe(each.audio).text)}
    print(f"without speech: {len(silent) - len(heard)} of {len(silent)} give nothing {heard or ''}")
    _captions(transcriber, material, options.step)
    print(f"memory {_memory_mb():.0f} MB")


def _compare(transcriber: FasterWhisperTranscriber, material: list[Recording], runs: int) -> None:
    ears: dict[str, Ear] = {"ours": _ours(transcriber), "plain": _plain(transcriber._model)}
    wall: dict[str, list[float]] = defaultdict(list)
    cpu: dict[str, list[float]] = defaultdict(list)
    wrong: Counter[tuple[str, str]] = Counter()
    said: Counter[str] = Counter()
    detected: Counter[str] = Counter()
    print(f"{'recording':32}{'s':>6}{'ours s':>9}{'plain s':>9}{'ours cpu':>10}{'plain cpu':>10}  errors")
    for recording in material:
        row = _measure(recording, ears, runs)
        said[recording.language] += row.words
        for ear in ears:
            wall[ear].append(row.wall[ear])
            cpu[ear].append(row.cpu[ear])
            wrong[ear, recording.language] += row.errors[ear]
            detected[ear] += row.languages[ear] == recording.language
        print(
            f"{recording.name:32}{recording.audio.size / RATE:6.1f}"
            f"{row.wall['ours']:9.3f}{row.wall['plain']:9.3f}"
            f"{row.cpu['ours']:10.3f}{row.cpu['plain']:10.3f}  {row.errors['ours']}/{row.errors['plain']}"
        )
    for ear in ears:
        print(
            f"{ear}: median {statistics.median(wall[ear]):.3f} s, sum {sum(wall[ear]):.2f} s, "
            f"CPU {sum(cpu[ear]):.2f} s; language detected {detected[ear]} of {len(material)}"
        )
        for group, (languages, most) in GROUPS.items():
            mistakes = sum(wrong[ear, language] for language in languages)
            count = sum(said[language] for language in languages)
            if count:
                print(f"  {group:22} {mistakes:3}/{count:<4} {mistakes / count:6.1%} (at most {most:.1%})")
    print(
        f"ours / plain: wall {sum(wall['ours']) / sum(wall['plain']):.2f}, "
        f"CPU {sum(cpu['ours']) / sum(cpu['plain']):.2f} (at most {MAX_RATIO})"
    )


def _captions(transcriber: FasterWhisperTranscriber, material: list[Recording], step_s: float) -> None:
    """Draft every recording as if it were being spoken."""
    updates = changes = words = 0
    drafting: list[float] = []
    finals: list[float] = []
    for recording in material:
        captions, stable = CaptionStabilizer(), ""
        step = int(step_s * RATE)
        for end in range(step, recording.audio.size + 1, step):
            started = time.perf_counter()
            draft = transcriber.draft(recording.audio[:end])
            drafting.append(time.perf_counter() - started)
            partial = captions.update(draft)
            updates += 1
            changes += not partial.text.startswith(stable)
            stable = partial.text[: partial.stable]
            words += len(words_of(partial.text[partial.stable :]))
        finals.append(transcriber.transcribe(recording.audio).elapsed_s)
    print(
        f"captions every {step_s} s: {updates} updates, stable part changed in {changes} "
        f"({changes / updates:.1%}), {words / updates:.1f} words not stable on average; a draft takes "
        f"{statistics.mean(drafting):.3f} s, a final {statistics.mean(finals):.3f} s"
    )


class _Row:
    def __init__(self) -> None:
        self.wall: dict[str, float] = {}
        self.cpu: dict[str, float] = {}
        self.errors: dict[str, int] = {}
        self.languages: dict[str, str] = {}
        self.words = 0


def _measure(recording: Recording, ears: dict[str, Ear], runs: int) -> _Row:
    row = _Row()
    wall: dict[str, list[float]] = defaultdict(list)
    cpu: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        for name, ear in ears.items():
            started, cpu_started = time.perf_counter(), time.process_time()
            text, row.languages[name] = ear(recording)
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
