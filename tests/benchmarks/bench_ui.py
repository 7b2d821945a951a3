"""How long the window keeps its event loop busy, and how soon it is there. Prints JSON.

PYTHONPATH=.:tests python tests/benchmarks/bench_ui.py [--seconds 10] [--only session,hostile]
PYTHONPATH=.:tests python tests/benchmarks/bench_ui.py --real [--turns 4] [--question FILE.wav ...]

Each part tells the delay of a probe that wants to run every millisecond (`lag`), and how much of that was
work of the window's own thread (`work`). On a machine that does other things the first includes their time;
on Linux `blocked` is what is left of it without the work and without waiting for a processor: mostly waiting
for another thread to let go of the interpreter lock.

`--real` measures spoken conversations with the built-in models (in `S2S_TEST_MODELS`, else where the program
keeps them) instead of a scripted one: microphone, VAD, captions, transcription, voice and speaker run in the
same process, the language model beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from s2s_desktop.conversation.events import (
    FinalTranscript,
    FinishReason,
    MicLevel,
    MicrophoneChanged,
    PartialTranscript,
    ReplyFinished,
    SpeechStarted,
    SpokenProgress,
    State,
    StateChanged,
    TextDelta,
    TurnFinished,
    TurnMetrics,
    TypedMessage,
)
from virtual_desktop import VirtualDesktop
from window_helpers import READY, Conversation

_SCHEDULER = Path("/proc/thread-self/schedstat")
"""Of Linux: https://docs.kernel.org/scheduler/sched-stats.html"""
METER_HZ = 30
TOKENS_HZ = 40
SPOKEN_HZ = 20
CAPTIONS_HZ = 4

_QUESTION = "Could you tell me what we should see in Paris in three days in May"
_SENTENCE = (
    "Late spring is the high season, so hotels **cost more** than in winter; book early and walk a lot. "
)
_PARAGRAPH = _SENTENCE * 3 + "\n\n"
_CODE = "```python\nfor number in range(10):\n    print(number * number)\n```\n\n"
_LIST = "1. **First**, look at the map.\n2. Then take the `Metro` to the north.\n3. At last, rest.\n\n"
REPLY = _PARAGRAPH + _LIST + _PARAGRAPH + _CODE + _PARAGRAPH

_FIRST_PICTURE = """
import sys, time
began = float(sys.argv[1])
from PySide6.QtWidgets import QApplication
from PySide6.QtCore import QEvent, QObject
application = QApplication([])
from s2s_desktop.ui.main_window import MainWindow
class Painted(MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        heavy = ("ctranslate2", "onnxruntime", "faster_whisper", "kokoro_onnx", "openai", "torch")
        print(time.monotonic() - began, [name for name in heavy if name in sys.modules], flush=True)
        application.exit()
window = Painted()
window.show()
application.exec()
"""


class Probe:
    """Wants to run every millisecond and notes how late it was."""

    def __init__(self) -> None:
        self._lags: list[float] = []
        self._work: list[float] = []
        self._blocked: list[float] = []

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Probe while the block runs."""
        task = asyncio.ensure_future(self._watch())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def figures(self) -> dict[str, float]:
        """Return what was measured, in milliseconds."""
        figures = {
            "lag_median": _median(self._lags),
            "lag_p99": _quantile(self._lags, 0.99),
            "lag_max": round(max(self._lags, default=0.0), 2),
            "work_p99": _quantile(self._work, 0.99),
            "work_max": round(max(self._work, default=0.0), 2),
            "probes": len(self._lags),
        }
        if _SCHEDULER.exists():
            figures["blocked_p99"] = _quantile(self._blocked, 0.99)
            figures["blocked_max"] = round(max(self._blocked, default=0.0), 2)
        return figures

    async def _watch(self) -> None:
        while True:
            before, busy, queued = time.perf_counter(), time.thread_time(), _queued_ms()
            await asyncio.sleep(0.001)
            lag = max((time.perf_counter() - before) * 1000 - 1, 0.0)
            work = (time.thread_time() - busy) * 1000
            self._lags.append(lag)
            self._work.append(work)
            self._blocked.append(max(lag - work - (_queued_ms() - queued), 0.0))


def _queued_ms() -> float:
    """Return how long this thread has been ready to run and had no processor, in ms."""
    return int(_SCHEDULER.read_text().split()[1]) / 1e6 if _SCHEDULER.exists() else 0.0


def _median(values: list[float]) -> float:
    return round(statistics.median(values), 2) if values else 0.0


def _quantile(values: list[float], share: float) -> float:
    return round(sorted(values)[int(len(values) * share)], 2) if values else 0.0


def main() -> int:
    """Measure in a window on a screen of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="length of the conversation")
    parser.add_argument("--only", default="", help="parts, separated by commas")
    parser.add_argument("--real", action="store_true", help="talk with the real models and nothing else")
    parser.add_argument("--turns", type=int, default=4, help="of the real conversation")
    parser.add_argument("--question", type=Path, action="append", default=[], metavar="WAV", help="to ask")
    arguments = parser.parse_args()
    desktop = VirtualDesktop()
    desktop.start()
    try:
        if arguments.real:
            figures = measure_real(desktop, arguments.question, arguments.turns)
        else:
            figures = measure(arguments.seconds, set(filter(None, arguments.only.split(","))))
        print(json.dumps(figures, indent=2))
    finally:
        desktop.stop()
    return 0


def measure(seconds: float, only: set[str]) -> dict[str, Any]:
    """Return every figure."""
    from PySide6.QtWidgets import QApplication

    from s2s_desktop.runtime.qt_loop import AppLoop

    figures: dict[str, Any] = {}
    if not only or "start" in only:
        figures["start"] = start_of_the_window()
    application = QApplication.instance() or QApplication([])
    parts: dict[str, Callable[[], Coroutine[Any, Any, dict[str, Any]]]] = {
        "session": lambda: in_a_window(lambda told: session(told, seconds)),
        "deltas_10000": lambda: in_a_window(ten_thousand_deltas),
        "messages_1000": lambda: in_a_window(
            lambda told: session(told, seconds / 2, 500), a_thousand_messages
        ),
        "hostile_line_1mb": lambda: in_a_window(hostile_line),
        "reply_at_once": lambda: in_a_window(reply_at_once),
    }
    for name, part in parts.items():
        if not only or name in only:
            with asyncio.Runner(loop_factory=lambda: AppLoop(application)) as runner:
                figures[name] = runner.run(part())
    return figures


def measure_real(desktop: VirtualDesktop, questions: list[Path], turns: int) -> dict[str, Any]:
    """Return the figures of a real conversation, and what it was."""
    from PySide6.QtWidgets import QApplication

    from benchmarks.real_conversation import converse
    from s2s_desktop.runtime.qt_loop import AppLoop

    if desktop.audio is None:
        raise SystemExit(f"not installed: {', '.join(desktop.missing)}")
    application = QApplication.instance() or QApplication([])
    probe, audio = Probe(), desktop.audio
    with asyncio.Runner(loop_factory=lambda: AppLoop(application)) as runner:
        talk = runner.run(converse(audio, questions, turns, probe.watching))
    return {"real": probe.figures(), "conversation": talk}


def start_of_the_window(times: int = 5) -> dict[str, Any]:
    """From the start of the process to the first picture, and which model libraries were imported by then."""
    seconds, heavy = [], ""
    with (
        tempfile.TemporaryDirectory() as compiled
    ):  # as installed: bytecode is there from the second start on
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        for _ in range(times + 1):
            began = time.monotonic()
            command = [sys.executable, "-c", _FIRST_PICTURE, str(began)]
            printed = subprocess.check_output(command, text=True, env=environment)
            taken, heavy = printed.splitlines()[0].split(" ", 1)
            seconds.append(float(taken))
    del seconds[0]
    return {
        "visible_s_median": round(statistics.median(seconds), 2),
        "visible_s_max": round(max(seconds), 2),
        "model_libraries": heavy,
    }


Part = Callable[[Conversation], Coroutine[Any, Any, None]]


async def in_a_window(part: Part, before: Part | None = None) -> dict[str, Any]:
    """Run a part in a window of its own and probe the loop meanwhile, but not during what comes before."""
    from s2s_desktop.ui.main_window import MainWindow

    conversation, probe = Conversation(), Probe()
    window = MainWindow(conversation)
    window.resize(1000, 720)
    window.show()
    conversation.tell(READY)
    if before is not None:
        await before(conversation)
    await asyncio.sleep(0.5)
    async with probe.watching():
        await part(conversation)
        await asyncio.sleep(0.3)
    window.hide()
    window.deleteLater()
    return probe.figures()


async def session(told: Conversation, seconds: float, turn: int = 0) -> None:
    """Captions, then a reply that is shown and spoken, with the meter moving, turn after turn."""
    end = time.perf_counter() + seconds
    told.tell(MicrophoneChanged(on=True), StateChanged(State.LISTENING))
    meter = asyncio.ensure_future(_meter(told))
    while time.perf_counter() < end:
        turn += 1
        told.tell(SpeechStarted(0), StateChanged(State.HEARING))
        words = _QUESTION.split()
        for count in range(2, len(words), 2):
            text = " ".join(words[:count])
            told.tell(PartialTranscript(text, max(len(text) - 12, 0)))
            await asyncio.sleep(1 / CAPTIONS_HZ)
        told.tell(FinalTranscript(" ".join(words)), turn=turn)
        told.tell(StateChanged(State.THINKING), StateChanged(State.SPEAKING))
        await _stream_and_speak(told, turn, end)
        told.tell(
            ReplyFinished(FinishReason.STOP), TurnFinished(TurnMetrics(0.6, 0.7, 0.9, 1.1, 1.2)), turn=turn
        )
    meter.cancel()


async def _meter(told: Conversation) -> None:
    step = 0
    while True:
        step += 1
        told.tell(MicLevel(-40.0 + step % 25, -30.0 + step % 25))
        await asyncio.sleep(1 / METER_HZ)


async def _stream_and_speak(told: Conversation, turn: int, end: float) -> None:
    tokens = [REPLY[at : at + 5] for at in range(0, len(REPLY), 5)]
    spoken = REPLY.split("```")[0].replace("*", "").split()

    async def stream() -> None:
        for token in tokens:
            told.tell(TextDelta(token), turn=turn)
            await asyncio.sleep(1 / TOKENS_HZ)

    async def speak() -> None:
        for count in range(1, len(spoken)):
            told.tell(SpokenProgress(" ".join(spoken[:count])), turn=turn)
            await asyncio.sleep(1 / SPOKEN_HZ)

    both = asyncio.gather(stream(), speak())
    done, _ = await asyncio.wait([both], timeout=max(end - time.perf_counter(), 0.0))
    if not done:
        both.cancel()
        await asyncio.gather(both, return_exceptions=True)


async def ten_thousand_deltas(told: Conversation) -> None:
    """A reply of 10,000 tokens, ten a tick, while it is being spoken."""
    text = REPLY * 40
    told.tell(TypedMessage("Write a book."), turn=1)
    spoken = text.replace("*", "").split()
    for at in range(0, 10_000, 10):
        for token in range(at, at + 10):
            told.tell(TextDelta(text[token * 5 : token * 5 + 5]), turn=1)
        told.tell(SpokenProgress(" ".join(spoken[: at // 10])), turn=1)
        await asyncio.sleep(0.005)
    told.tell(ReplyFinished(FinishReason.STOP), TurnFinished(TurnMetrics()), turn=1)


async def a_thousand_messages(told: Conversation) -> None:
    """500 turns."""
    for turn in range(1, 501):
        told.hold_turn(turn, f"Question {turn}", _PARAGRAPH + _LIST)
        await asyncio.sleep(0.002)


async def hostile_line(told: Conversation) -> None:
    """One line of a million characters, in pieces as a server sends them."""
    told.tell(TypedMessage("Q"), turn=1)
    piece = "word<script>\u202e\u200b" * 64
    for _ in range(1_000_000 // len(piece)):
        told.tell(TextDelta(piece), turn=1)
        await asyncio.sleep(0)
    told.tell(ReplyFinished(FinishReason.STOP), TurnFinished(TurnMetrics()), turn=1)
    await asyncio.sleep(2)


async def reply_at_once(told: Conversation) -> None:
    """A long reply in one piece, as without streaming."""
    told.tell(TypedMessage("Q"), TextDelta(REPLY * 20), turn=1)
    told.tell(ReplyFinished(FinishReason.STOP), TurnFinished(TurnMetrics()), turn=1)
    await asyncio.sleep(2)


if __name__ == "__main__":
    sys.exit(main())
