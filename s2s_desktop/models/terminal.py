"""Shows downloads in a terminal: a bar, or a line for every tenth where there is no terminal."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import NoReturn, Self, TextIO

from tqdm import tqdm

from s2s_desktop.models.disk import in_words
from s2s_desktop.models.progress import DownloadProgress


class TerminalProgress:
    """An `OnProgress` that writes to standard error. Use as a context manager.

    Args:
        stream: Where to write; None takes `sys.stderr`, and is silent where a windowed program has none.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._bar: tqdm[NoReturn] | None = None
        self._model = ""
        self._note = ""
        self._tenth = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close_bar()

    def __call__(self, progress: DownloadProgress) -> None:
        """Show one report."""
        if self._stream is None:
            return
        if progress.model != self._model:
            self._begin(progress)
        if progress.note and progress.note != self._note:
            self._write(progress.note)
        self._note = progress.note
        if self._bar is not None:
            self._bar.update(progress.done_bytes - self._bar.n)
        else:
            self._write_tenth(progress)

    def _begin(self, progress: DownloadProgress) -> None:
        self._close_bar()
        self._model, self._note, self._tenth = progress.model, "", -1
        if self._stream is not None and self._stream.isatty():
            self._bar = tqdm(
                total=progress.total_bytes,
                desc=progress.title,
                unit="B",
                unit_scale=True,
                file=self._stream,
            )

    def _write_tenth(self, progress: DownloadProgress) -> None:
        tenth = 10 * progress.done_bytes // max(1, progress.total_bytes)
        if tenth > self._tenth:
            self._tenth = tenth
            done, total = in_words(progress.done_bytes), in_words(progress.total_bytes)
            self._write(f"{progress.title}: {10 * tenth}% ({done} of {total})")

    def _write(self, line: str) -> None:
        if self._bar is not None:
            self._bar.write(line, file=self._stream)
        elif self._stream is not None:
            print(line, file=self._stream, flush=True)

    def _close_bar(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
