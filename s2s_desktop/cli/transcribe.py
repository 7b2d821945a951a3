"""`s2s-desktop transcribe`: speech recognition alone."""

from __future__ import annotations

import argparse

from s2s_desktop.audio.sound_file import read_wav
from s2s_desktop.cli import output
from s2s_desktop.engine.engine import Engine
from s2s_desktop.engine.part import Part
from s2s_desktop.errors import AssistantError
from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings


async def transcribe(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Run the command and return its exit code: 1 when any file could not be transcribed."""
    engine = Engine(settings, paths, parts={Part.HEARING})
    files: list[dict[str, object]] = []
    failed = False
    try:
        await engine.prepare(output.download_progress(quiet=options.json))
        for path in options.file:
            try:
                audio = read_wav(path)
                transcript = await engine.transcribe(audio)
            except AssistantError as error:
                failed = True
                files.append({"file": str(path), "error": output.error_document(error)})
                output.explain(error.message)
                continue
            files.append(
                {
                    "file": str(path),
                    "text": transcript.text,
                    "language": transcript.language,
                    "seconds": round(transcript.seconds, 3),
                    "elapsed_s": round(transcript.elapsed_s, 3),
                }
            )
            if not options.json:
                output.say(transcript.text if len(options.file) == 1 else f"{path}: {transcript.text}")
    finally:
        await engine.close()
    if options.json:
        output.print_json({"files": files})
    return 1 if failed else 0
