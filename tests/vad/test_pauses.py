"""Pauses within a turn: what is said of them, and how a judge of sentences changes the wait."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from s2s_desktop.vad.events import SpeechOnset, SpeechResumed
from s2s_desktop.vad.turn_pause import pause_ms
from vad.turn_sounds import FRAME_MS, all_kinds, kinds, make, ms, pauses, run, segments, sound


def test_a_pause_is_told_once_and_holds_what_the_segment_will_hold() -> None:
    events = run(make(pause_ms=600), sound((960, 0.9), (960, 0.0)))

    assert all_kinds(events) == ["Onset", "Started", "Paused", "Segment"]
    pause, segment = pauses(events)[0], segments(events)[0]
    assert ms(pause.decided - pause.end) == 96
    assert (pause.start, pause.end, pause.finished) == (segment.start, segment.end, None)
    assert np.array_equal(pause.audio, segment.audio)


def test_speech_that_goes_on_is_told_and_the_next_pause_holds_all_of_it() -> None:
    events = run(make(pause_ms=600), sound((480, 0.9), (320, 0.0), (480, 0.9), (960, 0.0)))

    assert all_kinds(events) == ["Onset", "Started", "Paused", "Resumed", "Paused", "Segment"]
    first, second = pauses(events)
    assert (ms(first.end), ms(second.end)) == (480, 480 + 320 + 480)
    assert np.array_equal(second.audio, segments(events)[0].audio)


def test_a_breath_is_no_pause() -> None:
    events = run(make(), sound((480, 0.9), (64, 0.0), (480, 0.9), (960, 0.0)))

    assert all_kinds(events) == ["Onset", "Started", "Paused", "Segment"]


def test_a_click_makes_no_pause() -> None:
    assert all_kinds(run(make(), sound((160, 0.9), (960, 0.0)))) == ["Onset", "Discarded"]


def test_the_onset_is_told_before_the_speech_is_sure() -> None:
    endpointer = make(min_speech_ms=250)

    heard = [endpointer.feed(sound((FRAME_MS, 0.9))) for _ in range(8)]

    assert [len(events) for events in heard] == [0, 1, 0, 0, 0, 0, 0, 1]
    assert heard[1] == [SpeechOnset(0)]


def test_a_turn_that_finish_ends_within_a_breath_needs_no_pause() -> None:
    endpointer = make()

    assert all_kinds(run(endpointer, sound((960, 0.9))) + endpointer.finish()) == [
        "Onset",
        "Started",
        "Segment",
    ]


@pytest.mark.parametrize(
    ("finished", "waited"), [(0.99, 384), (0.9, 384), (0.89, 608), (0.5, 608), (0.49, 1216), (0.0, 1216)]
)
def test_the_more_finished_a_sentence_sounds_the_shorter_the_wait(finished: float, waited: float) -> None:
    events = run(make(pause_ms=600, judge=lambda _: finished), sound((960, 0.9), (2_400, 0.0)))

    assert pauses(events)[0].finished == finished
    segment = segments(events)[0]
    assert ms(segment.decided - segment.end) == waited


def test_each_pause_is_judged_on_the_whole_turn_so_far() -> None:
    heard: list[int] = []

    def judge(audio: NDArray[np.float32]) -> float:
        heard.append(len(audio))
        return 0.1 if len(heard) == 1 else 0.95

    events = run(make(judge=judge), sound((480, 0.9), (1_120, 0.0), (480, 0.9), (960, 0.0)))

    assert kinds(events) == ["Started", "Segment"]
    ahead = 16 * FRAME_MS
    assert heard == [len(pause.audio) - ahead for pause in pauses(events)], "asked before the pause is told"
    assert [pause.finished for pause in pauses(events)] == [0.1, 0.95]
    assert ms(segments(events)[0].decided - segments(events)[0].end) == 384


def test_a_breath_is_judged_anew_when_it_comes_again() -> None:
    asked = iter([0.95, 0.1])

    events = run(make(judge=lambda _: next(asked)), sound((480, 0.9), (64, 0.0), (480, 0.9), (2_400, 0.0)))

    assert [pause.finished for pause in pauses(events)] == [0.1]
    assert ms(segments(events)[0].decided - segments(events)[0].end) == 1216


def test_speech_after_an_unfinished_sentence_belongs_to_it_and_after_a_finished_one_does_not() -> None:
    spoken = sound((960, 0.9), (800, 0.0), (960, 0.9), (2_400, 0.0))

    assert kinds(run(make(judge=lambda _: 0.1), spoken)) == ["Started", "Segment"]
    assert kinds(run(make(judge=lambda _: 0.99), spoken)) == ["Started", "Segment"] * 2
    assert SpeechResumed() in run(make(judge=lambda _: 0.1), spoken)


def test_a_judge_that_fails_leaves_it_to_the_pause_and_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def judge(_: NDArray[np.float32]) -> float:
        raise RuntimeError("no such node")

    with caplog.at_level(logging.ERROR):
        events = run(make(pause_ms=600, judge=judge), sound((960, 0.9), (960, 0.0)))
        again = make(pause_ms=600, judge=judge)
        events += run(again, sound(*[(960, 0.9), (960, 0.0)] * 3))

    assert kinds(events) == ["Started", "Segment"] * 4
    assert all(ms(segment.decided - segment.end) == 608 for segment in segments(events))
    assert [pause.finished for pause in pauses(events)] == [None] * 4
    assert len(caplog.records) == 2, "once for each of the two endpointers"


@settings(max_examples=200)
@given(setting=st.integers(200, 3_000), finished=st.floats(0.0, 1.0))
def test_a_judgment_never_makes_the_pause_absurd(setting: int, finished: float) -> None:
    judged = pause_ms(setting, finished)

    assert min(setting, 384) <= judged <= max(setting, 2_000)
    assert pause_ms(setting, None) == setting
    if finished >= 0.9:
        assert judged <= setting
