from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_desktop.audio.protocol import Samples
from s2s_desktop.audio.voice_queue import FADE_S, REPLY_GAP_S, VoiceQueue

RATE = 24_000


def pull(queue: VoiceQueue, count: int, now: float = 0.0) -> tuple[Samples, int]:
    out = np.full(count, np.nan, np.float32)
    voice = queue.pull(out, now)
    return out, voice


@settings(max_examples=60, deadline=None)
@given(
    steps=st.lists(st.tuples(st.integers(1, 2000), st.integers(0, 3000)), max_size=12),
    rate=st.sampled_from([16_000, 24_000]),
)
def test_what_was_queued_comes_out_once_and_in_order(steps: list[tuple[int, int]], rate: int) -> None:
    """Also while pieces are pulled before the next one comes, in the middle of a provisional end."""
    queue = VoiceQueue(RATE)
    sound = np.linspace(0.1, 0.9, sum(size for size, _ in steps) or 1, dtype=np.float32)
    heard: list[Samples] = []
    given_so_far = 0
    for size, taken in steps:
        queue.play(sound[given_so_far : given_so_far + size], rate, 0.0)
        given_so_far += size
        out, voice = pull(queue, taken)
        assert not out[voice:].any()
        heard.append(out[:voice])
    rest = round(queue.queued_seconds * RATE)
    out, voice = pull(queue, rest + 100)
    heard.append(out[:voice])

    joined = np.concatenate(heard)
    assert voice == rest
    assert len(joined) == pytest.approx(given_so_far * RATE / rate, abs=1)
    assert queue.queued_seconds == 0.0
    if rate == RATE:
        assert np.array_equal(joined, sound[:given_so_far])


def test_a_dry_spell_of_any_length_up_to_the_limit_is_an_underrun() -> None:
    queue = VoiceQueue(RATE)
    for gap, underruns in [(0.001, 1), (REPLY_GAP_S, 2), (REPLY_GAP_S + 0.1, 2)]:
        queue.play(np.ones(RATE, np.float32), RATE, 0.0)
        pull(queue, 2 * RATE, now=2.0)
        queue.play(np.ones(1, np.float32), RATE, 1.0 + gap)
        assert queue.underruns == underruns
        queue.clear()


def test_a_queue_that_was_emptied_exactly_counts_when_the_next_pull_finds_nothing() -> None:
    queue = VoiceQueue(RATE)
    queue.play(np.ones(480, np.float32), RATE, 0.0)
    pull(queue, 480, now=0.02)
    queue.play(np.ones(480, np.float32), RATE, 0.02)
    assert queue.underruns == 0

    pull(queue, 480, now=0.04)
    pull(queue, 480, now=0.06)
    queue.play(np.ones(480, np.float32), RATE, 0.06)
    assert queue.underruns == 1


def test_flush_of_an_empty_queue_is_silence() -> None:
    queue = VoiceQueue(RATE)

    queue.flush()

    assert pull(queue, 480)[1] == 0


def test_flush_keeps_a_fade_that_ends_in_silence() -> None:
    queue = VoiceQueue(RATE)
    queue.play(np.ones(RATE, np.float32), RATE, 0.0)

    queue.flush()
    out, voice = pull(queue, 480)

    assert voice == int(FADE_S * RATE)
    assert out[voice - 1] == 0.0
    assert np.max(np.abs(np.diff(out[:voice]))) < 0.01


def test_voice_that_is_being_resampled_while_it_is_flushed_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue = VoiceQueue(48_000)
    queue.play(np.ones(240, np.float32), RATE, 0.0)
    assert queue._resampler is not None
    push = queue._resampler.push

    def flushed_meanwhile(samples: Samples) -> tuple[Samples, Samples]:
        queue.flush()
        return push(samples)

    monkeypatch.setattr(queue._resampler, "push", flushed_meanwhile)
    queue.play(np.ones(24_000, np.float32), RATE, 0.0)

    assert queue.queued_seconds <= FADE_S


def test_nothing_queued_is_nothing_played() -> None:
    queue = VoiceQueue(RATE)

    queue.play(np.zeros(0, np.float32), RATE, 0.0)

    assert queue.queued_seconds == 0.0


def test_another_rate_keeps_what_is_queued() -> None:
    queue = VoiceQueue(RATE)
    sound = np.sin(np.arange(RATE) / 20).astype(np.float32)
    queue.play(sound[:12_000], RATE, 0.0)
    pull(queue, 2_400)
    queue.pause()
    pull(queue, 480)

    queue.change_rate(48_000)
    queue.play(sound[12_000:], RATE, 0.0)

    assert queue.queued_seconds == pytest.approx((RATE - 2_400 - FADE_S * RATE) / RATE, abs=0.001)
    assert pull(queue, 480)[1] == 0, "it is still paused"
    queue.resume()
    out, voice = pull(queue, 48_000)
    expected = np.sin(np.arange(2 * RATE) / 40)[5_184:]
    assert np.max(np.abs(out[1_000 : voice - 200] - expected[1_000 : voice - 200])) < 0.1


def test_pause_fades_out_and_resume_fades_in_behind_it_with_nothing_lost() -> None:
    queue = VoiceQueue(RATE)
    queue.play(np.ones(RATE, np.float32), RATE, 0.0)
    pull(queue, 480)

    queue.pause()
    out, voice = pull(queue, 960)
    assert voice == int(FADE_S * RATE)
    assert np.max(np.abs(np.diff(out))) < 0.01, "no click"
    assert not out[voice:].any()
    assert pull(queue, 960)[1] == 0

    queue.resume()
    out, voice = pull(queue, 960)
    assert voice == 960
    assert (out[0], out[voice - 1]) == (0.0, 1.0)
    assert np.max(np.abs(np.diff(out))) < 0.01, "no click"
    assert queue.queued_seconds * RATE == RATE - 480 - int(FADE_S * RATE) - 960


def test_what_is_queued_while_paused_waits_and_is_no_underrun() -> None:
    queue = VoiceQueue(RATE)
    queue.pause()
    queue.play(np.ones(480, np.float32), RATE, 0.0)
    assert pull(queue, 480, now=0.5)[1] == 0

    queue.resume()
    assert pull(queue, 480, now=1.0)[1] == 480
    assert queue.underruns == 0


def test_a_paused_reply_that_goes_on_counts_no_underrun() -> None:
    queue = VoiceQueue(RATE)
    queue.play(np.ones(960, np.float32), RATE, 0.0)
    pull(queue, 480, now=0.02)
    queue.pause()
    for step in range(10):
        pull(queue, 480, now=0.04 + step * 0.02)
    queue.play(np.ones(960, np.float32), RATE, 0.3)
    queue.resume()
    pull(queue, 480, now=0.4)

    assert queue.underruns == 0


def test_pausing_twice_and_resuming_twice_is_once() -> None:
    queue = VoiceQueue(RATE)
    queue.play(np.ones(RATE, np.float32), RATE, 0.0)
    queue.pause()
    queue.pause()
    queue.resume()
    queue.resume()

    out, voice = pull(queue, 4_800)
    assert voice == 4_800
    assert np.max(np.abs(np.diff(out))) < 0.01


def test_flush_of_a_paused_queue_drops_it_and_the_next_voice_is_played_at_once() -> None:
    queue = VoiceQueue(RATE)
    queue.play(np.ones(RATE, np.float32), RATE, 0.0)
    queue.pause()
    pull(queue, 960)

    queue.flush()
    assert pull(queue, 480)[1] == 0
    assert queue.queued_seconds == 0.0
    queue.play(np.full(480, 0.5, np.float32), RATE, 0.0)
    assert np.array_equal(pull(queue, 480)[0], np.full(480, 0.5))


def test_flush_while_fading_in_begins_at_the_loudness_reached() -> None:
    queue = VoiceQueue(RATE)
    queue.play(np.ones(RATE, np.float32), RATE, 0.0)
    queue.pause()
    pull(queue, 480)
    queue.resume()
    before = pull(queue, 96)[0]

    queue.flush()
    after = pull(queue, 480)[0]

    assert abs(after[0] - before[-1]) < 0.02
    assert after[-1] == 0.0
