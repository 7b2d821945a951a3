"""`s2s-desktop say`: the voice alone."""

from __future__ import annotations

import argparse
import time

from s2s_desktop.audio.wav_file import WavSink
from s2s_desktop.cli import output
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings


async def say(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Run the command and return its exit code."""
    sink = WavSink(options.output, realtime=False)
    engine = Engine(settings, paths, parts={Part.VOICE}, sink=sink)
    try:
        await engine.prepare(output.download_progress(quiet=options.json))
        sink.start()
        started = time.monotonic()
        spoken = await engine.speak(options.text)
        elapsed = time.monotonic() - started
        seconds = sink.played_seconds
    finally:
        await engine.close()
    if not seconds:
        raise AssistantError(ErrorKind.BAD_REQUEST, "There is nothing to say in that text.")
    if options.json:
        output.print_json(
            {
                "file": str(options.output),
                "spoken_text": spoken,
                "seconds": round(seconds, 3),
                "elapsed_s": round(elapsed, 3),
            }
        )
    else:
        output.say(f"{options.output}: {seconds:.1f} s of voice in {elapsed:.1f} s")
    return 0
