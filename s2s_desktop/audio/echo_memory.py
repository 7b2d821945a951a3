"""Remembers how loud our own voice comes back between which devices, also over a restart.

Without it the first seconds of the first reply are judged anew each time, and somebody with headphones who
interrupts right then is not heard.
"""

from __future__ import annotations

import json
import logging
import math
from pathlib import Path

from s2s_desktop.audio.echo_level import EchoLevel
from s2s_desktop.settings.atomic import write_atomically

MOST_DEVICES = 20
"""Pairs of devices that are kept, those used last."""

_log = logging.getLogger(__name__)


class EchoMemory:
    """What is known of each pair of microphone and speaker. Used by one thread at a time.

    Args:
        file: JSON; one that cannot be read counts as empty, for everything in it can be heard again. None
            forgets everything at the end of the program.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._known = self._read()
        self._levels: dict[str, EchoLevel] = {}

    def level(self, microphone: str, speaker: str) -> EchoLevel:
        """Return what follows the echo between two devices, from what is known of them.

        Args:
            microphone: Its name; "" is the system's default.
            speaker: Its name.
        """
        self._note()
        devices = f"{microphone}\n{speaker}"
        level = self._levels[devices] = EchoLevel(self._known.get(devices))
        return level

    def save(self) -> None:
        """Write what was learned; a file that cannot be written is logged, for it costs little."""
        self._note()
        if self._file is None or not self._known:
            return
        try:
            write_atomically(self._file, json.dumps(self._known, indent=2))
        except OSError as error:
            _log.warning("how loud the echo is cannot be kept and is heard anew next time: %s", error)

    def _note(self) -> None:
        """Take over what the levels handed out have learned."""
        for devices, level in self._levels.items():
            if math.isfinite(level.bound_db):
                self._known.pop(devices, None)
                self._known[devices] = round(level.bound_db, 1)
        self._known = dict(list(self._known.items())[-MOST_DEVICES:])

    def _read(self) -> dict[str, float]:
        if self._file is None:
            return {}
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
            levels = {str(devices): float(level) for devices, level in found.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, AttributeError) as error:
            _log.warning("what was known about echoes cannot be read: %s", error)
            return {}
        return {devices: level for devices, level in levels.items() if math.isfinite(level)}
