"""Text-to-speech: our voice against plain kokoro-onnx and, where it is installed, against fastkokoro.

    python tests/benchmarks/bench_tts.py MODEL.onnx [--runs 5] [--threads 2] [--only "12 words"]
        [--fastkokoro PYTHON]

All speak the same texts in turn within one run, with the same model file, because other work on the machine
changes from run to run. CPU seconds tell more than wall-clock seconds on a shared machine. PYTHON is the
interpreter of an environment with `fastkokoro` and `onnxruntime`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import re
import statistics
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import psutil

from s2s_desktop.audio.wav_file import WavSink
from s2s_desktop.conversation.job_gate import JobGate
from s2s_desktop.conversation.speaking import Speaking
from s2s_desktop.runtime.workers import SerialWorker
from s2s_desktop.tts.clauses import ClauseSplitter
from s2s_desktop.tts.kokoro.model import SAMPLE_RATE
from s2s_desktop.tts.kokoro_onnx import KokoroSynthesizer
from s2s_desktop.tts.speakable_text import SpeakableText
from s2s_desktop.tts.voices import DEFAULT_VOICE, load_style

TEXTS = {
    "1 word": "Sure.",
    "5 words": "The weather is lovely today.",
    "12 words": "She bought three apples and a loaf of bread at the market.",
    "26 words": "The weather looks nice today, so let us go out for a long walk in the park, and then we can "
    "have some coffee near the river.",
}
REPLY = "We could start with a short walk along the river. " * 20
WORDS_A_SECOND = 30.0
"""Of a language model that streams about 40 tokens a second."""
LONGEST = "and then we went on and on " * 20

Measured = dict[str, float]
"""Seconds to the first and the last sound, of CPU, and of sound."""

Speak = Callable[[str], Measured]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("--only", choices=TEXTS, help="speak one of the texts only")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--fastkokoro", metavar="PYTHON", default="")
    options = parser.parse_args()
    print(
        f"{platform.processor() or platform.machine()}, {psutil.cpu_count(logical=False)} cores, "
        f"load {psutil.getloadavg()[0]:.1f}, {platform.system()}, Python {platform.python_version()}"
    )
    before = _memory_mb()
    voice = KokoroSynthesizer(options.model, threads=options.threads)
    started = time.perf_counter()
    voice.load()
    print(f"load {time.perf_counter() - started:.2f} s, +{_memory_mb() - before:.0f} MB")
    with tempfile.TemporaryDirectory() as folder:
        voices = Path(folder) / "voices.npz"
        np.savez(voices, **{DEFAULT_VOICE: load_style(DEFAULT_VOICE)})
        speakers = {"ours": _ours(voice), "plain": _plain(options.model, voices, options.threads)}
        if options.fastkokoro:
            speakers["fastkokoro"] = _fastkokoro(options.fastkokoro, options.model, voices)
        else:
            print("fastkokoro is left out: give the Python that has it with --fastkokoro")
        _compare(speakers, options.runs, [options.only] if options.only else list(TEXTS))
    _compare_lengths(voice, options.runs)
    settled = _memory_mb()
    list(voice.synthesize(LONGEST))
    print(f"memory {settled:.0f} MB, behind a clause of {len(LONGEST)} characters {_memory_mb():.0f} MB")


def _compare(speakers: dict[str, Speak], runs: int, names: Sequence[str]) -> None:
    print(f"{'text':10}{'':12}{'first s':>9}{'whole s':>9}{'CPU s':>8}{'sound s':>9}  first and CPU of plain")
    for name in names:
        measured: dict[str, list[Measured]] = defaultdict(list)
        for _ in range(runs):
            for speaker, speak in speakers.items():
                measured[speaker].append(speak(TEXTS[name]))
        medians = {
            speaker: {key: statistics.median(run[key] for run in all_runs) for key in all_runs[0]}
            for speaker, all_runs in measured.items()
        }
        plain = medians["plain"]
        for speaker, row in medians.items():
            print(
                f"{name:10}{speaker:12}{row['first']:9.3f}{row['whole']:9.3f}{row['cpu']:8.2f}{row['sound']:9.2f}"
                f"  {row['first'] / plain['first']:.2f} {row['cpu'] / plain['cpu']:.2f}"
            )


def _compare_lengths(voice: KokoroSynthesizer, runs: int) -> None:
    """Time to the first sound of a reply as the conversation speaks it, in turn of one sentence and of 20.

    The words of the reply come all at once or, as from a language model, one after the other; the time counts
    from the first of them.
    """
    first_sentence = REPLY[: REPLY.index(".") + 1]
    for name, pause_s in (("at once", 0.0), (f"{WORDS_A_SECOND:.0f} words/s", 1 / WORDS_A_SECOND)):
        one, twenty = [], []
        for _ in range(runs):
            one.append(asyncio.run(_first_sound(voice, first_sentence, pause_s)))
            twenty.append(asyncio.run(_first_sound(voice, REPLY, pause_s)))
        wall = statistics.median(long[0] / short[0] for short, long in zip(one, twenty, strict=True))
        cpu = statistics.median(long[1] / short[1] for short, long in zip(one, twenty, strict=True))
        medians = [statistics.median(seconds for seconds, _ in each) for each in (one, twenty)]
        print(
            f"reply {name}: first sound of 1 sentence {medians[0]:.3f} s, of 20 {medians[1]:.3f} s, "
            f"median of {runs} ratios {wall:.2f}, of CPU seconds {cpu:.2f}"
        )


async def _first_sound(voice: KokoroSynthesizer, text: str, pause_s: float) -> tuple[float, float]:
    """Return the seconds, and those of CPU, from the first word of a reply to its first sound."""
    heard = asyncio.Event()
    decided = asyncio.Event()
    decided.set()
    worker, gate, sink = SerialWorker("voice"), JobGate(), WavSink()
    sink.start()
    speaking = Speaking(
        synthesizer=voice,
        worker=worker,
        gate=gate,
        sink=sink,
        speakable=SpeakableText(),
        clauses=ClauseSplitter(),
        language=None,
        heard_language="",
        decided=decided,
        on_made=lambda: None,
        on_voice=lambda chunk: heard.set(),
        on_heard=lambda text: None,
    )
    started, cpu_started = time.perf_counter(), time.process_time()
    running = asyncio.ensure_future(speaking.run())
    reply = asyncio.ensure_future(_write(speaking, text, pause_s))
    await heard.wait()
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu_started
    for task in (running, reply):
        task.cancel()
    await asyncio.gather(running, reply, return_exceptions=True)
    # The piece that is being made runs to its end: the next measurement must not wait for it.
    await worker.run(lambda: None)
    worker.close()
    sink.stop()
    return seconds, cpu


async def _write(speaking: Speaking, text: str, pause_s: float) -> None:
    words = re.findall(r"\s*\S+", text)
    for word in words if pause_s else [text]:
        speaking.say(word)
        await asyncio.sleep(pause_s)
    speaking.finish()


def _ours(voice: KokoroSynthesizer) -> Speak:
    def speak(text: str) -> Measured:
        started, cpu_started = time.perf_counter(), time.process_time()
        first, samples = 0.0, 0
        for chunk in voice.synthesize(text):
            first = first or time.perf_counter() - started
            samples += chunk.samples.size
        return _measured(started, cpu_started, first, samples)

    return speak


def _plain(model: Path, voices: Path, threads: int) -> Speak:
    import onnxruntime
    from kokoro_onnx import Kokoro

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    kokoro = Kokoro.from_session(session, str(voices))
    kokoro.create("Hello.", DEFAULT_VOICE)

    def speak(text: str) -> Measured:
        started, cpu_started = time.perf_counter(), time.process_time()
        samples, _ = kokoro.create(text, DEFAULT_VOICE)
        return _measured(started, cpu_started, time.perf_counter() - started, len(samples))

    return speak


def _fastkokoro(python: str, model: Path, voices: Path) -> Speak:
    program = Path(__file__).with_name("other_voice.py")
    child = subprocess.Popen(
        [python, str(program), "fastkokoro", str(model), str(voices), DEFAULT_VOICE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    if child.stdout.readline().strip() != "ready":
        raise SystemExit(f"fastkokoro does not start with {python}; what it says is above")
    requests, answers = child.stdin, child.stdout

    def speak(text: str) -> Measured:
        print(text, file=requests, flush=True)
        answer: Measured = json.loads(answers.readline())
        return answer

    speak("Hello.")
    return speak


def _measured(started: float, cpu_started: float, first: float, samples: int) -> Measured:
    return {
        "first": first,
        "whole": time.perf_counter() - started,
        "cpu": time.process_time() - cpu_started,
        "sound": samples / SAMPLE_RATE,
    }


def _memory_mb() -> float:
    return psutil.Process().memory_info().rss / 1e6


if __name__ == "__main__":
    main()
