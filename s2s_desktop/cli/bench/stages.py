"""`bench stt` and `bench tts`: one stage at a time."""

from __future__ import annotations

import argparse
import time
from functools import partial

from s2s_desktop.audio.sound_file import read_wav
from s2s_desktop.audio.wav_file import WavSink
from s2s_desktop.cli import output
from s2s_desktop.cli.bench import figures
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.resources import resource_path
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings
from s2s_desktop.tts.protocol import Synthesizer

SENTENCES = (
    "Sure.",
    "The capital of France is Paris.",
    "It will be mild and mostly dry today, with a light wind.",
    "If you leave before eight, the train takes forty minutes, but later in the morning it takes an hour.",
)
"""A word, a short sentence, twelve words, and a long sentence."""


async def stt(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Transcribe files over and over; returns the exit code."""
    files = options.input or [resource_path("audio/sample_question.wav")]
    engine = Engine(settings, paths, parts={Part.HEARING})
    document: dict[str, object] = {"machine": figures.machine()}
    try:
        await engine.prepare(output.download_progress(quiet=options.json))
        times: list[float] = []
        shares: list[float] = []
        for _ in range(options.rounds):
            for file in files:
                transcript = await engine.transcribe(read_wav(file))
                times.append(transcript.elapsed_s)
                shares.append(transcript.elapsed_s / max(transcript.seconds, 0.001))
    finally:
        await engine.close()
    document["transcription"] = figures.summary(times)
    document["share_of_real_time"] = figures.summary(shares)
    _tell(options, document)
    return 0


async def tts(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Speak sentences over and over; returns the exit code."""
    sink = WavSink(None, realtime=False)
    engine = Engine(settings, paths, parts={Part.VOICE}, sink=sink)
    document: dict[str, object] = {"machine": figures.machine()}
    try:
        await engine.prepare(output.download_progress(quiet=options.json))
        stages = engine.session.stages
        voice = stages.synthesizer
        if voice is None:
            raise AssistantError(ErrorKind.MODEL_MISSING, "The voice is not ready.")
        for sentence in SENTENCES:
            first: list[float] = []
            shares: list[float] = []
            for _ in range(options.rounds):
                began = time.perf_counter()
                at_once, seconds = await stages.tts_worker.run(partial(_speak, voice, sentence))
                first.append(at_once)
                shares.append((time.perf_counter() - began) / seconds)
            words = len(sentence.split())
            document[f"first_audio_of_{words}_words"] = figures.summary(first)
            document[f"share_of_real_time_{words}_words"] = figures.summary(shares)
    finally:
        await engine.close()
    _tell(options, document)
    return 0


def _speak(voice: Synthesizer, sentence: str) -> tuple[float, float]:
    """Return the seconds to the first sound of a sentence, and how long the whole sounds."""
    began, first, seconds = time.perf_counter(), 0.0, 0.0
    for chunk in voice.synthesize(sentence):
        first = first or time.perf_counter() - began
        seconds += chunk.samples.size / chunk.sample_rate
    return first, seconds


def _tell(options: argparse.Namespace, document: dict[str, object]) -> None:
    if options.json:
        output.print_json(document)
        return
    for name, values in document.items():
        if isinstance(values, dict) and "median" in values:
            unit = "×" if name.startswith("share") else "s"
            output.say(figures.line(name.replace("_", " "), values, unit))
