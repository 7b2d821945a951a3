"""The log of the built-in LLM: a bounded file, and the last lines for error messages."""

from __future__ import annotations

import logging
import threading
from collections import deque
from logging.handlers import RotatingFileHandler
from pathlib import Path

_log = logging.getLogger(__name__)

MAX_BYTES = 512 * 1024
"""Size at which the file is set aside as `<name>.1`; one such file is kept."""

_TAIL_LINES = 40


class ChildLog:
    """Keeps what a child process prints.

    A folder that cannot be written costs the file, not the language model: the last lines are kept anyway.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.Lock()
        self._tail: deque[str] = deque(maxlen=_TAIL_LINES)
        self._handler: logging.Handler = logging.NullHandler()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._handler = RotatingFileHandler(
                file, maxBytes=MAX_BYTES, backupCount=1, encoding="utf-8", delay=True
            )
            self._handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        except OSError as error:
            _log.warning("no log of the built-in language model: %s", error)

    def begin(self, title: str) -> None:
        """Start the part of a new process with `title`."""
        with self._lock:
            self._tail.clear()
        self._keep(title)

    def write(self, line: bytes) -> None:
        """Add what a process printed; empty lines are left out. Safe on any thread."""
        text = line.decode("utf-8", errors="replace").rstrip()
        if text:
            with self._lock:
                self._tail.append(text)
            self._keep(text)

    @property
    def tail(self) -> str:
        """The last lines of the current process."""
        with self._lock:
            return "\n".join(self._tail)

    def close(self) -> None:
        """Close the file; a later line opens it again."""
        self._handler.close()

    def _keep(self, text: str) -> None:
        self._handler.handle(
            logging.LogRecord(
                __name__, logging.INFO, str(self.file), lineno=0, msg=text, args=None, exc_info=None
            )
        )
