"""Many requests become one call, and no timer runs without a request."""

from __future__ import annotations

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from s2s_desktop.ui.coalescer import Coalescer


def test_requests_within_the_interval_are_one_call(qtbot: QtBot) -> None:
    owner, calls = QObject(), []
    coalescer = Coalescer(5, lambda: calls.append(1), owner)
    for _ in range(100):
        coalescer.request()
    assert calls == []
    qtbot.waitUntil(lambda: calls == [1])
    assert not coalescer.waiting
    coalescer.request()
    qtbot.waitUntil(lambda: calls == [1, 1])


def test_flush_makes_a_due_call_at_once_and_only_once(qtbot: QtBot) -> None:
    owner, calls = QObject(), []
    coalescer = Coalescer(60_000, lambda: calls.append(1), owner)
    coalescer.flush()
    assert calls == []
    coalescer.request()
    coalescer.flush()
    assert calls == [1]
    assert not coalescer.waiting
