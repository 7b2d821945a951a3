"""Voice-to-voice of S2S Desktop and of pipecat, with the same models, in one run.

    python -m venv PIPECAT
    PIPECAT/bin/pip install "pipecat-ai[silero,whisper,kokoro,openai]==1.14.0"
    python tests/benchmarks/bench_beside_pipecat.py PIPECAT/bin/python QUESTION.wav ... [--rounds 2]

Needs the built-in models (`s2s-desktop models get`). The programs take turns, question by question, and hear
each at the speed of a microphone with the same quiet behind it. Voice-to-voice is from the last sound of a
question (see cli/bench/probes.py) to the first sound of its reply. Both have answered once before anything
counts.

The same for both: the files of Whisper (int8), Kokoro and its voice, the running llama.cpp server, prompt,
examples and sampling of its requests, and all cores. Silero VAD and Smart Turn v3.2 come with each of them.
pipecat is left at its defaults (see pipecat_conversation.py), among them English as the only language, which
S2S Desktop has to detect. Next to each other the programs are asked different questions: neither shall find
the words of the other in the prompt cache of the server.

Prints one JSON document. A question is cut off when it became more than one turn or its reply began before
its end; the latter is no latency. `waiting` is what the program that was not being asked took of one core,
`others` of each answer what programs that do not belong here took of all cores meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from s2s_desktop.audio.protocol import PIPELINE_RATE
from s2s_desktop.audio.sound_file import read_wav, write_wav
from s2s_desktop.cli.bench import figures
from s2s_desktop.cli.bench.latency import TRAILING_SILENCE_S, Stopwatch
from s2s_desktop.cli.bench.probes import TimedSink, end_of_speech
from s2s_desktop.conversation.events import Event, TurnFailed
from s2s_desktop.engine import build
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.engine.sound import whisper_folder
from s2s_desktop.llm.events import AssistantMessage
from s2s_desktop.llm.history.serialize import chat_messages
from s2s_desktop.models.store import ModelStore
from s2s_desktop.settings.paths import Paths, find_paths
from s2s_desktop.settings.schema import Settings
from s2s_desktop.tts.voices import load_style

COMPUTE_TYPE = "int8"
PROGRAMS = ("s2s_desktop", "pipecat")

Answer = dict[str, Any]
"""`voice_to_voice` (None without a reply), `turns`, `transcript`, `reply`, `steps`, ..."""


class Pipecat:
    """The other program: started and asked through its standard input and output."""

    def __init__(self, python: str, given: dict[str, object]) -> None:
        program = Path(__file__).with_name("pipecat_conversation.py")
        self._child = subprocess.Popen(
            [python, str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.process = psutil.Process(self._child.pid)
        self.about = self._exchange(given)

    async def ask(self, question: Question) -> Answer:
        """Ask one question and return when its reply has been heard."""
        asked = {
            "file": str(question.sound),
            "speech_ends_at": question.ends_at,
            "quiet": TRAILING_SILENCE_S,
        }
        return await asyncio.to_thread(self._exchange, asked)

    def close(self) -> None:
        """Let it end."""
        assert self._child.stdin is not None
        self._child.stdin.close()
        self._child.wait()

    def _exchange(self, request: dict[str, object]) -> Answer:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        print(json.dumps(request), file=self._child.stdin, flush=True)
        line = self._child.stdout.readline()
        if not line:
            raise SystemExit("pipecat has ended; what it says is above")
        answer: Answer = json.loads(line)
        return answer


class Question:
    """A recording as both are given it: 16 kHz mono, in `folder`."""

    def __init__(self, path: Path, folder: Path) -> None:
        samples = read_wav(path)
        self.sound = folder / path.name
        self.ends_at = end_of_speech(samples) / PIPELINE_RATE
        write_wav(self.sound, samples, PIPELINE_RATE)


async def beside(python: str, files: Sequence[Path], rounds: int) -> dict[str, object]:
    """Ask both programs and return what the run found."""
    settings, paths, sink = Settings(), find_paths(), TimedSink()
    settings.speech.stt_compute_type = COMPUTE_TYPE
    engine = Engine(settings, paths, parts=set(Part), sink=sink)
    document: dict[str, object] = {"machine": figures.machine()}
    pipecat: Pipecat | None = None
    with tempfile.TemporaryDirectory() as folder:
        questions = [Question(file, Path(folder)) for file in files]
        try:
            await engine.prepare()
            sink.start()
            pipecat = Pipecat(python, await _same_models(engine, settings, paths, Path(folder)))
            both = BothPrograms(engine, sink, pipecat)
            await both.ask(questions[0], questions[0])
            both.forget()
            for _ in range(rounds):
                for ours, theirs in zip(questions, questions[-1:] + questions[:-1], strict=True):
                    await both.ask(ours, theirs)
            document |= {"pipecat": pipecat.about, "waiting": both.waiting(), **_compare(both.answers)}
        finally:
            if pipecat is not None:
                pipecat.close()
            await engine.close()
    return document


class BothPrograms:
    """Asks one program after the other and looks who takes how much of the processor meanwhile."""

    def __init__(self, engine: Engine, sink: TimedSink, pipecat: Pipecat) -> None:
        self._stopwatch = Stopwatch(engine, sink)
        self._pipecat = pipecat
        self._reply = ""
        engine.session.add_observer(self._observe)
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.answers: list[Answer] = []
        self._waited: dict[str, list[float]] = defaultdict(list)

    async def ask(self, ours: Question, theirs: Question) -> None:
        """Ask each program its question."""
        before, self._reply = self._used(), ""
        measured = await self._stopwatch.ask(ours.sound)
        answer = {
            "voice_to_voice": measured.voice_to_voice,
            "turns": measured.turns,
            "reopened": measured.reopened,
            "transcript": measured.transcript,
            "reply": self._reply,
            "steps": asdict(measured.metrics),
        }
        self._note("s2s_desktop", ours, answer, before, waited="pipecat")
        before = self._used()
        answer = await self._pipecat.ask(theirs)
        self._note("pipecat", theirs, answer, before, waited="s2s_desktop")

    def waiting(self) -> dict[str, float]:
        """Return which share of a core each program took while the other one was asked."""
        return {program: round(statistics.mean(shares), 4) for program, shares in self._waited.items()}

    def _note(
        self, program: str, question: Question, answer: Answer, before: dict[str, float], waited: str
    ) -> None:
        after = self._used()
        took = {name: (after[name] - before[name]) / (after["clock"] - before["clock"]) for name in after}
        self._waited[waited].append(took[waited])
        others = round(max(0.0, took["all"] - took["ours"]), 2)
        self.answers.append({"program": program, "file": question.sound.name, "others": others, **answer})

    def _used(self) -> dict[str, float]:
        """Return seconds by now: of the clock, and of CPU by program, by all of this run, by everybody."""
        this, machine = psutil.Process(), psutil.cpu_times()
        return {
            "clock": time.monotonic(),
            "s2s_desktop": _cpu(this),
            "pipecat": _cpu(self._pipecat.process),
            "ours": sum(_cpu(process) for process in (this, *this.children(recursive=True))),
            "all": machine.user + machine.system + getattr(machine, "nice", 0.0),
        }

    def _observe(self, turn: object, event: Event) -> None:
        match event:
            case AssistantMessage(content):
                self._reply += content
            case TurnFailed(error):
                print(f"{error.message} ({error.details})", file=sys.stderr)
            case _:
                pass


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


async def _same_models(engine: Engine, settings: Settings, paths: Paths, folder: Path) -> dict[str, object]:
    """Return what pipecat needs to know to use what the engine uses."""
    stages, speech = engine.session.stages, settings.speech
    assert stages.language_model is not None
    asked = (await stages.language_model.backend()).config
    store = ModelStore(paths)
    voices = folder / "voices.npz"
    np.savez(voices, **{speech.voice: load_style(speech.voice)})  # type: ignore[arg-type]
    system, *examples, _ = chat_messages(build.warm_up_items(settings))
    return {
        "whisper": str(await whisper_folder(speech.stt_model, store)),
        "compute_type": COMPUTE_TYPE,
        "kokoro": str(store.file("kokoro-82m", "kokoro-v1.0.int8.onnx")),
        "voices": str(voices),
        "voice": speech.voice,
        "base_url": asked.base_url,
        "api_key": asked.api_key,
        "model": asked.model,
        "temperature": asked.temperature,
        "max_tokens": asked.max_output_tokens,
        "extra_body": dict(asked.extra_body),
        "system": system["content"],
        "examples": examples,
    }


def _compare(answers: Sequence[Answer]) -> dict[str, object]:
    found: dict[str, dict[str, list[float]]] = {program: defaultdict(list) for program in PROGRAMS}
    steps: dict[str, dict[str, list[float]]] = {program: defaultdict(list) for program in PROGRAMS}
    for answer in answers:
        program, seconds = answer["program"], answer["voice_to_voice"]
        if seconds is None or seconds < 0:
            continue
        found[program][answer["file"]].append(round(seconds, 4))
        for step, taken in answer["steps"].items():
            if taken is not None:
                steps[program][step].append(taken)
    summaries = {
        program: figures.summary([each for heard in files.values() for each in heard])
        for program, files in found.items()
    }
    ours, theirs = (summaries[program] for program in PROGRAMS)
    return {
        "voice_to_voice": summaries,
        "ratio": {
            key: round(ours[key] / theirs[key], 3)
            for key in ("median", "p95")
            if ours["count"] and theirs["count"]
        },
        "questions": {
            file: {program: found[program][file] for program in PROGRAMS}
            for file in sorted({answer["file"] for answer in answers})
        },
        "cut_off": Counter(each["program"] for each in answers if _is_cut_off(each)),
        "unanswered": Counter(each["program"] for each in answers if each["voice_to_voice"] is None),
        "steps": {
            program: {step: round(statistics.median(taken), 4) for step, taken in of_program.items()}
            for program, of_program in steps.items()
        },
        "answers": list(answers),
    }


def _is_cut_off(answer: Answer) -> bool:
    return answer["turns"] > 1 or (answer["voice_to_voice"] or 0.0) < 0


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("python", help="the Python that has pipecat")
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    document = asyncio.run(beside(options.python, options.questions, options.rounds))
    json.dump(document, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
