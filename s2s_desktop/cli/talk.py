"""`s2s-desktop talk`: spoken turns from files through the whole pipeline."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
from pathlib import Path

from s2s_desktop.audio.wav_file import WavSink, WavSource
from s2s_desktop.cli import output
from s2s_desktop.cli.ask import TypedTurn
from s2s_desktop.conversation.events import (
    Event,
    FinalTranscript,
    MicrophoneChanged,
    SpeechSegment,
    TurnFinished,
    TurnId,
    TurnMetrics,
)
from s2s_desktop.conversation.session import Session
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings

TRAILING_SILENCE_S = 4.0
"""Silence behind each file: longer than any pause before reply, so that the pause decides the last turn."""


class SpokenTurn(TypedTurn):
    """Collects one spoken turn."""

    def __init__(self, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self.transcript = ""
        self.metrics = TurnMetrics()

    def observe(self, turn: TurnId | None, event: Event) -> None:
        """Take an event of the session."""
        super().observe(turn, event)
        match event:
            case FinalTranscript(text):
                self.transcript = text
                if not self._quiet:
                    output.say(f"You:       {text or '(nothing was said)'}")
                    if text:
                        output.say("Assistant: ", end="")
            case TurnFinished(metrics):
                self.metrics = metrics
                if not self._quiet:
                    output.say(f"           {describe(metrics)}")
            case _:
                pass

    def document(self) -> dict[str, object]:
        """Return the turn as `--json` shows it."""
        typed = super().document()
        return {
            "transcript": self.transcript,
            "reply": typed["text"],
            "state": "error" if self.error is not None else "listening",
            "error": typed["error"],
            "finish_reason": typed["finish_reason"],
            "usage": typed["usage"],
            "tool_calls": typed["tool_calls"],
            "metrics": dataclasses.asdict(self.metrics),
        }


class SpokenTurns:
    """Collects the spoken turns of a session and knows when its microphone has closed."""

    def __init__(self, *, quiet: bool) -> None:
        self.turns: dict[TurnId, SpokenTurn] = {}
        self.microphone_closed = asyncio.Event()
        self.problem = ""
        self._quiet = quiet

    def observe(self, turn: TurnId | None, event: Event) -> None:
        """Take an event of the session."""
        match event:
            case MicrophoneChanged(on, problem):
                self.problem = self.problem or problem
                if not on:
                    self.microphone_closed.set()
            case SpeechSegment() if turn is not None:
                self.turns[turn] = SpokenTurn(quiet=self._quiet)
            case _ if turn in self.turns:
                self.turns[turn].observe(turn, event)
            case _:
                pass


def describe(metrics: TurnMetrics) -> str:
    """Return the timings of a turn as a line for people."""
    names = {
        "end_of_turn": "pause",
        "stt_final": "transcript",
        "llm_first_token": "first token",
        "tts_first_audio": "first voice",
        "voice_to_voice": "voice to voice",
    }
    values = dataclasses.asdict(metrics)
    known = [f"{label} {values[field]:.2f} s" for field, label in names.items() if values[field] is not None]
    return "after you stopped: " + ", ".join(known) if known else ""


async def talk(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Run the command and return its exit code."""
    turns = SpokenTurns(quiet=options.json)
    sink = WavSink(options.output, realtime=not options.fast)
    engine = Engine(settings, paths, parts=set(Part), sink=sink)
    failure: AssistantError | None = None
    try:
        try:
            engine.session.add_observer(turns.observe)
            await engine.prepare(output.download_progress(quiet=options.json))
            sink.start()
            for path in options.input:
                await _hear(engine.session, turns, path, fast=options.fast)
        finally:
            await engine.close()
    except AssistantError as error:
        failure = error
    if options.json:
        document: dict[str, object] = {"turns": [turn.document() for turn in turns.turns.values()]}
        if failure is not None:
            document["error"] = output.error_document(failure)
        output.print_json(document)
    failures = [turn.error for turn in turns.turns.values() if turn.error is not None]
    for each in failures if failure is None else [failure, *failures]:
        output.explain(each.message)
    if failure is None and not turns.turns:
        output.explain("No speech was heard.")
    return 1 if failure is not None or failures else 0


async def _hear(session: Session, turns: SpokenTurns, path: Path, *, fast: bool) -> None:
    source = WavSource(path, realtime=not fast, trailing_silence_s=TRAILING_SILENCE_S)
    session.stages.make_source = lambda: source
    turns.microphone_closed.clear()
    session.set_microphone(True)
    await turns.microphone_closed.wait()
    if turns.problem:
        raise AssistantError(ErrorKind.DEVICE, turns.problem)
    await session.settled()
