"""One step of the self-test, and what came of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

_log = logging.getLogger(__name__)


class Outcome(StrEnum):
    """What came of a step."""

    OK = "ok"
    SKIPPED = "skipped"
    FAILED = "failed"


class StepSkippedError(Exception):
    """A step cannot be run here, and that is no fault of the installation; the message says why."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that must work.

    Attributes:
        name: For people and programs.
        run: Does it and returns what it found, in a few words. Raises whatever goes wrong.
    """

    name: str
    run: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a step.

    Attributes:
        name: Of the step.
        outcome: Whether it worked.
        finding: What was found; for a failure, what went wrong.
        seconds: How long it took.
    """

    name: str
    outcome: Outcome
    finding: str
    seconds: float


def take(step: Step) -> Result:
    """Run a step. Never raises: a library that fails to load may raise anything."""
    began = time.perf_counter()
    try:
        outcome, finding = Outcome.OK, step.run()
    except StepSkippedError as reason:
        outcome, finding = Outcome.SKIPPED, str(reason)
    except Exception as error:
        _log.exception("self-test: %s", step.name)
        outcome, finding = Outcome.FAILED, f"{type(error).__name__}: {error}"
    return Result(step.name, outcome, finding, round(time.perf_counter() - began, 3))
