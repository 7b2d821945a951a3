"""While the assistant speaks: what decides is without echo, what is cut out is not, and less is speech."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_desktop.vad.events import VadEvent
from vad.turn_sounds import all_kinds, describe, kinds, make, pauses, run, segments, sound


def test_segments_are_cut_from_the_raw_sound() -> None:
    clean = sound((960, 0.0), (960, 0.9), (960, 0.0))
    raw = np.random.default_rng(2).uniform(-1, 1, len(clean)).astype(np.float32)

    events = make().feed(clean, 0, raw)

    segment = segments(events)[0]
    assert np.array_equal(segment.audio, raw[segment.start - 6_400 : segment.end + 1_536])
    assert np.array_equal(pauses(events)[0].audio, segment.audio)


def test_raw_speech_decides_nothing() -> None:
    raw = sound((960, 0.9), (960, 0.0))

    assert make().feed(np.zeros_like(raw), 0, raw) == []


def test_raw_sound_of_another_length_is_a_fault() -> None:
    with pytest.raises(ValueError, match="shape"):
        make().feed(np.zeros(512, np.float32), 0, np.zeros(511, np.float32))


@settings(max_examples=20, deadline=None)
@given(blocks=st.lists(st.integers(1, 3_000), min_size=1, max_size=8))
def test_blocks_do_not_matter_with_raw_sound_either(blocks: list[int]) -> None:
    clean = sound((320, 0.0), (960, 0.9), (320, 0.0), (480, 0.9), (2_000, 0.0))
    raw = np.random.default_rng(2).uniform(-1, 1, len(clean)).astype(np.float32)
    expected = [describe(event) for event in make(judge=lambda audio: 0.3).feed(clean, 0, raw)]

    divided = make(judge=lambda audio: 0.3)
    events: list[VadEvent] = []
    start = 0
    for block in itertools.cycle(blocks):
        if start >= len(clean):
            break
        events += divided.feed(clean[start : start + block], start, raw[start : start + block])
        start += block

    assert [describe(event) for event in events] == expected


@pytest.mark.parametrize(
    ("length", "probability", "usual", "strict"),
    [
        (288, 0.95, ["Onset", "Started"], ["Onset"]),
        (384, 0.95, ["Onset", "Started"], ["Onset", "Started"]),
        (960, 0.55, ["Onset", "Started"], []),
        (960, 0.65, ["Onset", "Started"], ["Onset", "Started"]),
    ],
)
def test_while_the_assistant_speaks_speech_must_be_clearer_and_longer(
    length: float, probability: float, usual: list[str], strict: list[str]
) -> None:
    endpointer = make()
    assert all_kinds(run(endpointer, sound((length, probability)))) == usual

    endpointer.reset()
    endpointer.set_strict(True)
    assert all_kinds(run(endpointer, sound((length, probability)))) == strict

    endpointer.reset()
    endpointer.set_strict(False)
    assert all_kinds(run(endpointer, sound((length, probability)))) == usual


def test_a_stricter_setting_of_the_user_stays() -> None:
    endpointer = make(threshold=0.8, min_speech_ms=800)
    endpointer.set_strict(True)

    assert run(endpointer, sound((960, 0.7), (960, 0.0))) == []
    assert kinds(run(endpointer, sound((640, 0.9), (960, 0.0)))) == ["Discarded"]


def test_what_is_being_said_can_be_looked_at() -> None:
    endpointer = make(pre_roll_ms=400)
    assert endpointer.running is None
    run(endpointer, sound((960, 0.0), (160, 0.9)))
    assert endpointer.running is None, "too short to be speech"

    run(endpointer, sound((800, 0.9), (320, 0.0)))
    running = endpointer.running
    assert running is not None
    assert len(running) == 16 * (400 + 960 + 320)

    run(endpointer, sound((960, 0.0)))
    assert endpointer.running is None
