from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from s2s_desktop.audio.echo_reference import EchoReference
from s2s_desktop.audio.protocol import Samples
from simulated_room import OUTPUT_LATENCY_S, record

RATE = 16_000


def voice(seconds: float) -> Samples:
    """Return sound in which every place can be told from every other."""
    rng = np.random.default_rng(1)
    smooth = np.convolve(rng.standard_normal(round(seconds * RATE)), np.ones(8) / 8, mode="same")
    return (0.3 * smooth).astype(np.float32)


def read_all(
    played: Samples, reference: EchoReference, *, jitter: Callable[[], float] = lambda: 0.0
) -> Samples:
    """Return what the canceller is given while `played` is played."""
    blocks = record(np.zeros_like(played), played, reference, jitter=jitter)
    return np.concatenate([reference.read(block.samples.size, block.captured_at) for block in blocks])


def lag_of(heard: Samples, played: Samples) -> int:
    """Return by how many samples `heard` is behind `played`."""
    size = 2 * len(played)
    likeness = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(played, size)), size)
    lag = int(np.argmax(likeness))
    return lag if lag < len(played) else lag - size


def test_what_was_played_is_read_when_it_is_heard() -> None:
    played = voice(4.0)

    heard = read_all(played, EchoReference())

    assert lag_of(heard, played) == pytest.approx(OUTPUT_LATENCY_S * RATE, abs=8)


def test_nothing_played_is_silence() -> None:
    assert np.array_equal(EchoReference().read(512, 5.0), np.zeros(512))


def test_after_the_speaker_stopped_there_is_silence() -> None:
    reference = EchoReference()
    reference.write(np.ones(16_000, np.float32), RATE, 0.0)

    heard = np.concatenate([reference.read(1_600, 0.1 * block) for block in range(1, 31)])

    assert heard[1_600:14_400].all()
    assert not heard[17_600:].any()


def test_jitter_of_the_driver_moves_nothing() -> None:
    """Each correction is a jump that the canceller must adapt to."""
    rng = np.random.default_rng(5)
    played = voice(6.0)

    heard = read_all(played, EchoReference(), jitter=lambda: float(rng.uniform(-0.015, 0.015)))

    lags = {lag_of(heard[at : at + RATE], played[at : at + RATE]) for at in range(RATE, 5 * RATE, RATE)}
    assert len(lags) == 1


def hear_a_device_that_jumps(sound: Samples, seconds: float) -> Samples:
    """Return what is read when, after 3 s of voice, the device plays so much later than before."""
    reference = EchoReference()
    heard = []
    for part in range(len(sound) // 320):
        reference.write(
            sound[320 * part : 320 * (part + 1)], RATE, 0.02 * part + (seconds if part >= 150 else 0)
        )
        heard.append(reference.read(320, 0.02 * (part + 1)))
    return np.concatenate(heard)


def test_a_small_jump_within_voice_is_left_to_the_canceller() -> None:
    sound = voice(6.0)

    heard = hear_a_device_that_jumps(sound, 0.08)

    assert np.array_equal(heard, sound)


def test_a_large_jump_is_followed_within_a_second() -> None:
    sound = voice(6.0)

    heard = hear_a_device_that_jumps(sound, 0.3)

    assert np.array_equal(heard[: 3 * RATE], sound[: 3 * RATE])
    assert lag_of(heard[4 * RATE :], sound[4 * RATE :]) == 0.3 * RATE


def test_a_sound_is_never_told_much_after_it_was_heard() -> None:
    """The canceller looks back, not ahead."""
    sound = voice(6.0)

    heard = hear_a_device_that_jumps(sound, -0.06)

    assert not heard[-RATE:].any(), "what is heard now has not been played yet: such times are nonsense"


def test_a_device_that_plays_later_than_it_says_is_believed_to_do_so() -> None:
    """What has not been handed to the device cannot have been heard."""
    reference = EchoReference()
    sound = np.concatenate([np.zeros(2 * RATE, np.float32), voice(2.0)])
    heard = []
    for part in range(len(sound) // 320):
        heard.append(reference.read(320, 0.02 * (part + 1)))
        reference.write(sound[320 * part : 320 * (part + 1)], RATE, 0.02 * part)

    joined = np.concatenate(heard)
    assert lag_of(joined[-RATE:], sound[-RATE:]) == 320


def test_clocks_that_drift_apart_are_brought_together_in_silence() -> None:
    reference = EchoReference()
    sound = voice(1.0)
    for second in range(100):
        samples = sound if second % 10 == 9 else np.zeros_like(sound)
        reference.write(samples, RATE, second * 1.0005)
        heard = np.concatenate(
            [reference.read(1_600, second * 1.0005 + 0.1 * part + 0.1) for part in range(10)]
        )
        if second % 10 == 9:
            assert abs(lag_of(heard, sound)) <= 0.012 * RATE


def test_another_device_begins_anew() -> None:
    reference = EchoReference()
    read_all(voice(1.0), reference)

    reference.reset()
    assert not reference.read(512, 1.1).any()
    sound = voice(1.0)
    reference.write(sound, RATE, 100.0)

    assert np.array_equal(reference.read(1_600, 100.1), sound[:1_600])


def test_sound_the_microphone_lost_is_skipped() -> None:
    reference = EchoReference()
    sound = voice(1.0)
    reference.write(sound, RATE, 0.0)
    reference.read(1_600, 0.1)

    reference.skip(4_800)

    assert np.array_equal(reference.read(1_600, 0.5), sound[6_400:8_000])


def test_a_microphone_that_reads_nothing_for_long_makes_it_neither_grow_nor_go_wrong() -> None:
    reference = EchoReference()
    read_all(voice(1.0), reference)
    for second in range(100):
        reference.write(voice(1.0), RATE, float(second))

    assert np.array_equal(reference.read(1_600, 99.1), voice(1.0)[:1_600])
    assert sum(len(block.samples) for block in reference._played) == 0
