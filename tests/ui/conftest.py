"""A window with a recording conversation behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.theme import Theme
from saved_conversations_kit import SavingSession
from window_helpers import READY, Conversation


@pytest.fixture
def conversation() -> Conversation:
    return Conversation()


@pytest.fixture
def window(qtbot: QtBot, conversation: Conversation) -> Iterator[MainWindow]:
    window = MainWindow(conversation)
    window.resize(960, 720)
    window.show()
    conversation.tell(READY)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)  # shortcuts work in the active window only
    yield window
    window.hide()
    window.deleteLater()


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    theme = Theme(qapp, qapp)
    yield theme
    theme.deleteLater()


class WindowCommands:
    """The commands of a window over a session."""

    def __init__(self, saving: SavingSession) -> None:
        session = saving.session
        self.add_observer = session.add_observer
        self.send_text = session.send_text
        self.set_microphone = session.set_microphone
        self.stop_reply = session.stop_reply

    def fetch_better_model(self) -> None: ...


@pytest.fixture
async def saving(qapp: QApplication) -> AsyncIterator[SavingSession]:
    """A session that saves, over scripted parts."""
    saving = SavingSession()
    yield saving
    await saving.close()


@pytest.fixture
async def library_window(saving: SavingSession, qtbot: QtBot) -> AsyncIterator[MainWindow]:
    """A window over that session, nothing shown of it yet."""
    window = MainWindow()
    window.resize(1000, 720)
    window.show()
    window.connect_to(WindowCommands(saving), saving.saved)
    saving.session.publish(READY)
    window.activateWindow()
    await window.library.settled()
    yield window
    window.hide()
    window.deleteLater()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Function) -> Generator[None, None, None]:
    """End the tasks of a window with its test: pytest-qt processes events after it, when no loop runs."""
    try:
        return (yield)
    finally:
        window, saving = item.funcargs.get("library_window"), item.funcargs.get("saving")
        if window is not None and saving is not None:
            saving.loop.run_until_complete(window.library.close())
