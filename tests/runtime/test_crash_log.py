"""What goes wrong ends in the log file, whatever thread it happens on and whether there is a console."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import qCritical, qInstallMessageHandler, qWarning
from PySide6.QtWidgets import QApplication

from s2s_desktop.runtime import crash_log
from s2s_desktop.runtime.crash_log import CrashLog


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CrashLog]:
    """The hooks, above silent ones: pytest's own would fail the test for what it provokes."""
    monkeypatch.setattr(sys, "excepthook", lambda *_: None)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    log = crash_log.install(tmp_path / "logs")
    yield log
    log.close()


def written(log: CrashLog) -> str:
    assert log.file is not None
    return log.file.read_text(encoding="utf-8")


def test_an_uncaught_exception_is_logged_with_its_traceback(installed: CrashLog) -> None:
    try:
        raise ValueError("the cat sat on the keyboard")
    except ValueError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    assert "the cat sat on the keyboard" in written(installed)
    assert "Traceback" in written(installed)


def test_an_exception_in_a_thread_is_logged_with_the_name_of_the_thread(installed: CrashLog) -> None:
    def work() -> None:
        raise ValueError("worker fell over")

    thread = threading.Thread(target=work, name="voice")
    thread.start()
    thread.join()
    assert "uncaught exception in thread voice" in written(installed)
    assert "worker fell over" in written(installed)


def test_an_exception_in_a_destructor_is_logged(installed: CrashLog) -> None:
    class Fragile:
        def __del__(self) -> None:
            raise ValueError("broke while dying")

    fragile = Fragile()
    del fragile
    assert "broke while dying" in written(installed)


def test_everything_is_logged_in_a_program_without_a_console(tmp_path: Path) -> None:
    program = textwrap.dedent(
        f"""
        import logging, sys, threading
        from pathlib import Path
        sys.stdout = sys.stderr = None
        from s2s_desktop.runtime import crash_log
        crash_log.install(Path({str(tmp_path)!r}))
        logging.getLogger("s2s_desktop.somewhere").error("download stopped")
        def work():
            raise ValueError("worker fell over")
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        raise ValueError("main fell over")
        """
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    text = (tmp_path / "s2s-desktop.log").read_text(encoding="utf-8")
    assert (done.returncode, done.stderr) == (1, "")
    for sentence in ("download stopped", "worker fell over", "main fell over"):
        assert sentence in text
    assert "AttributeError" not in text


def test_messages_of_qt_are_logged_by_their_severity(installed: CrashLog, qapp: QApplication) -> None:
    previous = qInstallMessageHandler(None)
    try:
        crash_log.install_qt_messages()
        qWarning("a pixmap is null")
        qCritical("a thread was destroyed")
    finally:
        qInstallMessageHandler(previous)
    lines = written(installed).splitlines()
    assert any("WARNING" in line and "a pixmap is null" in line for line in lines)
    assert any("ERROR" in line and "a thread was destroyed" in line for line in lines)


def test_the_log_stays_small(installed: CrashLog, tmp_path: Path) -> None:
    for _ in range(60):
        logging.getLogger("s2s_desktop.chatter").warning("x" * 100_000)
    files = sorted((tmp_path / "logs").glob("s2s-desktop.log*"))
    assert len(files) == 4
    assert all(file.stat().st_size <= 1_100_000 for file in files)


def test_an_old_crash_file_does_not_grow_for_ever(tmp_path: Path) -> None:
    (tmp_path / "crash.log").write_bytes(b"x" * 2_000_000)
    log = crash_log.install(tmp_path)
    log.close()
    assert (tmp_path / "crash.log").stat().st_size == 0


def test_closing_puts_back_the_hooks_that_were_there(tmp_path: Path) -> None:
    before = (sys.excepthook, threading.excepthook, sys.unraisablehook, list(logging.getLogger().handlers))
    crash_log.install(tmp_path).close()
    after = (sys.excepthook, threading.excepthook, sys.unraisablehook, list(logging.getLogger().handlers))
    assert after == before


def test_the_program_goes_on_when_the_folder_cannot_be_made(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    log = crash_log.install(blocked / "logs")
    try:
        assert log.file is None
        assert log.crash_file is None
    finally:
        log.close()


def test_a_dying_interpreter_leaves_its_stack_in_the_crash_file(tmp_path: Path) -> None:
    program = textwrap.dedent(
        f"""
        import faulthandler, sys
        from pathlib import Path
        sys.stderr = None
        from s2s_desktop.runtime import crash_log
        crash_log.install(Path({str(tmp_path)!r}))
        def deep_inside():
            import os
            os.abort()
        deep_inside()
        """
    )
    done = subprocess.run([sys.executable, "-c", program], env=os.environ, timeout=60, check=False)
    assert done.returncode != 0
    assert "deep_inside" in (tmp_path / "crash.log").read_text()
