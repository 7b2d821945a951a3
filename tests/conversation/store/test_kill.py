"""The process dies at any moment: the file opens, what was saved is there, nothing is there twice.

`S2S_TEST_KILLS` sets how often (default 5).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from conversation.store.kit import Shelf, integrity
from conversation.store.scripted_conversation import script
from s2s_desktop.conversation.events import Event, TurnId
from s2s_desktop.conversation.store.records import SavedTurn
from s2s_desktop.conversation.store.turn_draft import TurnDraft

KILLS = int(os.environ.get("S2S_TEST_KILLS", "5"))
CHILD = Path(__file__).with_name("scripted_conversation.py")


def messages_after(events: Sequence[Event]) -> list[tuple[str, str, str]]:
    """What the window shows of a turn after these events: role, text, tool."""
    draft = TurnDraft(TurnId(1), 0)
    for event in events:
        draft.apply(event, 0)
    return texts_of(draft.saved_turn())


def texts_of(turn: SavedTurn) -> list[tuple[str, str, str]]:
    return [(message.role, message.text, repr(message.tool)) for message in turn.messages]


def run_until_killed(folder: Path, run: int, conversation: str, lines: int) -> list[list[str]]:
    """Return what the child printed until it was killed, after about so many lines."""
    tests, checkout = CHILD.parents[2], CHILD.parents[3]
    child = subprocess.Popen(
        [sys.executable, str(CHILD), str(folder), str(run), conversation],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{tests}{os.pathsep}{checkout}"},
    )
    assert child.stdout is not None
    printed: list[list[str]] = []
    for line in child.stdout:
        printed.append(line.split())
        if len(printed) == lines:
            child.kill()
    child.wait()
    child.stdout.close()
    return [line for line in printed if line[0] == "conversation" or len(line) == 3]


def test_a_process_that_is_killed_loses_nothing_that_was_saved_and_repeats_nothing(tmp_path: Path) -> None:
    chance = random.Random()
    conversation = "-"
    expected: list[list[tuple[str, str, str]]] = []
    for run in range(KILLS):
        printed = run_until_killed(tmp_path, run, conversation, chance.randrange(2, 300))
        if conversation == "-":
            conversation = printed[0][1]
        shelf = Shelf(tmp_path)
        try:
            turns = shelf.library.turns(conversation, limit=100_000)
        finally:
            shelf.close()
        assert integrity(shelf.path) == "ok"
        saved = max(((int(n), int(p)) for kind, n, p in printed[1:] if kind == "saved"), default=(0, 0))
        here = [texts_of(turn) for turn in turns]
        assert here[: len(expected)] == expected, "an earlier run has changed"
        new = here[len(expected) :]
        assert len(new) >= saved[0]
        for number, messages in enumerate(new, 1):
            events = script(run, number)
            states = [messages_after(events[:place]) for place in range(1, len(events) + 1)]
            assert messages in states, "a state that was never shown"
            least = saved[1] if number == saved[0] else 1 if number > saved[0] else len(events)
            assert messages in states[least - 1 :], "something that was saved is gone"
            if number < len(new):
                assert messages == states[-1], "a turn before the last one is not whole"
        expected = here
