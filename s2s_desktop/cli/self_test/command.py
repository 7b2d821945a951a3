"""Runs the steps of the self-test and reports them."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from s2s_desktop import __version__
from s2s_desktop.cli import output
from s2s_desktop.cli.self_test.step import Outcome, Result, Step, take
from s2s_desktop.settings.argument_parser import ArgumentParser
from s2s_desktop.settings.atomic import write_atomically
from s2s_desktop.settings.paths import Paths

SELF_TEST_ARGUMENT = "--self-test"
"""The first argument that asks for the self-test."""


def self_test(arguments: Sequence[str], paths: Paths, steps: Iterable[Step] | None = None) -> int:
    """Run the self-test and return the number of steps that failed.

    Args:
        arguments: What follows `SELF_TEST_ARGUMENT`.
        paths: Where the models are; nothing is written below them.
        steps: What to run; None runs the steps of `steps.all_steps`.
    """
    options = _parser().parse_args(arguments)
    # Nobody needs to see the window, and build machines have no display.
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if steps is None:
        from s2s_desktop.cli.self_test.steps import all_steps

        steps = all_steps(paths, options.screenshot)
    results = []
    for step in steps:
        result = take(step)
        results.append(result)
        output.say(f"{result.outcome.value:8}{result.name}: {result.finding}")
        if options.json is not None:
            # After each step: a library that takes the whole process down shall still be found by its place.
            _write(options.json, results, finished=False)
    if options.json is not None:
        _write(options.json, results, finished=True)
    return _failed(results)


def _failed(results: Iterable[Result]) -> int:
    return sum(result.outcome is Outcome.FAILED for result in results)


def _write(path: Path, results: Sequence[Result], *, finished: bool) -> None:
    document = {
        "version": __version__,
        "frozen": bool(getattr(sys, "frozen", False)),
        "finished": finished,
        "failed": _failed(results),
        "steps": [dataclasses.asdict(result) for result in results],
    }
    write_atomically(path, json.dumps(document, ensure_ascii=False, indent=2))


def _parser() -> argparse.ArgumentParser:
    parser = ArgumentParser(
        prog=f"s2s-desktop {SELF_TEST_ARGUMENT}",
        description="Check that this installation is complete. Exit code: how many steps failed.",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results there")
    parser.add_argument(
        "--screenshot", type=Path, metavar="FILE", help="also write a picture of the window (PNG)"
    )
    return parser
