"""Which event loop an async test runs on: the program's own for tests with Qt, a plain one for the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

QT_FIXTURES = {"qtbot", "qapp", "qt_loop"}

_applications: list[object] = []
"""Keeps the application alive when a loop is made before pytest-qt's `qapp`."""


def loop_factories(item: pytest.Item) -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Answer pytest-asyncio's hook `pytest_asyncio_loop_factories` for `item`."""
    if QT_FIXTURES & set(getattr(item, "fixturenames", ())):
        return {"qt": _new_qt_loop}
    return {"asyncio": asyncio.new_event_loop}


def _new_qt_loop() -> asyncio.AbstractEventLoop:
    from PySide6.QtWidgets import QApplication

    from s2s_desktop.runtime.qt_loop import AppLoop

    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication([])
        _applications.append(app)
    app.setQuitOnLastWindowClosed(False)
    return AppLoop(app)
