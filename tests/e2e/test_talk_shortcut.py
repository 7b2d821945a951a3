"""The running program talks by a key that is pressed while another program has the keyboard."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from e2e.desk import Desk, Driver, Servers
from fake_sound_card import FakeDevice, sound_card
from s2s_desktop.conversation.events import MicLevel, MicrophoneChanged, Notice, State, TurnFinished
from x11_keyboard import Keyboard, keyboard

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(sys.platform != "linux", reason="X11 exists on Linux only")]

CHORD = ("Control_L", "Alt_L", "space")
_SILENT_LEVELS = 20
"""More than there are between two words."""


@pytest.fixture
def servers() -> Iterator[Servers]:
    servers = Servers()
    yield servers
    servers.close()


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    devices = (FakeDevice("mic", inputs=1), FakeDevice("spk", outputs=2))
    with sound_card(monkeypatch, *devices) as card, Driver(card) as driver:
        yield driver


@pytest.fixture
def person() -> Iterator[Keyboard]:
    with keyboard() as person:
        yield person


async def test_a_question_is_asked_while_the_keys_are_held(
    qtbot: QtBot, servers: Servers, driver: Driver, person: Keyboard
) -> None:
    settings = servers.settings()
    settings.audio.microphone_mode = "push-to-talk"
    settings.general.talk_shortcut = "Ctrl+Alt+Space"
    desk = await Desk.open(settings)
    await desk.until_ready()
    person.take_focus()
    person.press(*CHORD)
    await desk.until(lambda: MicrophoneChanged(on=True) in desk.of(MicrophoneChanged), "it listens")
    driver.ask()
    await desk.until(lambda: _loud(desk)[-1:] == [True], "it hears the question")
    await desk.until(lambda: _loud(desk)[-_SILENT_LEVELS:] == [False] * _SILENT_LEVELS, "its end")
    assert not desk.of(TurnFinished), "nothing ends while the keys are down"
    person.release(*CHORD)
    await desk.until_state(State.SPEAKING)
    assert "What is the capital of France?" in desk.shown()
    assert await desk.close() == 0


def _loud(desk: Desk) -> list[bool]:
    return [each.peak_dbfs > -60 for each in desk.of(MicLevel) if isinstance(each, MicLevel)]


async def test_closing_the_window_gives_the_key_back(
    qtbot: QtBot, servers: Servers, driver: Driver, person: Keyboard
) -> None:
    settings = servers.settings()
    settings.general.talk_shortcut = "F9"
    desk = await Desk.open(settings)
    await desk.until_ready()
    person.take_focus()
    person.type("F9")
    await desk.until(lambda: MicrophoneChanged(on=True) in desk.of(MicrophoneChanged), "it listens")
    assert await desk.close() == 0
    person.read()
    person.type("F9")
    assert len(person.read()) == 1


async def test_a_key_that_somebody_else_has_is_said_at_the_start(
    qtbot: QtBot, servers: Servers, driver: Driver, person: Keyboard
) -> None:
    person.grab("F9", 0)
    settings = servers.settings()
    settings.general.talk_shortcut = "F9"
    desk = await Desk.open(settings)
    await desk.until(lambda: bool(desk.of(Notice)), "a notice")
    assert "uses F9 already" in desk.shown()
    person.ungrab("F9")
    await desk.until_ready()
    assert await desk.close() == 0
