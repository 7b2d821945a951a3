"""The menus of the top bar change profile, voice and speed at once."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.events import SettingsChanged
from s2s_desktop.conversation.preferences import VoiceChoice
from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.schema import Profile, Settings
from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.tokens import DARK, LIGHT
from window_helpers import READY, Conversation, button


class Chosen:
    """The part of `Preferences` that the top bar uses."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._settings = Settings(profiles=[Profile(name="Groq & Co", model="x"), Profile(name="Ollama")])
        self.given: dict[str, str] = {}
        self.problem = ""

    @property
    def settings(self) -> Settings:
        return self._settings.model_copy(deep=True)

    def given_by(self, path: str) -> str:
        return self.given.get(path, "")

    async def apply(self, settings: Settings) -> None:
        if self.problem:
            raise AssistantError(ErrorKind.INTERNAL, self.problem)
        self._settings = settings
        self._conversation.tell(SettingsChanged())

    def voices(self) -> tuple[VoiceChoice, ...]:
        return (
            VoiceChoice("af_heart", "Heart, American English", "en"),
            VoiceChoice("bf_emma", "Emma, British English", "en"),
            VoiceChoice("ff_siwis", "Siwis, French", "fr"),
        )


@pytest.fixture
def chosen(conversation: Conversation) -> Chosen:
    return Chosen(conversation)


@pytest.fixture
async def window(qapp: QApplication, conversation: Conversation, chosen: Chosen) -> AsyncIterator[MainWindow]:
    window = MainWindow()
    window.show()
    window.connect_to(conversation, None, chosen)
    conversation.tell(READY)
    yield window
    window.hide()
    window.deleteLater()


def open_menu(window: MainWindow, name: str) -> QMenu:
    button(window, name).click()
    menus = [menu for menu in window.top_bar.findChildren(QMenu) if menu.isVisible()]
    (menu,) = menus
    return menu


def entry(menu: QMenu, text: str) -> QAction:
    (action,) = [action for action in menu.findChildren(QAction) if action.text() == text]
    return action


async def choose(window: MainWindow, menu: QMenu, text: str) -> None:
    entry(menu, text).trigger()
    menu.close()
    await window.quick_settings.settled()


MODEL = f"Language model: {READY.model_name}"


async def test_another_profile_answers_from_now_on(window: MainWindow, chosen: Chosen) -> None:
    menu = open_menu(window, MODEL)
    assert entry(menu, "Built-in").isChecked()
    await choose(window, menu, "Groq && Co")
    assert chosen.settings.profile == "Groq & Co"
    menu = open_menu(window, MODEL)
    assert entry(menu, "Groq && Co").isChecked()
    menu.close()


async def test_voice_and_speed(window: MainWindow, chosen: Chosen) -> None:
    await choose(window, open_menu(window, "Voice and speed"), "Siwis, French")
    await choose(window, open_menu(window, "Voice and speed"), "1.25×")
    assert (chosen.settings.speech.voice, chosen.settings.speech.speed) == ("ff_siwis", 1.25)
    menu = open_menu(window, "Voice and speed")
    assert entry(menu, "Siwis, French").isChecked()
    assert entry(menu, "1.25×").isChecked()
    menu.close()


async def test_what_the_command_line_chose_is_said_and_cannot_be_changed(
    window: MainWindow, chosen: Chosen
) -> None:
    chosen.given = {"profile": "--profile", "speech.voice": "--voice"}
    menu = open_menu(window, MODEL)
    assert entry(menu, "Chosen by --profile")
    assert not entry(menu, "Ollama").isEnabled()
    menu.close()
    menu = open_menu(window, "Voice and speed")
    assert not entry(menu, "Emma, British English").isEnabled()
    assert entry(menu, "1.5×").isEnabled()
    menu.close()


async def test_a_choice_that_cannot_be_saved_is_said(window: MainWindow, chosen: Chosen) -> None:
    chosen.problem = "The settings cannot be written: the disk is full."
    await choose(window, open_menu(window, MODEL), "Ollama")
    assert window.banners.notices == [chosen.problem]


@pytest.mark.parametrize(
    ("menu", "text", "page"),
    [(MODEL, "Model settings…", "model"), ("Voice and speed", "Voice settings…", "speech")],
)
async def test_the_menus_lead_to_the_settings(
    qtbot: QtBot, window: MainWindow, menu: str, text: str, page: str
) -> None:
    with qtbot.waitSignal(window.settings_requested) as asked:
        await choose(window, open_menu(window, menu), text)
    assert asked.args == [page]


async def test_the_gear_opens_the_settings(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.settings_requested) as asked:
        button(window, "Settings").click()
    assert asked.args == [""]


async def test_settings_change_the_window_while_it_is_open(window: MainWindow, chosen: Chosen) -> None:
    settings = chosen.settings
    settings.general.theme, settings.general.text_scale = "dark", 1.5
    settings.audio.microphone_mode = "push-to-talk"
    body = window.theme.scale.body
    await chosen.apply(settings)
    assert window.theme.tokens.background == DARK.background
    assert window.theme.scale.body == round(body * 1.5)
    assert button(window, "Hold to talk").isVisible()
    settings.general.theme, settings.general.text_scale = "light", 1.0
    await chosen.apply(settings)
    assert window.theme.tokens.background == LIGHT.background
    settings.general.theme = "system"
    await chosen.apply(settings)
