"""Which number format and how many threads run an engine fastest on this computer: measured once, remembered.

int8 is the faster one on most processors, but not on all (onnxruntime #25366 tells of ARM), and hyper-threads
help here and harm there. So the first start tries what is possible while nobody talks, and later ones know.
"""

from __future__ import annotations

import json
import logging
import os
import platform
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from s2s_desktop import __version__
from s2s_desktop.settings.atomic import write_atomically

_log = logging.getLogger(__name__)

MAX_THREADS = 4
"""The engines get no faster beyond; the stages have the same bound."""

ROUNDS = 2
"""The faster of two runs counts: other programs only ever make one slower."""

GAIN = 0.9
"""Another way must take less than this share of the usual one's time; less is noise."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to run an engine.

    Attributes:
        compute_type: "int8" or "float32".
        threads: How many.
    """

    compute_type: str
    threads: int


def ways(compute_types: Iterable[str], cores: int | None = None, logical: int | None = None) -> list[Way]:
    """Return what is worth trying, the usual way first: physical cores, then hyper-threads too."""
    cores = cores or psutil.cpu_count(logical=False) or os.cpu_count() or 1
    logical = logical or os.cpu_count() or cores
    threads = dict.fromkeys([min(cores, MAX_THREADS), min(logical, MAX_THREADS)])
    return [Way(compute_type, count) for compute_type in compute_types for count in threads]


class Calibration:
    """What was measured on this computer, in a file.

    Args:
        file: JSON; one that cannot be read counts as empty, for everything in it can be measured again.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known = self._read()

    def best(self, engine: str) -> Way | None:
        """Return the fastest way to run an engine; None when it was not measured here."""
        return self._known.get(_key(engine))

    def measure(self, engine: str, choices: Iterable[Way], run: Callable[[Way], Callable[[], object]]) -> Way:
        """Try every way, remember and return the fastest. Blocks for a few seconds.

        Args:
            engine: What is run.
            choices: Ways to run it, the usual one first.
            run: Prepares a way and returns what is to be timed.
        """
        times: dict[Way, float] = {}
        for way in choices:
            timed = run(way)
            times[way] = min(_seconds(timed) for _ in range(ROUNDS))
        usual = next(iter(times))
        fastest = min(times, key=lambda way: times[way])
        best = fastest if times[fastest] < GAIN * times[usual] else usual
        _log.info("%s runs best as %s: %s", engine, best, times)
        self._known[_key(engine)] = best
        self._write()
        return best

    def _read(self) -> dict[str, Way]:
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
            return {
                str(key): Way(str(way["compute_type"]), int(way["threads"])) for key, way in found.items()
            }
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            _log.warning("what was measured before cannot be read: %s", error)
            return {}

    def _write(self) -> None:
        content = {key: asdict(way) for key, way in self._known.items()}
        try:
            write_atomically(self._file, json.dumps(content, indent=2))
        except OSError as error:
            _log.warning("what was measured cannot be kept and is measured again next time: %s", error)


def _seconds(timed: Callable[[], object]) -> float:
    began = time.perf_counter()
    timed()
    return time.perf_counter() - began


def _key(engine: str) -> str:
    """Another processor or version of the program is measured anew."""
    return f"{engine} {__version__} {platform.machine()} {platform.processor()} {os.cpu_count()}"
