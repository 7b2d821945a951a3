"""Settings and first start open over the conversation, which goes on behind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from PySide6.QtWidgets import QApplication

from s2s_desktop.conversation.events import (
    MicLevel,
    MicrophoneChanged,
    State,
    StateChanged,
    TextDelta,
    TypedMessage,
)
from s2s_desktop.settings.schema import Settings
from s2s_desktop.ui.dialogs import Dialogs
from s2s_desktop.ui.first_run import FirstRun
from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.settings_dialog import SettingsDialog
from ui.fake_preferences import FakePreferences
from window_helpers import READY, Conversation, button


@pytest.fixture
def preferences(conversation: Conversation) -> FakePreferences:
    preferences = FakePreferences()
    preferences.tell = conversation.tell
    return preferences


@pytest.fixture
async def desk(
    qapp: QApplication, conversation: Conversation, preferences: FakePreferences
) -> AsyncIterator[tuple[MainWindow, Dialogs]]:
    window = MainWindow()
    window.show()
    window.connect_to(conversation, None, preferences)
    conversation.tell(READY)
    dialogs = Dialogs(preferences, conversation, None, window.theme, window, login_offered=False)
    window.settings_requested.connect(dialogs.open_settings)
    yield window, dialogs
    await dialogs.shut()
    await window.end_work()
    window.hide()
    window.deleteLater()


def opened(window: MainWindow) -> list[type]:
    """Return what is open over the window."""
    dialogs = [*window.findChildren(SettingsDialog), *window.findChildren(FirstRun)]
    return [type(dialog) for dialog in dialogs if dialog.isVisible()]


async def test_a_reply_goes_on_while_the_settings_are_open(
    desk: tuple[MainWindow, Dialogs], conversation: Conversation
) -> None:
    window, _ = desk
    ticks = 0

    async def reply() -> None:
        nonlocal ticks
        conversation.tell(MicrophoneChanged(on=True), StateChanged(State.SPEAKING))
        conversation.tell(TypedMessage("Q"), turn=1)
        for number in range(20):
            conversation.tell(TextDelta(f"word{number} "), MicLevel(-20.0, -10.0), turn=1)
            ticks += 1
            await asyncio.sleep(0.002)

    settings = button(window, "Settings")
    streaming = asyncio.ensure_future(reply())
    settings.click()
    assert opened(window) == [SettingsDialog]
    await streaming
    assert ticks == 20
    assert window.conversation.records[0].reply_text.endswith("word19 ")
    assert opened(window) == [SettingsDialog]


async def test_the_settings_are_made_once(desk: tuple[MainWindow, Dialogs]) -> None:
    window, dialogs = desk
    for page in ("audio", "speech", ""):
        dialogs.open_settings(page)
    assert len(window.findChildren(SettingsDialog)) == 1


async def test_a_change_in_the_settings_reaches_the_window(
    desk: tuple[MainWindow, Dialogs], preferences: FakePreferences
) -> None:
    window, dialogs = desk
    dialogs.open_settings("general")

    def dark(settings: Settings) -> None:
        settings.general.theme = "dark"

    before = window.theme.tokens.background
    preferences.change_elsewhere(dark)
    assert window.theme.tokens.background != before
    window.theme.choose("system", 1.0)


async def test_the_first_start_is_welcomed_once(
    desk: tuple[MainWindow, Dialogs], preferences: FakePreferences
) -> None:
    window, dialogs = desk
    dialogs.welcome()
    assert opened(window) == [FirstRun]
    (welcome,) = window.findChildren(FirstRun)
    welcome.reject()
    await welcome.settled()
    assert preferences.settings.general.welcomed
    dialogs.welcome()
    assert opened(window) == []
