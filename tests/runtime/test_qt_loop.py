"""The loop keeps no timer it does not need, wakes in time, and ends cleanly."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from PySide6.QtCore import QAbstractEventDispatcher
from PySide6.QtWidgets import QApplication, QWidget

from s2s_desktop.runtime.qt_loop import EXIT_INTERRUPTED, AppLoop, run


def current_loop() -> AppLoop:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, AppLoop)
    return loop


def qt_timers(loop: AppLoop) -> int:
    dispatcher = QAbstractEventDispatcher.instance()
    return len(dispatcher.registeredTimers(loop._delayed))


async def test_cancelled_calls_leave_no_live_timer(qapp: QApplication) -> None:
    loop = current_loop()
    for _ in range(2000):
        loop.call_later(600, print).cancel()
    assert loop.pending_timers == 0
    assert qt_timers(loop) == 0


async def test_read_timeouts_of_a_streamed_reply_leave_no_live_timer(qapp: QApplication) -> None:
    loop = current_loop()
    for _ in range(500):
        async with asyncio.timeout(600):
            await asyncio.sleep(0)
    assert qt_timers(loop) == 0


async def test_a_pending_call_has_exactly_one_timer_until_it_ran(qapp: QApplication) -> None:
    loop = current_loop()
    ran = asyncio.Event()
    loop.call_later(0.01, ran.set)
    assert qt_timers(loop) == 1
    await ran.wait()
    assert qt_timers(loop) == 0


async def test_sleep_is_never_early_and_not_rounded_like_a_coarse_timer(qapp: QApplication) -> None:
    late_ms = []
    for _ in range(5):
        begun = time.monotonic()
        await asyncio.sleep(0.3)
        late_ms.append((time.monotonic() - begun - 0.3) * 1000)
    assert min(late_ms) > -1.5
    # A coarse Qt timer moves all five to a multiple of its own period, up to 15 ms away; the best of
    # five exact ones is near zero however busy the machine is.
    assert min(late_ms) < 5


async def test_equal_calls_at_the_same_time_all_run(qapp: QApplication) -> None:
    loop = current_loop()
    when = loop.time() + 0.01
    ran: list[int] = []
    for _ in range(3):
        loop.call_at(when, ran.append, 1)
    await asyncio.sleep(0.05)
    assert ran == [1, 1, 1]


async def test_a_delay_beyond_what_qt_can_count_stays_pending(qapp: QApplication) -> None:
    loop = current_loop()
    calls = [loop.call_later(seconds, print) for seconds in (1e9, float("inf"))]
    await asyncio.sleep(0.01)
    assert loop.pending_timers == 2
    for call in calls:
        call.cancel()
    assert loop.pending_timers == 0


async def test_calls_run_in_the_order_they_were_made(qapp: QApplication) -> None:
    loop = current_loop()
    seen: list[int] = []
    for number in range(200):
        loop.call_soon(seen.append, number)
    await asyncio.sleep(0)
    assert seen == list(range(200))


async def test_a_thread_can_hand_work_to_the_loop(qapp: QApplication) -> None:
    loop = current_loop()
    done: asyncio.Future[int] = loop.create_future()
    caller: list[int] = []

    def finish() -> None:
        caller.append(threading.get_ident())
        done.set_result(7)

    threading.Thread(target=lambda: loop.call_soon_threadsafe(finish)).start()
    assert await done == 7
    assert caller == [threading.get_ident()]


async def test_closing_a_loop_does_not_wait_for_a_slow_look_up(qapp: QApplication) -> None:
    blocked, release = threading.Event(), threading.Event()

    def look_up() -> None:
        blocked.set()
        release.wait(30)

    other = AppLoop(qapp)
    other.run_in_executor(None, look_up).cancel()
    assert await asyncio.to_thread(blocked.wait, 10)
    other.close()
    assert not release.is_set()
    release.set()


def test_run_returns_the_exit_code_of_main(qapp: QApplication) -> None:
    async def main() -> int:
        await asyncio.sleep(0.01)
        return 3

    assert run(main, qapp) == 3


def test_closing_the_last_window_does_not_end_main(qapp: QApplication) -> None:
    async def main() -> int:
        window = QWidget()
        window.show()
        window.close()
        await asyncio.sleep(0.05)
        return 0

    assert run(main, qapp) == 0


def test_main_can_still_wait_while_it_cleans_up_after_ctrl_c(qapp: QApplication) -> None:
    cleaned: list[str] = []

    async def main() -> int:
        asyncio.get_running_loop().call_later(0.01, os.kill, os.getpid(), signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.01)
            cleaned.append("yes")
        return 0

    assert run(main, qapp) == EXIT_INTERRUPTED
    assert cleaned == ["yes"]


def test_a_second_ctrl_c_cancels_the_cleanup_too(qapp: QApplication) -> None:
    async def main() -> int:
        loop = asyncio.get_running_loop()
        loop.call_later(0.01, os.kill, os.getpid(), signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            loop.call_later(0.01, os.kill, os.getpid(), signal.SIGINT)
            await asyncio.Event().wait()
        return 0

    assert run(main, qapp) == EXIT_INTERRUPTED


def test_the_signal_handlers_of_the_caller_come_back(qapp: QApplication) -> None:
    async def main() -> int:
        return 0

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    run(main, qapp)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to catch")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_wakes_an_idle_window_without_a_polling_timer(name: str) -> None:
    program = textwrap.dedent(
        """
        import asyncio, sys
        from PySide6.QtWidgets import QApplication, QWidget
        from s2s_desktop.runtime.qt_loop import run

        app = QApplication([])

        async def main():
            window = QWidget()
            window.show()
            print("ready", flush=True)
            try:
                await asyncio.Event().wait()
            finally:
                await asyncio.sleep(0.01)
                print("cleaned", flush=True)

        sys.exit(run(main, app))
        """
    )
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(getattr(signal, name))
        out, err = child.communicate(timeout=30)
    assert (out, child.returncode) == ("cleaned\n", EXIT_INTERRUPTED), err


def test_this_python_survives_twenty_thousand_void_qt_calls() -> None:
    """PySide6 6.12.0 dies on Python 3.11 after about 5,300 calls that return nothing."""
    program = textwrap.dedent(
        """
        from PySide6.QtWidgets import QApplication, QWidget
        app = QApplication([])
        widget = QWidget()
        for _ in range(20_000):
            widget.update()
        print("alive")
        """
    )
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("alive\n", 0), done.stderr
