"""The event loop: asyncio on top of Qt, so that windows, conversation and network share one thread."""

from __future__ import annotations

import asyncio
import contextlib
import math
import signal
import socket
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from typing import Any, TypeVarTuple

# Qt comes first: qasync 0.28 takes the binding that is imported already, else it probes PyQt5.
from PySide6.QtCore import QObject, QSocketNotifier, Qt, QTimerEvent
from PySide6.QtWidgets import QApplication

import qasync  # isort: skip

Ts = TypeVarTuple("Ts")

EXIT_INTERRUPTED = 130
"""What a shell reports for a program that Ctrl+C ended: 128 + SIGINT."""

_LONGEST_MS = 2**31 - 1
"""What a Qt timer can wait for (24.8 days); longer delays are waited for in pieces."""

_EARLY_S = 0.001
"""How much early a Qt timer may fire and still count as in time."""

_IO_THREADS = 4


class _DelayedCall(asyncio.TimerHandle):
    """A pending call and the Qt timer that waits for it (0 when none does)."""

    __slots__ = ("timer_id",)

    timer_id: int


class _PreciseTimers(QObject):
    """One Qt timer per pending call, gone as soon as the call ran or was cancelled."""

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock = clock
        self._pending: dict[int, _DelayedCall] = {}

    def __len__(self) -> int:
        return len(self._pending)

    def start(self, call: _DelayedCall) -> None:
        """Run `call` when its time has come."""
        seconds = max(0.0, call.when() - self._clock())
        wait_ms = math.ceil(min(seconds * 1000, _LONGEST_MS))
        call.timer_id = self.startTimer(wait_ms, Qt.TimerType.PreciseTimer)
        self._pending[call.timer_id] = call

    def cancel(self, call: _DelayedCall) -> None:
        """Kill the timer of `call`; nothing happens when it has run."""
        if self._pending.pop(call.timer_id, None) is not None:
            self.killTimer(call.timer_id)
            call.timer_id = 0

    def cancel_all(self) -> None:
        """Kill every timer."""
        for call in list(self._pending.values()):
            self.cancel(call)

    def timerEvent(self, event: QTimerEvent) -> None:
        call = self._pending.get(event.timerId())
        if call is None:
            return
        self.cancel(call)
        if call.when() - self._clock() > _EARLY_S:
            self.start(call)
        else:
            call._run()


class _IoThreads(ThreadPoolExecutor):
    """Threads for name look-ups and files, which nobody waits for when the loop closes."""

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = True) -> None:
        super().shutdown(wait=wait, cancel_futures=cancel_futures)


class AppLoop(qasync.QEventLoop):  # type: ignore[misc]  # qasync has no types
    """qasync's loop with timers that are exact and that end when they are cancelled.

    qasync 0.28 never kills the timer of a cancelled call: the HTTP client's read timeout leaves one live
    timer per streamed token for up to ten minutes, and Windows runs out of them
    (https://github.com/cunarist/solie/issues/153). Its timers are also coarse: `sleep(1.0)` takes up to
    51 ms longer.
    """

    def __init__(self, app: QApplication) -> None:
        self._delayed = _PreciseTimers(self.time)
        super().__init__(app)
        self.set_default_executor(_IoThreads(_IO_THREADS, thread_name_prefix="io"))

    def run_forever(self) -> None:
        """Run until stopped; close asynchronous generators that somebody dropped, which qasync forgets."""
        before = sys.get_asyncgen_hooks()
        sys.set_asyncgen_hooks(
            firstiter=self._asyncgen_firstiter_hook, finalizer=self._asyncgen_finalizer_hook
        )
        try:
            super().run_forever()
        finally:
            sys.set_asyncgen_hooks(*before)

    @property
    def pending_timers(self) -> int:
        """How many delayed calls wait for their time."""
        return len(self._delayed)

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """Call `callback(*args)` after `delay` seconds, never earlier."""
        if delay <= 0:
            soon: asyncio.Handle = super().call_later(0, callback, *args, context=context)
            return soon
        self._check_closed()
        call = _DelayedCall(self.time() + delay, callback, args, self, context)
        self._delayed.start(call)
        return call

    def _timer_handle_cancelled(self, handle: _DelayedCall) -> None:
        """Asyncio calls this whenever a timer handle is cancelled."""
        self._delayed.cancel(handle)

    def close(self) -> None:
        """Free everything. The loop cannot run again."""
        super().close()
        self._delayed.cancel_all()


def run(main: Callable[[], Coroutine[Any, Any, int]], app: QApplication) -> int:
    """Run `main` on the Qt loop until it returns.

    Closing windows ends nothing: `main` decides when it is over. Ctrl+C and SIGTERM cancel `main`, which
    then has the running loop to clean up with; a second Ctrl+C cancels the cleanup.

    Args:
        main: Makes the coroutine to run; its result is the exit code.
        app: The application. `QApplication.aboutToQuit` comes too late for asynchronous cleanup.

    Returns:
        The exit code: that of `main`, or 130 when it was interrupted.
    """
    app.setQuitOnLastWindowClosed(False)
    # `asyncio.run` has no loop_factory before Python 3.12.
    with asyncio.Runner(loop_factory=lambda: AppLoop(app)) as runner:
        return runner.run(_interruptible(main))


async def _interruptible(main: Callable[[], Coroutine[Any, Any, int]]) -> int:
    task = asyncio.current_task()
    if task is None or threading.current_thread() is not threading.main_thread():
        return await main()  # only the main thread receives signals
    interrupts = 0

    def interrupt(*_: object) -> None:
        nonlocal interrupts
        interrupts += 1
        task.cancel()

    with _signal_handler(interrupt):
        try:
            return await main()
        except asyncio.CancelledError:
            if not interrupts:
                raise
            return EXIT_INTERRUPTED


@contextlib.contextmanager
def _signal_handler(handler: Callable[..., None]) -> Iterator[None]:
    """Call `handler` on SIGINT and SIGTERM, also while Qt waits.

    Python runs signal handlers between bytecodes and Qt waits in C++, so each signal writes a byte that
    wakes Qt: no timer has to poll.
    """
    reader, writer = socket.socketpair()
    reader.setblocking(False)
    writer.setblocking(False)
    notifier = QSocketNotifier(reader.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda: reader.recv(64))
    previous_fd = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    previous = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, old in previous.items():
            signal.signal(number, old)
        signal.set_wakeup_fd(previous_fd)
        notifier.setEnabled(False)
        reader.close()
        writer.close()
