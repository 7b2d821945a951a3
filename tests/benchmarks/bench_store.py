"""How fast the store of conversations is, and how it grows. Prints JSON.

PYTHONPATH=.:tests python tests/benchmarks/bench_store.py [--messages 100000]
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import string
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conversation.store.kit import NOON, Shelf, typed_turn, whole
from s2s_desktop.conversation.events import TextDelta, TurnFinished, TurnId, TurnMetrics, TypedMessage

TURNS = 25
"""Turns of most conversations, two messages each."""

LONG_TURNS = 2500
"""One conversation is long."""

REPEATS = 15


def main() -> int:
    """Fill a store, then measure it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        shelf = Shelf(Path(folder))
        try:
            print(json.dumps(measure(shelf, arguments.messages), indent=2))
        finally:
            shelf.close()
    return 0


def measure(shelf: Shelf, messages: int) -> dict[str, Any]:
    """Return every figure."""
    text = Text()
    began = time.perf_counter()
    characters = fill(shelf, text, messages)
    filled = time.perf_counter() - began
    shelf.database.checkpoint(shorten=True)
    size = shelf.path.stat().st_size
    library = shelf.library
    newest = library.conversations(limit=1)[0].id
    queries = {
        "common word": text.words[1],
        "rare word": text.words[6000],
        "two words": f"{text.words[1]} {text.words[300]}",
        "one letter": text.words[1][0],
        "three first letters": text.words[50][:3],
        "quoted": f'"{text.words[1]} {text.words[2]}"',
        "Chinese word": text.han[1] + text.han[2],
        "Chinese character": text.han[0],
        "nothing": "zzzzqqqq",
    }
    return {
        "messages": messages,
        "characters_per_message": round(characters / messages, 1),
        "file_bytes_per_message": round(size / messages, 1),
        "fill_seconds": round(filled, 1),
        "search_ms": {name: timed(lambda q=query: library.search(q)) for name, query in queries.items()},  # type: ignore[misc]
        "list_100_ms": timed(lambda: library.conversations(limit=100)),
        "list_all_ms": timed(lambda: library.conversations(limit=100_000)),
        "open_newest_ms": timed(lambda: library.turns(newest)),
        "open_long_ms": timed(lambda: library.turns("long")),
        "open_long_middle_ms": timed(lambda: library.turns("long", before=LONG_TURNS // 2)),
        "history_of_long_ms": timed(lambda: library.items("long", turns=30)),
        "usage_total_ms": timed(library.usage),
        "quick_check_ms": timed(shelf.database.check, 3),
        "recording": recording(shelf),
        "purge_one_ms": timed(lambda: purge(shelf), 3),
        "wipe_ms": timed(library.wipe, 1),
        "file_bytes_after_wipe": shelf.path.stat().st_size,
    }


class Text:
    """Made-up messages whose words are as unequally common as real ones; every tenth is Chinese."""

    def __init__(self) -> None:
        self._chance = random.Random(1)
        letters = string.ascii_lowercase
        self.words = [
            "".join(self._chance.choices(letters, k=self._chance.randint(2, 9))) for _ in range(8000)
        ]
        self.han = [chr(0x4E00 + place) for place in self._chance.sample(range(20_000), 3500)]

    def message(self) -> str:
        """Return 5 to 100 words."""
        chinese = self._chance.random() < 0.1
        pool = self.han if chinese else self.words
        length = self._chance.choice([5, 12, 20, 60, 100])
        picked = (pool[int(self._chance.paretovariate(0.6)) % len(pool)] for _ in range(length))
        return ("" if chinese else " ").join(picked)


def fill(shelf: Shelf, text: Text, messages: int) -> int:
    """Add conversations until there are so many messages; return their characters."""
    turns_left, characters, number = messages // 2, 0, 0
    while turns_left > 0:
        count = min(turns_left, TURNS if number else LONG_TURNS)
        exchanges = [(text.message(), text.message()) for _ in range(count)]
        name = f"c{number}" if number else "long"
        shelf.library.add(whole(name, *exchanges, title=exchanges[0][0][:40], at=NOON + number))
        characters += sum(len(user) + len(reply) for user, reply in exchanges)
        turns_left -= count
        number += 1
    return characters


def recording(shelf: Shelf) -> dict[str, float]:
    """Measure what a reply of 5,000 deltas costs the event loop and the machine."""
    recorder = shelf.recorder
    recorder(TurnId(1), TypedMessage("Go."))
    recorder.flush()
    deltas = [TextDelta("word ")] * 5000
    cpu, longest, began = time.process_time(), 0.0, time.perf_counter()
    for delta in deltas:
        before = time.perf_counter()
        recorder(TurnId(1), delta)
        longest = max(longest, time.perf_counter() - before)
    handed_over = time.perf_counter() - began
    recorder.flush()
    saved = time.perf_counter() - began
    recorder(TurnId(1), TurnFinished(TurnMetrics()))
    recorder.flush()
    burst = {
        "burst_us_per_delta": round(handed_over / 5000 * 1e6, 1),
        "burst_longest_call_ms": round(longest * 1000, 2),
        "burst_saved_after_ms": round(saved * 1000, 1),
        "burst_cpu_ms": round((time.process_time() - cpu) * 1000, 1),
    }
    return burst | streamed(shelf)


def streamed(shelf: Shelf) -> dict[str, float]:
    """Measure a reply at 100 deltas a second for ten seconds."""
    pause = threading.Event()
    shelf.recorder(TurnId(2), TypedMessage("Slowly."))
    shelf.recorder.flush()
    idle = time.process_time()
    for _ in range(1000):
        pause.wait(0.01)
    idle = time.process_time() - idle
    busy = time.process_time()
    for _ in range(1000):
        shelf.recorder(TurnId(2), TextDelta("word "))
        pause.wait(0.01)
    busy = time.process_time() - busy - idle
    shelf.recorder(TurnId(2), TurnFinished(TurnMetrics()))
    shelf.recorder.flush()
    return {"streamed_cpu_percent_of_a_core": round(busy / 10 * 100, 2)}


def purge(shelf: Shelf) -> None:
    """Add and remove one conversation for good."""
    for event in typed_turn("Short.", "Lived."):
        shelf.recorder(TurnId(3), event)
    shelf.recorder.flush()
    shelf.library.delete(shelf.recorder.conversation_id)
    shelf.library.purge_deleted(0)
    shelf.recorder.new_conversation()


def timed(call: Callable[[], object], repeats: int = REPEATS) -> dict[str, float]:
    """Return median and worst of some calls, in milliseconds."""
    times = []
    for _ in range(repeats):
        before = time.perf_counter()
        call()
        times.append((time.perf_counter() - before) * 1000)
    return {"median": round(statistics.median(times), 2), "worst": round(max(times), 2)}


if __name__ == "__main__":
    sys.exit(main())
