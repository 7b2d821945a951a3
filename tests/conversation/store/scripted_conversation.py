"""Holds a conversation that goes on until the process is killed. Run by `test_kill.py`.

Prints a line for each thing that is shown, and one when everything shown so far is known to be saved. A later
run over the same folder goes on where the one before was killed.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from conversation.store.kit import Shelf
from s2s_desktop.conversation.events import (
    AssistantMessage,
    Event,
    FinishReason,
    ReplyFinished,
    TextDelta,
    ToolCall,
    ToolResult,
    TurnFinished,
    TurnMetrics,
    TypedMessage,
)


def script(run: int, number: int) -> list[Event]:
    """Turn `number` of run `run`: always the same."""
    chance = random.Random(run * 1000 + number)
    words = [f" r{run}t{number}w{place}" for place in range(chance.randrange(1, 40))]
    events: list[Event] = [TypedMessage(f"Question {number} of run {run}"), *map(TextDelta, words)]
    events.append(AssistantMessage("".join(words)))
    if number % 3 == 0:
        events += [
            ToolCall(f"c{number}", "calculator", f'{{"n": {number}}}'),
            ToolResult(f"c{number}", "calculator", str(number)),
            TextDelta("Done."),
            AssistantMessage("Done."),
        ]
    return [*events, ReplyFinished(FinishReason.STOP), TurnFinished(TurnMetrics())]


def main() -> None:
    """Talk for ever."""
    folder, run, conversation = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    shelf = Shelf(folder)
    if conversation != "-":
        shelf.library.conversation(conversation)
        shelf.recorder.resume(conversation)
    print("conversation", shelf.recorder.conversation_id, flush=True)
    chance = random.Random()
    number = 0
    while True:
        number += 1
        for place, event in enumerate(script(run, number), 1):
            shelf.feed(number, [event])
            print("shown", number, place, flush=True)
            if chance.random() < 0.1 and shelf.recorder.flush():
                print("saved", number, place, flush=True)
            time.sleep(chance.random() * 0.004)


if __name__ == "__main__":
    main()
