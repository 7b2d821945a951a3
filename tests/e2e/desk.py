"""The running window over parts that a test scripts at their outermost seam: servers and the sound card."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

import numpy as np
import pytest
import soundfile
from numpy.typing import NDArray
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget

from fake_sound_card import FakeSoundCard
from llm.fake_provider import FakeProvider, Reply, Stall
from llm.streams import chat_delta, chat_reply, chat_text
from s2s_desktop.app import run_window
from s2s_desktop.conversation.events import Event, Readiness, State, StateChanged, TurnFailed, TurnId
from s2s_desktop.resources import resource_path
from s2s_desktop.settings.paths import find_paths
from s2s_desktop.settings.schema import (
    AudioSettings,
    GeneralSettings,
    HistorySettings,
    Profile,
    Settings,
    SpeechServer,
    SpeechSettings,
)
from s2s_desktop.ui.main_window import MainWindow
from speech_server.speech_kit import tone, transcript, voice

END_LIMIT_S = 10.0
"""Ends a test that hangs. That two seconds were enough is told by the program itself, in its log."""

_RATE = 48_000
_BLOCK = 480

SHORT = Reply(chat_reply("It is Paris."))
ENDLESS = Reply([chat_delta({"role": "assistant", "content": ""}), chat_text("It is Paris. And "), Stall()])
SILENT = Reply(before=[Stall()])


class Servers:
    """A language model, an ear and a mouth on loopback."""

    def __init__(self) -> None:
        self.model, self.ear, self.mouth = FakeProvider(), FakeProvider(), FakeProvider()
        self.model.script(SHORT, repeat=True)
        self.ear.script(transcript("What is the capital of France?"), repeat=True)
        self.mouth.script(voice(tone(20.0)), repeat=True)

    def settings(self, *, welcomed: bool = True) -> Settings:
        """Return settings that use nothing else."""
        return Settings(
            profile="demo",
            profiles=[
                Profile(name="demo", backend="chat-completions", base_url=self.model.base_url, model="demo")
            ],
            speech=SpeechSettings(
                stt_engine="remote",
                stt_server=SpeechServer(base_url=self.ear.base_url, model="ear"),
                tts_engine="remote",
                tts_server=SpeechServer(base_url=self.mouth.base_url, model="mouth", voice="v"),
            ),
            audio=AudioSettings(smart_turn=False, echo_cancelling=False),
            history=HistorySettings(keep=False),
            general=GeneralSettings(welcomed=welcomed, tray=False),
        )

    def close(self) -> None:
        for server in (self.model, self.ear, self.mouth):
            server.close()


class Driver:
    """Runs the streams of a fake sound card in real time: silence, and once the question, goes in."""

    def __init__(self, card: FakeSoundCard) -> None:
        self._card = card
        self._ended = threading.Event()
        self._speech: NDArray[np.float32] = np.zeros(0, np.float32)
        self._thread = threading.Thread(target=self._run, name="sound driver", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def ask(self) -> None:
        """Speak the question of the program's own sample into the microphone, then be silent."""
        samples, rate = soundfile.read(resource_path("audio/sample_question.wav"), dtype="float32")
        self._speech = np.repeat(samples, _RATE // rate)

    def _run(self) -> None:
        while not self._ended.wait(_BLOCK / _RATE):
            for stream in list(self._card.streams):
                if not stream.active or stream.closed:
                    continue
                if stream.direction == "output":
                    stream.pull(_BLOCK)
                else:
                    block, self._speech = self._speech[:_BLOCK], self._speech[_BLOCK:]
                    block = np.pad(block, (0, _BLOCK - len(block)))
                    stream.deliver(np.repeat(block[:, np.newaxis], stream.channels, axis=1))


class Desk:
    """The running program as a person at the desk sees it. Make it with `await Desk.open(...)`."""

    def __init__(
        self,
        window: MainWindow,
        program: asyncio.Task[int],
        others: set[asyncio.Task[object]],
        foreign: set[QWidget],
    ) -> None:
        self.window = window
        self._others = others
        self._foreign = foreign
        self.events: list[tuple[TurnId | None, Event]] = []
        self._program = program
        self._arrived = asyncio.Event()
        observe = window.observe

        def watch(turn: TurnId | None, event: Event) -> None:
            observe(turn, event)
            self.events.append((turn, event))
            self._arrived.set()

        window.observe = watch  # type: ignore[method-assign]

    @classmethod
    async def open(cls, settings: Settings, notices: Sequence[str] = ()) -> Desk:
        """Start the program on the running loop and return when its window is there."""
        others, foreign = asyncio.all_tasks(), set(QApplication.topLevelWidgets())
        program = asyncio.create_task(run_window(settings, find_paths(), list(notices)))
        await asyncio.sleep(0)
        windows = [each for each in QApplication.topLevelWidgets() if isinstance(each, MainWindow)]
        (window,) = [each for each in windows if each.isVisible()]
        return cls(window, program, others, foreign)

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for _, event in self.events if isinstance(event, kind)]

    async def until(self, holds: Callable[[], bool], what: str, seconds: float = 60) -> None:
        """Return when something holds; it is looked at after every event."""
        try:
            async with asyncio.timeout(seconds):
                while not holds():
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError:
            failures = [event.error.message for _, event in self.events if isinstance(event, TurnFailed)]
            pytest.fail(f"never happened: {what}; shown: {self.shown()}; failures: {failures}")

    async def until_ready(self) -> None:
        await self.until(
            lambda: any(
                isinstance(each, Readiness) and each.llm and each.hearing and each.voice
                for _, each in self.events
            ),
            "everything is ready",
        )

    async def until_state(self, state: State) -> None:
        await self.until(lambda: StateChanged(state) in self.of(StateChanged)[-1:], f"the state {state}")

    def texts(self, name: str = "") -> list[str]:
        """Return the texts on the screen, of the widgets with this accessible name."""
        return [
            widget.toPlainText()
            for widget in self.window.findChildren(QWidget)
            if hasattr(widget, "toPlainText")
            and widget.isVisible()
            and (name in ("", widget.accessibleName()))
        ]

    def shown(self) -> str:
        """Return every sentence that can be read in the window."""
        labels = [label.text() for label in self.window.findChildren(QLabel) if label.isVisible()]
        return "\n".join([*labels, *self.texts()])

    def dialog(self, kind: type[QDialog]) -> list[QDialog]:
        """Return the open dialogs of a kind."""
        return [each for each in self.window.findChildren(kind) if each.isVisible()]

    async def close(self) -> int:
        """Close the window as a click on its cross does, and return the exit code.

        Checks that no task of the program is left.
        """
        self.window.close()
        assert not self.window.isVisible(), "it is gone at once"
        async with asyncio.timeout(END_LIMIT_S):
            code = await self._program
        left = asyncio.all_tasks() - self._others
        assert not left, f"every task of the program has ended: {left}"
        self._free_widgets()
        return code

    def _free_widgets(self) -> None:
        """Free what the end of the process frees otherwise: every later change of colors would reach it."""
        for widget in set(QApplication.topLevelWidgets()) - self._foreign:
            widget.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
