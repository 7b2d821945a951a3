"""Which benchmark runs."""

from __future__ import annotations

import argparse

from s2s_desktop.settings.paths import Paths
from s2s_desktop.settings.schema import Settings


async def bench(options: argparse.Namespace, settings: Settings, paths: Paths) -> int:
    """Run a benchmark and return its exit code."""
    match options.what:
        case "latency":
            from s2s_desktop.cli.bench.latency import latency

            return await latency(options, settings, paths)
        case "stt":
            from s2s_desktop.cli.bench.stages import stt

            return await stt(options, settings, paths)
        case "tts":
            from s2s_desktop.cli.bench.stages import tts

            return await tts(options, settings, paths)
        case "idle":
            from s2s_desktop.cli.bench.idle import idle

            return await idle(options, settings, paths)
    raise AssertionError(options.what)
