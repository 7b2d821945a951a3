from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_desktop.vad.detector import FRAME_SAMPLES
from s2s_desktop.vad.endpointing import Endpointer
from s2s_desktop.vad.events import SpeechDiscarded, SpeechSegment, SpeechStarted, VadEvent
from vad.turn_sounds import FRAME_MS, SampleDetector, decided, describe, kinds, make, ms, run, segments, sound


def test_a_turn_starts_with_minimum_speech_and_ends_with_the_pause() -> None:
    endpointer = make(pause_ms=600, min_speech_ms=250, pre_roll_ms=400)
    spoken = sound((960, 0.0), (960, 0.9), (960, 0.0))

    events = run(endpointer, spoken)

    assert kinds(events) == ["Started", "Segment"]
    segment = segments(events)[0]
    assert decided(events)[0] == SpeechStarted(segment.start)
    assert (ms(segment.start), ms(segment.end)) == (960, 1920)
    assert 600 <= ms(segment.decided - segment.end) < 600 + FRAME_MS
    assert ms(len(segment.audio)) == 400 + 960 + 96
    assert np.array_equal(segment.audio, spoken[segment.start - 6_400 : segment.end + 1_536])


def test_speech_started_comes_as_soon_as_minimum_speech_is_reached() -> None:
    endpointer = make(min_speech_ms=250)
    told_after = None
    for number in itertools.count(1):
        if decided(endpointer.feed(sound((FRAME_MS, 0.9)))):
            told_after = number * FRAME_MS
            break

    assert told_after == 256


def test_speech_in_the_very_first_block_is_kept_whole() -> None:
    spoken = sound((960, 0.9), (960, 0.0))

    segment = segments(run(make(), spoken))[0]

    assert segment.start == 0
    assert np.array_equal(segment.audio[: segment.end], spoken[: segment.end])


@pytest.mark.parametrize(("setting", "kept"), [(0, 200), (100, 200), (200, 200), (400, 400), (1000, 1000)])
def test_at_least_200_ms_are_kept_in_front_whatever_the_setting(setting: int, kept: int) -> None:
    segment = segments(run(make(pre_roll_ms=setting), sound((1600, 0.0), (960, 0.9), (960, 0.0))))[0]

    assert ms(len(segment.audio)) == kept + 960 + 96


def test_nothing_is_padded_twice() -> None:
    spoken = sound((320, 0.0), (480, 0.9), (608, 0.0), (480, 0.8), (960, 0.0))
    spoken += np.linspace(0, 0.01, len(spoken), dtype=np.float32)

    first, second = segments(run(make(pre_roll_ms=1000), spoken))

    joined = np.concatenate([first.audio, second.audio])
    assert np.array_equal(joined, spoken[: len(joined)])
    assert len(second.audio) == second.end + 1_536 - (first.end + 1_536)


def test_a_pause_within_a_sentence_does_not_end_the_turn() -> None:
    events = run(make(pause_ms=600), sound((480, 0.9), (576, 0.0), (480, 0.9), (960, 0.0)))

    assert kinds(events) == ["Started", "Segment"]
    assert ms(segments(events)[0].end) == 480 + 576 + 480


def test_a_weak_syllable_is_no_pause_but_does_not_start_speech() -> None:
    """Hysteresis: 0.4 holds speech that was there, and is none by itself."""
    held = run(make(threshold=0.5), sound((480, 0.9), (960, 0.4), (320, 0.9), (960, 0.0)))
    alone = run(make(threshold=0.5), sound((960, 0.4), (960, 0.0)))

    assert kinds(held) == ["Started", "Segment"]
    assert ms(segments(held)[0].end) == 480 + 960 + 320
    assert alone == []


def test_the_threshold_is_a_setting() -> None:
    spoken = sound((960, 0.6), (960, 0.0))

    assert kinds(run(make(threshold=0.5), spoken)) == ["Started", "Segment"]
    assert run(make(threshold=0.7), spoken) == []


@pytest.mark.parametrize("length", [32, 64, 96, 224])
def test_a_click_is_at_most_discarded(length: int) -> None:
    events = run(make(), sound((960, 0.0), (length, 0.95), (960, 0.0)))

    assert decided(events) == [SpeechDiscarded()]


def test_padding_and_pauses_do_not_count_as_speech() -> None:
    """S41: a click of 60 ms and the pause behind it stay below minimum speech; 600 ms do not."""
    endpointer = make(min_speech_ms=350, pre_roll_ms=1000)

    assert kinds(run(endpointer, sound((64, 0.9), (400, 0.0), (64, 0.9), (960, 0.0)))) == ["Discarded"]
    assert kinds(run(endpointer, sound((256, 0.9), (960, 0.0)))) == ["Discarded"]
    assert kinds(run(endpointer, sound((608, 0.9), (960, 0.0)))) == ["Started", "Segment"]


def test_typing_on_a_keyboard_for_a_minute_never_adds_up_to_speech() -> None:
    click = sound((32, 0.9), (256, 0.0))

    events = run(make(), np.tile(click, 200))

    assert kinds(events) == []


def test_a_short_word_before_the_rest_belongs_to_the_turn() -> None:
    """ "No, | I will come": the word alone is below minimum speech, and must not be lost."""
    events = run(make(), sound((960, 0.0), (160, 0.9), (320, 0.0), (960, 0.9), (960, 0.0)))

    segment = segments(events)[0]
    assert kinds(events) == ["Started", "Segment"]
    assert ms(segment.start) == 960


def test_what_was_discarded_can_still_be_the_pre_roll_of_the_next_turn() -> None:
    spoken = sound((96, 0.9), (608, 0.0), (96, 0.0), (480, 0.9), (960, 0.0))

    events = run(make(pre_roll_ms=2000), spoken)

    assert kinds(events) == ["Discarded", "Started", "Segment"]
    assert np.array_equal(segments(events)[0].audio[:1536], spoken[:1536])


def test_over_long_speech_is_split_at_the_quietest_place_and_nothing_is_lost() -> None:
    spoken = sound((320, 0.0), (12_000, 0.9), (96, 0.4), (9_000, 0.9), (960, 0.0))
    spoken[6:-6:11] += 0.001

    events = run(make(max_speech_s=15.0), spoken)

    assert kinds(events) == ["Started", "Segment", "Started", "Segment"]
    first, second = segments(events)
    assert 320 + 12_000 < ms(len(first.audio)) < 320 + 12_000 + 96
    assert second.start >= first.end
    joined = np.concatenate([first.audio, second.audio])
    assert np.array_equal(joined, spoken[: len(joined)])
    assert len(joined) == second.end + 1_536


def test_speech_without_any_quiet_place_is_split_near_the_limit() -> None:
    spoken = sound((70_000, 0.9), (960, 0.0))

    found = segments(run(make(max_speech_s=30.0), spoken))

    assert len(found) == 3
    assert all(len(segment.audio) <= 30.0 * 16_000 + FRAME_SAMPLES for segment in found)
    assert sum(len(segment.audio) for segment in found) == found[-1].end + 1_536
    assert [segment.goes_on for segment in found] == [True, True, False]


def test_speech_that_ends_just_at_the_limit_gives_no_empty_turn() -> None:
    spoken = sound((9_600, 0.9), (416, 0.0), (3_000, 0.0))

    events = run(make(max_speech_s=10.0), spoken)

    assert kinds(events) == ["Started", "Segment"]
    assert ms(segments(events)[0].end) == 9_600
    assert not segments(events)[0].goes_on


def test_finish_ends_a_running_turn_with_every_sample_of_it() -> None:
    endpointer = make()
    spoken = np.concatenate([sound((960, 0.9)), np.full(100, 0.9, np.float32)])
    started = run(endpointer, spoken)

    events = endpointer.finish()

    assert kinds(started + events) == ["Started", "Segment"]
    segment = segments(events)[0]
    assert np.array_equal(segment.audio, spoken)
    assert segment.decided == len(spoken)


def test_finish_discards_what_was_too_short_and_is_silent_when_nothing_runs() -> None:
    endpointer = make()
    run(endpointer, sound((96, 0.9)))

    assert endpointer.finish() == [SpeechDiscarded()]
    assert endpointer.finish() == []


def test_after_finish_the_next_turn_is_found_at_its_place_in_the_source() -> None:
    endpointer = make()
    first = np.concatenate([sound((960, 0.9)), np.full(100, 0.9, np.float32)])
    run(endpointer, first)
    endpointer.finish()

    found = segments(run(endpointer, sound((320, 0.0), (960, 0.9), (960, 0.0))))

    assert found[0].start == len(first) + 320 * 16


def test_reset_drops_a_running_turn_and_the_detector_forgets() -> None:
    detector = SampleDetector()
    endpointer = Endpointer(detector)
    run(endpointer, sound((960, 0.9)))
    before = detector.resets

    endpointer.reset(500_000)
    events = run(endpointer, sound((960, 0.0), (960, 0.9), (960, 0.0)))

    assert detector.resets == before + 1
    assert kinds(events) == ["Started", "Segment"]
    assert segments(events)[0].start == 500_000 + 960 * 16


def test_lost_sound_ends_the_turn_and_the_next_one_is_found_within_a_second() -> None:
    """S43: the consumer stalled for 20 s and the microphone dropped what it could not keep."""
    endpointer = make()
    position = 0
    for _ in range(50):
        spoken = sound((320, 0.0), (960, 0.9))
        events = endpointer.feed(spoken, position)
        assert kinds(events) == ["Started"]
        position += len(spoken) + 20 * 16_000

        assert kinds(endpointer.feed(sound((320, 0.0)), position)) == ["Segment"]
        position += 320 * 16
        again = endpointer.feed(sound((960, 0.9)), position)
        assert decided(again) == [SpeechStarted(position)]
        position += 960 * 16
        assert kinds(endpointer.feed(sound((960, 0.0)), position)) == ["Segment"]
        position += 960 * 16


def test_a_short_loss_is_bridged_within_the_turn() -> None:
    endpointer = make()
    endpointer.feed(sound((960, 0.9)), 0)
    lost = 1_600

    events = endpointer.feed(sound((960, 0.9), (960, 0.0)), 15_360 + lost)

    assert kinds(events) == ["Segment"]
    assert segments(events)[0].end - segments(events)[0].start == pytest.approx(30_720 + lost, abs=512)


def test_a_source_may_begin_at_any_position() -> None:
    events = make().feed(sound((320, 0.0), (960, 0.9), (960, 0.0)), 1_000_000)

    assert segments(events)[0].start == 1_000_000 + 320 * 16


def test_the_detector_only_ever_gets_512_samples() -> None:
    detector = SampleDetector()
    endpointer = Endpointer(detector)
    for block in (160, 320, 480, 720, 1024, 1136, 1, 5_000):
        run(endpointer, sound((960, 0.9)), block)
    endpointer.finish()

    assert detector.lengths == {512}


@settings(max_examples=30, deadline=None)
@given(
    parts=st.lists(st.tuples(st.integers(32, 1_500), st.sampled_from([0.0, 0.4, 0.6, 0.95])), max_size=12),
    blocks=st.lists(st.integers(1, 3_000), min_size=1, max_size=8),
)
def test_the_same_sound_gives_the_same_events_however_it_is_divided(
    parts: list[tuple[int, float]], blocks: list[int]
) -> None:
    spoken = sound(*parts, (960, 0.0))
    whole = make(max_speech_s=3.0)
    expected = whole.feed(spoken) + whole.finish()

    divided = make(max_speech_s=3.0)
    events: list[VadEvent] = []
    start = 0
    for block in itertools.cycle(blocks):
        if start >= len(spoken):
            break
        events += divided.feed(spoken[start : start + block], start)
        start += block
    events += divided.finish()

    assert [describe(event) for event in events] == [describe(event) for event in expected]


@settings(max_examples=100, deadline=None)
@given(
    parts=st.lists(
        st.tuples(st.integers(32, 2_500), st.sampled_from([0.0, 0.4, 0.6, 0.95])), min_size=1, max_size=14
    ),
    pause=st.integers(200, 1_000),
    pre_roll=st.integers(0, 1_000),
    longest=st.floats(1.0, 6.0),
)
def test_segments_keep_their_promises(
    parts: list[tuple[int, float]], pause: int, pre_roll: int, longest: float
) -> None:
    spoken = sound(*parts)
    spoken += np.random.default_rng(0).uniform(0, 0.001, len(spoken)).astype(np.float32)
    endpointer = make(pause_ms=pause, pre_roll_ms=pre_roll, max_speech_s=longest)
    events = run(endpointer, spoken) + endpointer.finish()

    used_until = 0
    for before, event in itertools.pairwise([SpeechDiscarded(), *decided(events)]):
        if isinstance(event, SpeechSegment):
            assert before == SpeechStarted(event.start)
            assert event.start < event.end <= event.decided <= len(spoken)
            possible = (max(used_until, event.start - 16 * max(pre_roll, 200)), used_until)
            ends = [start + len(event.audio) for start in possible]
            matches = [np.array_equal(event.audio, spoken[end - len(event.audio) : end]) for end in ends]
            assert any(matches), "the audio begins with the pre-roll, or where a split ended"
            used_until = ends[matches.index(True)]
            assert event.end <= used_until
        else:
            assert not isinstance(before, SpeechStarted), "a start is followed by its segment"
