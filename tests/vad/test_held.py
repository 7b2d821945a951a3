from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from s2s_desktop.vad.events import SpeechDiscarded, SpeechStarted, VadEvent
from s2s_desktop.vad.held import HeldEndpointer
from vad.turn_sounds import describe, kinds, ms, run, segments


def noise(milliseconds: float, seed: int = 1) -> NDArray[np.float32]:
    return np.random.default_rng(seed).uniform(-1, 1, round(16 * milliseconds)).astype(np.float32)


def hold(endpointer: HeldEndpointer, samples: NDArray[np.float32], block: int = 512) -> list[VadEvent]:
    """Hold the key while these samples come."""
    endpointer.press()
    events = run(endpointer, samples, block)
    endpointer.release()
    return events


def test_a_segment_is_what_came_from_press_to_release_with_a_little_around_it() -> None:
    endpointer = HeldEndpointer()
    spoken = noise(4_000)
    run(endpointer, spoken[:16_000])

    events = hold(endpointer, spoken[16_000:48_000])
    events += run(endpointer, spoken[48_000:])

    assert kinds(events) == ["Started", "Segment"]
    segment = segments(events)[0]
    assert events[0] == SpeechStarted(16_000)
    assert (segment.start, segment.end) == (16_000, 48_000)
    assert ms(segment.decided - segment.end) == 250
    assert np.array_equal(segment.audio, spoken[16_000 - 4_800 : 48_000 + 4_000])


def test_without_a_press_nothing_is_heard_and_little_is_kept() -> None:
    endpointer = HeldEndpointer()

    assert run(endpointer, noise(60_000)) == []
    assert endpointer.position == 960_000
    assert endpointer.running is None


def test_a_press_that_opened_the_microphone_has_no_sound_before_it() -> None:
    endpointer = HeldEndpointer()
    endpointer.press()
    endpointer.reset(0)

    events = run(endpointer, noise(1_000))
    endpointer.release()
    events += run(endpointer, noise(500))

    assert len(segments(events)[0].audio) == 16_000 + 4_000


def test_silence_is_a_segment_too_since_speech_to_text_decides() -> None:
    endpointer = HeldEndpointer()
    events = hold(endpointer, np.zeros(16_000, np.float32))
    events += run(endpointer, np.zeros(16_000, np.float32))

    assert kinds(events) == ["Started", "Segment"]


def test_a_slip_of_the_finger_is_discarded() -> None:
    endpointer = HeldEndpointer()
    run(endpointer, noise(500))

    events = hold(endpointer, noise(120)) + run(endpointer, noise(500))

    assert events == [SpeechDiscarded()]


def test_press_and_release_between_two_blocks_is_a_slip() -> None:
    endpointer = HeldEndpointer()
    endpointer.press()
    endpointer.release()

    assert run(endpointer, noise(500)) == [SpeechDiscarded()]


def test_pressing_again_within_the_tail_goes_on_with_the_same_segment() -> None:
    endpointer = HeldEndpointer()
    events = hold(endpointer, noise(1_000)) + run(endpointer, noise(100))
    events += hold(endpointer, noise(1_000)) + run(endpointer, noise(400))

    assert kinds(events) == ["Started", "Segment"]
    assert ms(segments(events)[0].end) == 2_100


def test_two_presses_share_no_sound() -> None:
    endpointer = HeldEndpointer()
    spoken = noise(4_000)
    events = hold(endpointer, spoken[:16_000]) + run(endpointer, spoken[16_000:22_400])
    events += hold(endpointer, spoken[22_400:40_000]) + run(endpointer, spoken[40_000:])

    first, second = segments(events)
    assert np.array_equal(np.concatenate([first.audio, second.audio]), spoken[:44_000])


def test_release_without_a_press_does_nothing() -> None:
    endpointer = HeldEndpointer()
    endpointer.release()

    assert run(endpointer, noise(1_000)) == []


def test_over_long_speech_is_split_and_nothing_is_lost() -> None:
    endpointer = HeldEndpointer(max_speech_s=10.0)
    spoken = noise(25_000)
    spoken[100_000:103_000] *= 0.001

    events = hold(endpointer, spoken) + run(endpointer, noise(500))

    found = segments(events)
    assert len(found) >= 3
    assert kinds(events) == ["Started", "Segment"] * len(found)
    assert [segment.goes_on for segment in found] == [*[True] * (len(found) - 1), False]
    assert 100_000 < len(found[0].audio) < 103_000, "it is split at the quiet place"
    joined = np.concatenate([segment.audio for segment in found])
    assert np.array_equal(joined[: len(spoken)], spoken)


def test_lost_sound_splits_a_held_turn_and_a_short_loss_is_bridged() -> None:
    endpointer = HeldEndpointer()
    endpointer.press()
    events = endpointer.feed(noise(1_000), 0) + endpointer.feed(noise(1_000), 17_600)
    assert kinds(events) == ["Started"]

    events = endpointer.feed(noise(1_000), 500_000)
    endpointer.release()
    events += run(endpointer, noise(400))

    before, after = segments(events)
    assert (len(before.audio), before.goes_on) == (33_600, True)
    assert (after.start, after.end) == (500_000, 516_000)


def test_finish_ends_a_held_turn() -> None:
    endpointer = HeldEndpointer()
    endpointer.press()
    run(endpointer, noise(1_000))

    assert len(segments(endpointer.finish())[0].audio) == 16_000
    assert endpointer.finish() == []
    endpointer.press()
    run(endpointer, noise(64))
    assert endpointer.finish() == [SpeechDiscarded()]


def test_reset_drops_a_held_turn() -> None:
    endpointer = HeldEndpointer()
    endpointer.press()
    run(endpointer, noise(1_000))

    endpointer.reset(100)
    endpointer.release()

    assert run(endpointer, noise(1_000)) == []
    assert endpointer.position == 16_100


def test_what_is_being_said_can_be_looked_at() -> None:
    endpointer = HeldEndpointer()
    endpointer.press()
    run(endpointer, noise(1_024))

    running = endpointer.running
    assert running is not None
    assert len(running) == 16_384


def test_raw_sound_is_what_is_kept() -> None:
    endpointer = HeldEndpointer()
    endpointer.press()
    raw = noise(1_000)
    endpointer.feed(np.zeros(16_000, np.float32), 0, raw)

    assert np.array_equal(segments(endpointer.finish())[0].audio, raw)


@settings(max_examples=30, deadline=None)
@given(blocks=st.lists(st.integers(1, 3_000), min_size=1, max_size=8))
def test_blocks_do_not_matter(blocks: list[int]) -> None:
    def hear(sizes: list[int]) -> list[object]:
        endpointer = HeldEndpointer(max_speech_s=2.0)
        size = itertools.cycle(sizes)
        events: list[VadEvent] = []
        for key, milliseconds in ((None, 500), (True, 5_000), (False, 1_000), (True, 400), (False, 800)):
            if key is not None:
                (endpointer.press if key else endpointer.release)()
            part = noise(milliseconds)
            while part.size:
                length = next(size)
                events += endpointer.feed(part[:length])
                part = part[length:]
        return [describe(event) for event in events]

    assert hear(blocks) == hear([16])
