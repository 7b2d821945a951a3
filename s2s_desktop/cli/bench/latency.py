"""`bench latency`: from the last sound of a question to the first sound of its answer, in real time."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
from collections.abc import AsyncGenerator, Iterator, Sequence
from pathlib import Path

import numpy as np

from s2s_desktop.cli import output
from s2s_desktop.cli.bench import figures
from s2s_desktop.cli.bench.probes import TimedSink, TimedSource
from s2s_desktop.conversation.events import (
    Event,
    FinalTranscript,
    MicrophoneChanged,
    TurnFinished,
    TurnId,
    TurnMetrics,
    TurnReopened,
)
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.config import BackendConfig, BackendName, ToolSpec
from s2s_desktop.llm.events import AssistantMessage, FinishReason, LLMEvent, ReplyFinished, TextDelta
from s2s_desktop.llm.items import Item
from s2s_desktop.resources import resource_path
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings
from s2s_desktop.tts.protocol import Synthesizer, VoiceChunk

TRAILING_SILENCE_S = 4.0
SHORT_REPLY = "Yes, that is right."
LONG_REPLY = " ".join([SHORT_REPLY, *("And here is one more sentence to say." for _ in range(19))])


class InstantModel:
    """Answers at once with a fixed text: what is left is what the program itself takes."""

    name: BackendName = "chat-completions"
    config = BackendConfig(model="instant")

    def __init__(self, reply: str) -> None:
        self._reply = reply

    async def backend(self) -> InstantModel:
        """Return itself."""
        return self

    async def read_ahead(self, items: Sequence[Item]) -> None:
        """Need no time to read."""

    async def reply(
        self, items: Sequence[Item], tools: Sequence[ToolSpec] = ()
    ) -> AsyncGenerator[LLMEvent, None]:
        """Give the whole reply in one piece."""
        yield TextDelta(self._reply)
        yield AssistantMessage(self._reply)
        yield ReplyFinished(FinishReason.STOP)

    async def aclose(self) -> None:
        """Have nothing to close."""


class CachedVoice:
    """Remembers what a voice has said before."""

    def __init__(self, voice: Synthesizer) -> None:
        self.name = voice.name
        self._voice = voice
        self._said: dict[str, list[VoiceChunk]] = {}

    def load(self) -> None:
        """Load the voice."""
        self._voice.load()

    def synthesize(self, text: str, language: str = "") -> Iterator[VoiceChunk]:
        """Speak, or repeat."""
        if text not in self._said:
            self._said[text] = list(self._voice.synthesize(text, language))
        yield from self._said[text]

    def close(self) -> None:
        """Free the voice."""
        self._voice.close()


@dataclasses.dataclass(slots=True)
class Measured:
    """One spoken question.

    Attributes:
        file: Its name.
        voice_to_voice: Seconds from its last to the reply's first audible sample; None without an answer.
        metrics: Where the time went, from the end of speech as the VAD heard it.
        transcript: What was understood.
        turns: Into how many turns it was cut, reopened ones counted once.
        reopened: How often a turn that had been decided went on.
    """

    file: str
    voice_to_voice: float | None = None
    metrics: TurnMetrics = dataclasses.field(default_factory=TurnMetrics)
    transcript: str = ""
    turns: int = 0
    reopened: int = 0


class Stopwatch:
    """Plays questions to an engine and takes their times."""

    def __init__(self, engine: Engine, sink: TimedSink) -> None:
        self._engine = engine
        self._sink = sink
        self._closed = asyncio.Event()
        self._now = Measured("")
        self._stops = False
        engine.session.add_observer(self._observe)

    async def ask(self, path: Path, *, to_the_end: bool = True) -> Measured:
        """Ask one question and return when its reply has been heard.

        Args:
            path: The question.
            to_the_end: False stops the reply as soon as its voice has begun.

        Raises:
            AssistantError: The file cannot be played.
        """
        source = TimedSource(path, TRAILING_SILENCE_S)
        self._engine.session.stages.make_source = lambda: source
        self._now = Measured(path.name)
        self._stops = not to_the_end
        self._sink.began_at = None
        self._closed.clear()
        self._engine.session.set_microphone(True)
        await self._closed.wait()
        await self._engine.session.settled()
        if source.ended_at is not None and self._sink.began_at is not None:
            self._now.voice_to_voice = self._sink.began_at - source.ended_at
        self._engine.session.start_over([])
        return self._now

    def _observe(self, turn: TurnId | None, event: Event) -> None:
        match event:
            case MicrophoneChanged(on=False):
                self._closed.set()
            case FinalTranscript(text):
                self._now.transcript = f"{self._now.transcript} {text}".strip()
            case VoiceChunk() if self._stops:
                self._stops = False
                self._engine.session.stop_reply()
            case TurnReopened():
                self._now.reopened += 1
                self._now.transcript = ""
            case TurnFinished(metrics):
                self._now.turns += 1
                self._now.metrics = metrics
            case _:
                pass


async def latency(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Run the benchmark; the exit code is 1 when a question was not answered."""
    files = options.input or [resource_path("audio/sample_question.wav")]
    sink = TimedSink()
    engine = Engine(settings, paths, parts=set(Part), sink=sink)
    document: dict[str, object] = {"machine": figures.machine()}
    try:
        await engine.prepare(output.download_progress(quiet=options.json))
        sink.start()
        stopwatch = Stopwatch(engine, sink)
        await stopwatch.ask(Path(files[0]))  # the first turn warms what loading did not
        rounds = [await stopwatch.ask(Path(file)) for _ in range(options.rounds) for file in files]
        document["voice_to_voice"] = figures.summary(_heard(rounds))
        document["parts"] = _parts(rounds)
        document["cut_off"] = sum(each.turns > 1 for each in rounds) / len(rounds)
        document["reopened"] = sum(each.reopened > 0 for each in rounds) / len(rounds)
        document["questions"] = [_question(each) for each in rounds]
        document.update(await _instant(engine, stopwatch, Path(files[0]), options.rounds))
    finally:
        await engine.close()
    if options.json:
        output.print_json(document)
    else:
        _explain(document)
    if len(_heard(rounds)) < len(rounds):
        raise AssistantError(
            ErrorKind.EMPTY, "Not every question was answered; the figures are of the others."
        )
    return 0


async def _instant(engine: Engine, stopwatch: Stopwatch, file: Path, rounds: int) -> dict[str, object]:
    """Measure with a model that answers at once: with a cached voice, then short against long replies."""
    stages = engine.session.stages
    voice = stages.synthesizer
    if voice is None:
        raise AssistantError(ErrorKind.MODEL_MISSING, "The voice is not ready.")
    count = max(3, rounds)
    stages.language_model = InstantModel(SHORT_REPLY)
    stages.synthesizer = CachedVoice(voice)
    await stopwatch.ask(file)
    cached = [await stopwatch.ask(file) for _ in range(count)]
    stages.synthesizer = voice
    short, long = [], []
    for _ in range(count):  # in turns, so that a busy moment touches both
        stages.language_model = InstantModel(SHORT_REPLY)
        short.append(await stopwatch.ask(file, to_the_end=False))
        stages.language_model = InstantModel(LONG_REPLY)
        long.append(await stopwatch.ask(file, to_the_end=False))
    medians = [float(np.median(_heard(each))) for each in (short, long)]
    return {
        "instant": figures.summary(_heard(cached)),
        "instant_on_top_of_the_pause": figures.summary(
            [
                each.metrics.voice_to_voice - each.metrics.end_of_turn
                for each in cached
                if each.metrics.voice_to_voice is not None and each.metrics.end_of_turn is not None
            ]
        ),
        "first_voice_of_1_sentence": figures.summary(_heard(short)),
        "first_voice_of_20_sentences": figures.summary(_heard(long)),
        "reply_length_ratio": round(medians[1] / medians[0], 3),
    }


def _heard(rounds: Sequence[Measured]) -> list[float]:
    return [each.voice_to_voice for each in rounds if each.voice_to_voice is not None]


def _parts(rounds: Sequence[Measured]) -> dict[str, object]:
    fields = [field.name for field in dataclasses.fields(TurnMetrics)]
    found = {name: [getattr(each.metrics, name) for each in rounds] for name in fields}
    return {
        name: figures.summary([value for value in values if value is not None])
        for name, values in found.items()
    }


def _question(measured: Measured) -> dict[str, object]:
    seconds = measured.voice_to_voice
    return {
        "file": measured.file,
        "voice_to_voice": None if seconds is None else round(seconds, 4),
        "turns": measured.turns,
        "reopened": measured.reopened,
        "transcript": measured.transcript,
        "metrics": dataclasses.asdict(measured.metrics),
    }


def _explain(document: dict[str, object]) -> None:
    for name, value in document.items():
        if isinstance(value, dict) and "median" in value:
            output.say(figures.line(name.replace("_", " "), value))
        elif isinstance(value, dict) and name == "parts":
            for part, values in value.items():
                output.say(figures.line(f"  {part.replace('_', ' ')}", values))
        elif isinstance(value, float):
            output.say(f"{name.replace('_', ' '):<28} {value:.3f}")
