"""Parses the command line and runs the command."""

from __future__ import annotations

import argparse
import asyncio
import logging
import multiprocessing
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from s2s_desktop import __version__
from s2s_desktop.cli import output
from s2s_desktop.cli.self_test.command import SELF_TEST_ARGUMENT, self_test
from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.builtin.child import CHILD_ARGUMENT, run_child
from s2s_desktop.llm.redaction import RedactingFilter
from s2s_desktop.runtime import crash_log
from s2s_desktop.runtime.crash_log import CrashLog
from s2s_desktop.settings import file as settings_file
from s2s_desktop.settings import overrides
from s2s_desktop.settings.argument_parser import ArgumentParser
from s2s_desktop.settings.environment import Environment
from s2s_desktop.settings.paths import Paths, find_paths
from s2s_desktop.settings.schema import Settings

Command = Callable[[argparse.Namespace, Settings, Paths], Coroutine[Any, Any, int]]

_INTERRUPTED = 130
"""What a shell reports for a program that Ctrl+C ended: 128 + SIGINT."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `s2s-desktop` and return its exit code: 0 only on success."""
    multiprocessing.freeze_support()
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments[:1] == [CHILD_ARGUMENT]:
        return run_child()
    if arguments[:1] == [SELF_TEST_ARGUMENT]:
        return self_test(arguments[1:], find_paths())
    options = _parser().parse_args(arguments)
    paths = find_paths()
    log = _start_logging(paths)
    try:
        return _run(options, paths)
    except AssistantError as error:
        if getattr(options, "json", False):
            output.print_json({"error": output.error_document(error)})
        output.explain(error.message)
        return 1
    except KeyboardInterrupt:
        return _INTERRUPTED
    finally:
        log.close()


def _run(options: argparse.Namespace, paths: Paths) -> int:
    loaded = settings_file.load(paths.settings_file)
    settings, notices = overrides.apply(loaded.settings, options)
    notices = [*loaded.notices, *notices]
    if options.command is None and options.toggle_mic:
        return _toggle_microphone(paths)
    if options.command is None:
        from s2s_desktop.app import open_window

        return open_window(settings, paths, notices, options.quit_after)
    for notice in notices:
        output.explain(notice)
    return asyncio.run(_command(options.command)(options, settings, paths))


def _toggle_microphone(paths: Paths) -> int:
    from s2s_desktop.runtime.single_instance import RemoteCommand, ask_running

    if ask_running(paths, RemoteCommand.TOGGLE_MIC):
        return 0
    output.explain("S2S Desktop is not running. Start it first.")
    return 1


def _command(name: str) -> Command:
    """Import only the command that runs: each brings its own engines."""
    match name:
        case "talk":
            from s2s_desktop.cli.talk import talk

            return talk
        case "ask":
            from s2s_desktop.cli.ask import ask

            return ask
        case "transcribe":
            from s2s_desktop.cli.transcribe import transcribe

            return transcribe
        case "say":
            from s2s_desktop.cli.say import say

            return say
        case "models":
            from s2s_desktop.cli.models import models

            return models
        case "bench":
            from s2s_desktop.cli.bench.command import bench

            return bench
        case "doctor":
            from s2s_desktop.cli.doctor import doctor

            return doctor
    raise AssertionError(name)


def _start_logging(paths: Paths) -> CrashLog:
    log = crash_log.install(paths.logs, [RedactingFilter()])
    level, problem = Environment().log_level()
    logging.getLogger("s2s_desktop").setLevel(level)
    if problem:
        output.explain(problem)
    return log


def _parser() -> ArgumentParser:
    common = ArgumentParser(add_help=False)
    overrides.add_arguments(common)
    json_output = ArgumentParser(add_help=False)
    json_output.add_argument("--json", action="store_true", help="print one JSON document on stdout")

    parser = ArgumentParser(
        prog="s2s-desktop",
        description="Talk with a language model. Without a command the window opens.",
        epilog=f"{SELF_TEST_ARGUMENT} as the first argument checks whether this installation is complete.",
        parents=[common],
    )
    parser.add_argument("--version", action="version", version=f"s2s-desktop {__version__}")
    parser.add_argument(
        "--quit-after", type=float, metavar="SECONDS", help="close the window by itself (for smoke tests)"
    )
    parser.add_argument(
        "--toggle-mic", action="store_true", help="press the microphone button of the running window"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=ArgumentParser)

    talk = commands.add_parser(
        "talk", parents=[common, json_output], help="hold a spoken conversation from sound files"
    )
    talk.add_argument("--input", type=Path, action="append", required=True, metavar="WAV", help="a question")
    talk.add_argument("--output", type=Path, metavar="WAV", help="where to write the spoken replies")
    talk.add_argument("--fast", action="store_true", help="do not play the files in real time")

    ask = commands.add_parser("ask", parents=[common, json_output], help="ask by typing")
    ask.add_argument("text", metavar="TEXT", help="the question")
    ask.add_argument("--no-tools", action="store_true", help="report tool calls instead of running them")

    transcribe = commands.add_parser(
        "transcribe", parents=[common, json_output], help="turn speech into text"
    )
    transcribe.add_argument("file", type=Path, nargs="+", metavar="FILE", help="a sound file")

    say = commands.add_parser("say", parents=[common, json_output], help="turn text into speech")
    say.add_argument("text", metavar="TEXT", help="what to say")
    say.add_argument("-o", "--output", type=Path, required=True, metavar="WAV", help="where to write it")

    models = commands.add_parser("models", parents=[common, json_output], help="look after the model files")
    models.add_argument("action", choices=["list", "get", "verify", "remove"])
    models.add_argument("name", nargs="*", help="models of the list; none means those that are in use")

    bench = commands.add_parser("bench", parents=[common, json_output], help="say how fast this computer is")
    bench.add_argument("what", choices=["latency", "stt", "tts", "idle"])
    bench.add_argument("--input", type=Path, action="append", metavar="WAV", help="a question; else our own")
    bench.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each is measured")

    commands.add_parser("doctor", parents=[common, json_output], help="say what works on this computer")
    return parser
