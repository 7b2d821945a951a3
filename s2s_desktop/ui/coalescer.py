"""Many requests, few updates."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Coalescer(QObject):
    """Calls a function once for all requests within an interval. Without requests no timer runs."""

    def __init__(self, interval_ms: int, call: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(call)

    def request(self) -> None:
        """Ask for a call within the interval."""
        if not self._timer.isActive():
            self._timer.start()

    def flush(self) -> None:
        """Make a requested call now."""
        if self._timer.isActive():
            self._timer.stop()
            self._timer.timeout.emit()

    @property
    def waiting(self) -> bool:
        """Whether a call is due."""
        return self._timer.isActive()
