"""How long the sidebar keeps the event loop busy with many conversations. Prints JSON.

PYTHONPATH=.:tests QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_sidebar.py [--conversations 10000]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QApplication, QWidget

from s2s_desktop.conversation.store.records import Conversation, TitleSource
from s2s_desktop.ui.conversation_list import ConversationList
from s2s_desktop.ui.library_listing import PAGE
from s2s_desktop.ui.theme import Theme

HOUR_MS = 3_600_000


def main() -> int:
    """Fill a list, then measure it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=10_000)
    arguments = parser.parse_args()
    application = QApplication([])
    print(json.dumps(measure(application, arguments.conversations), indent=2))
    return 0


def measure(application: QApplication, count: int) -> dict[str, object]:
    """Return the longest turns of the event loop, in milliseconds of its own work."""
    conversations = made(count)
    window = QWidget()
    window.resize(280, 800)
    shown = ConversationList(Theme(application, window), window)
    shown.resize(280, 800)
    window.show()
    lag = Lag(application)
    found: dict[str, object] = {"conversations": count}
    first = conversations[:PAGE]
    found["first_page"] = lag.of(lambda: lag.turn(lambda: shown.show_all(first, False)))

    def scroll_down() -> None:
        bar = shown.verticalScrollBar()
        for start in range(PAGE, count, PAGE):
            bar.setValue(bar.maximum())
            page, complete = conversations[start : start + PAGE], start + PAGE >= count
            lag.turn(lambda page=page, complete=complete: shown.append(page, complete))  # type: ignore[misc]

    found["fetching_all"] = lag.of(scroll_down)

    def scroll_through() -> None:
        bar = shown.verticalScrollBar()
        for step in range(200):
            bar.setValue(bar.maximum() * step // 200)
            lag.turn(lambda: None)

    found["scrolling"] = lag.of(scroll_through)

    def talk() -> None:
        for number in range(20):
            place = (number * 487) % count
            lag.turn(lambda place=place: shown.update_one(renewed(conversations[place])))  # type: ignore[misc]

    found["one_changed"] = lag.of(talk)
    return found


class Lag:
    """Runs work on the event loop, turn by turn, and keeps the longest turn."""

    def __init__(self, application: QApplication) -> None:
        self._application = application
        self._turns: list[float] = []

    def turn(self, work: Callable[[], object]) -> None:
        """Do something, then let Qt draw and lay out, each in a turn of its own."""
        self._timed(work)
        for _ in range(5):
            self._timed(self._application.processEvents)

    def of(self, work: Callable[[], object]) -> dict[str, float]:
        """Return the longest and the 99th hundredth of the turns of some work."""
        self._turns = []
        work()
        for _ in range(20):
            self._timed(self._application.processEvents)
        turns = sorted(self._turns)
        return {
            "longest_ms": round(turns[-1], 1),
            "p99_ms": round(turns[int(len(turns) * 0.99) - 1], 1),
        }

    def _timed(self, work: Callable[[], object]) -> None:
        began = time.thread_time()
        work()
        self._turns.append((time.thread_time() - began) * 1000)


def made(count: int) -> list[Conversation]:
    """Return conversations, the newest first, one an hour."""
    now = round(time.time() * 1000)
    return [
        Conversation(
            f"c{number}",
            f"What we talked about number {number}",
            TitleSource.WORDS,
            now - number * HOUR_MS,
            now - number * HOUR_MS,
        )
        for number in range(count)
    ]


def renewed(conversation: Conversation) -> Conversation:
    """Return a conversation that something was said in just now."""
    return replace(conversation, updated_at=round(time.time() * 1000))


if __name__ == "__main__":
    sys.exit(main())
