"""Each start on a machine that lacks something: the window says what is missing, and the rest works."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from e2e.desk import Desk, Driver, Servers
from fake_sound_card import FakeDevice, sound_card
from s2s_desktop.conversation.events import (
    AssistantMessage,
    MicrophoneChanged,
    ModelProgress,
    Readiness,
)
from s2s_desktop.settings.paths import HOME_VARIABLE
from s2s_desktop.settings.schema import Settings
from speech_server.speech_kit import refusal

pytestmark = pytest.mark.e2e


@pytest.fixture
def servers() -> Iterator[Servers]:
    servers = Servers()
    yield servers
    servers.close()


class NoPortAudio:
    """In place of `sounddevice`, which raises OSError when it finds no PortAudio."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "sounddevice":
            raise OSError("PortAudio library not found")


async def asked(desk: Desk) -> str:
    """Ask by typing and return the answer."""
    desk.window.dock.text_submitted.emit("What is the capital of France?")
    await desk.until(lambda: bool(desk.of(AssistantMessage)), "an answer")
    return desk.shown()


async def model_is_ready(desk: Desk) -> None:
    await desk.until(
        lambda: any(isinstance(each, Readiness) and each.llm for _, each in desk.events), "the language model"
    )


async def test_no_microphone(qtbot: QtBot, servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    with sound_card(monkeypatch, FakeDevice("spk", outputs=2)) as card, Driver(card):
        desk = await Desk.open(servers.settings())
        await desk.until_ready()
        desk.window.dock.toggle_microphone()
        await desk.until(
            lambda: any(isinstance(each, MicrophoneChanged) and each.problem for _, each in desk.events),
            "a word about it",
        )
        assert "No microphone" in desk.shown()
        assert "It is Paris." in await asked(desk)
        assert await desk.close() == 0


async def test_no_portaudio(qtbot: QtBot, servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [NoPortAudio(), *sys.meta_path])
    desk = await Desk.open(servers.settings())
    await model_is_ready(desk)
    await desk.until(lambda: "PortAudio" in desk.shown(), "a word about it")
    desk.window.dock.toggle_microphone()
    assert "It is Paris." in await asked(desk)
    assert await desk.close() == 0


async def test_no_key(qtbot: QtBot, servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    servers.model.script(refusal(401, "You did not provide an API key."), repeat=True)
    with sound_card(monkeypatch, FakeDevice("spk", outputs=2)) as card, Driver(card):
        desk = await Desk.open(servers.settings())
        await model_is_ready(desk)
        desk.window.dock.text_submitted.emit("Hello?")
        await desk.until(lambda: "needs an API key" in desk.shown(), "a word about it")
        assert "Hello?" in desk.shown(), "the question is kept"
        assert await desk.close() == 0


async def test_no_models_and_no_network(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HF_ENDPOINT", "PIP_INDEX_URL"):
        monkeypatch.setenv(variable, "http://127.0.0.1:9")
    with (
        sound_card(monkeypatch, FakeDevice("mic", inputs=1), FakeDevice("spk", outputs=2)) as card,
        Driver(card),
    ):
        settings = Settings()
        settings.audio.smart_turn = False
        settings.general.tray = False
        desk = await Desk.open(settings)

        def failed() -> set[str]:
            return {each.title for _, each in desk.events if isinstance(each, ModelProgress) and each.error}

        await desk.until(lambda: len(failed()) == 3, "each of the three models is told")
        assert "Check the internet connection" in desk.shown()
        assert await desk.close() == 0


async def test_a_home_that_cannot_be_written(
    qtbot: QtBot, servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "file" / "home"))
    settings = servers.settings()
    settings.history.keep = True
    with (
        sound_card(monkeypatch, FakeDevice("mic", inputs=1), FakeDevice("spk", outputs=2)) as card,
        Driver(card),
    ):
        desk = await Desk.open(settings)
        await desk.until_ready()
        await desk.until(lambda: "cannot be opened or written" in desk.shown(), "a word about it")
        assert "It is Paris." in await asked(desk)
        assert await desk.close() == 0


def test_no_display() -> None:
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        [sys.executable, "-m", "s2s_desktop"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "There is no graphical session here" in done.stderr
    assert "s2s-desktop ask" in done.stderr
