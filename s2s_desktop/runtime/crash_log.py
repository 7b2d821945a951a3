"""A log file that outlives everything: crashes, threads, Qt's own messages, a program without a console."""

from __future__ import annotations

import faulthandler
import logging
import logging.handlers
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType

LOG_NAME = "s2s-desktop.log"
CRASH_NAME = "crash.log"

_MAX_BYTES = 1_000_000
_KEPT_FILES = 3

_log = logging.getLogger("s2s_desktop.crash")
_qt_log = logging.getLogger("qt")

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]


class CrashLog:
    """The hooks that write to the log files; `close` takes them away again.

    Attributes:
        file: The log file, or None when the folder cannot be written.
        crash_file: Where the interpreter writes when it dies (a segmentation fault, an abort), or None.
    """

    def __init__(self, folder: Path, filters: Iterable[logging.Filter] = ()) -> None:
        self._previous_hooks = (sys.excepthook, threading.excepthook, sys.unraisablehook)
        self._handler: logging.Handler | None = None
        self._crash_stream: TextIO | None = None
        self.file: Path | None = None
        self.crash_file: Path | None = None
        root = logging.getLogger()
        self._previous_level = root.level
        try:
            self._open(folder, filters)
        except OSError as error:
            _log.warning("no log file: %s cannot be written (%s)", folder, error)
        sys.excepthook = self._uncaught
        threading.excepthook = self._uncaught_in_thread
        sys.unraisablehook = self._unraisable

    def close(self) -> None:
        """Put back the hooks that were there before, and close the files."""
        sys.excepthook, threading.excepthook, sys.unraisablehook = self._previous_hooks
        root = logging.getLogger()
        root.setLevel(self._previous_level)
        if self._handler is not None:
            root.removeHandler(self._handler)
            self._handler.close()
        if self._crash_stream is not None:
            faulthandler.disable()
            self._crash_stream.close()

    def _open(self, folder: Path, filters: Iterable[logging.Filter]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            folder / LOG_NAME, maxBytes=_MAX_BYTES, backupCount=_KEPT_FILES, encoding="utf-8", delay=False
        )
        handler.setFormatter(
            logging.Formatter("%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s")
        )
        for each in filters:
            handler.addFilter(each)
        root = logging.getLogger()
        root.addHandler(handler)
        root.setLevel(min(root.level or logging.INFO, logging.INFO))
        self._handler, self.file = handler, folder / LOG_NAME
        crash_file = folder / CRASH_NAME
        if crash_file.exists() and crash_file.stat().st_size > _MAX_BYTES:
            crash_file.unlink()
        self._crash_stream = crash_file.open("a", encoding="utf-8")
        faulthandler.enable(self._crash_stream)
        self.crash_file = crash_file

    def _uncaught(
        self, kind: type[BaseException], error: BaseException, traceback: TracebackType | None
    ) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            _log.critical("uncaught exception", exc_info=(kind, error, traceback))
        if sys.stderr is not None:
            self._previous_hooks[0](kind, error, traceback)

    def _uncaught_in_thread(self, report: threading.ExceptHookArgs) -> None:
        name = report.thread.name if report.thread is not None else "unknown"
        _log.critical("uncaught exception in thread %s", name, exc_info=_exc_info(report.exc_value))
        if sys.stderr is not None:
            self._previous_hooks[1](report)

    def _unraisable(self, report: sys.UnraisableHookArgs) -> None:
        message = report.err_msg or "exception ignored in"
        _log.error("%s: %r", message, report.object, exc_info=_exc_info(report.exc_value))
        if sys.stderr is not None:
            self._previous_hooks[2](report)


def install(folder: Path, filters: Iterable[logging.Filter] = ()) -> CrashLog:
    """Write logs to `folder` and record every exception that nobody catches.

    Works without a console (`sys.stderr` is None in a windowed build) and without a writable folder (then
    only a console is written to). Old logs rotate: at most four files of 1 MB.

    Args:
        folder: Made when it is absent.
        filters: See every record before it is written.
    """
    return CrashLog(folder, filters)


def install_qt_messages() -> None:
    """Send Qt's own messages to the log, under the logger `qt`."""
    from PySide6.QtCore import qInstallMessageHandler

    qInstallMessageHandler(_log_qt_message)


def _log_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    from PySide6.QtCore import QtMsgType

    levels = {
        QtMsgType.QtDebugMsg: logging.DEBUG,
        QtMsgType.QtInfoMsg: logging.INFO,
        QtMsgType.QtWarningMsg: logging.WARNING,
        QtMsgType.QtCriticalMsg: logging.ERROR,
        QtMsgType.QtFatalMsg: logging.CRITICAL,
    }
    _qt_log.log(levels.get(kind, logging.WARNING), "%s: %s", context.category or "default", message)


def _exc_info(error: BaseException | None) -> _ExcInfo | None:
    return None if error is None else (type(error), error, error.__traceback__)
