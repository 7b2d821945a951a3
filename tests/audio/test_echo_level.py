"""A voice louder than any echo is told from the echo before AEC3 knows the room."""

from __future__ import annotations

import math

import numpy as np
import pytest

from s2s_desktop.audio.echo_level import EchoLevel
from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from simulated_room import loudspeaker

SECONDS = 4
BLOCK = 512


def voice(seed: int) -> Samples:
    """Return noise in syllables of 200 ms, as a voice is."""
    sound = np.random.default_rng(seed).standard_normal(SECONDS * PIPELINE_RATE)
    syllables = 0.55 + 0.45 * np.sin(2 * np.pi * 5 * np.arange(sound.size) / PIPELINE_RATE)
    return np.asarray(0.1 * sound * syllables, np.float32)


FAR = voice(1)


def echo(db: float, late: int = 1_600) -> Samples:
    heard = np.concatenate([np.zeros(late, np.float32), loudspeaker(FAR)])[: FAR.size]
    return np.asarray(heard * 10 ** (db / 20), np.float32) + noise()


def noise() -> Samples:
    return np.asarray(0.0005 * np.random.default_rng(3).standard_normal(FAR.size), np.float32)


def spoken_from(seconds: float) -> Samples:
    user = voice(2)
    user[: int(seconds * PIPELINE_RATE)] = 0.0
    return user


def voices(level: EchoLevel, near: Samples, far: Samples = FAR, block: int = BLOCK) -> list[float]:
    """Return the seconds at which a voice was found."""
    starts = range(0, far.size, block)
    return [s / PIPELINE_RATE for s in starts if level.is_voice(near[s : s + block], far[s : s + block])]


@pytest.mark.parametrize("db", [0.0, -12.0, -30.0])
@pytest.mark.parametrize("late", [0, 1_600, 4_800])
def test_an_echo_is_no_voice_whatever_its_level_and_delay(db: float, late: int) -> None:
    assert voices(EchoLevel(), echo(db, late)) == []


def test_with_headphones_a_voice_is_known_within_the_first_second_of_the_first_reply() -> None:
    found = voices(EchoLevel(), noise() + spoken_from(0.8))
    assert 0.8 < found[0] < 1.0


def test_somebody_louder_than_a_weak_echo_is_a_voice() -> None:
    assert voices(EchoLevel(), echo(-30.0) + spoken_from(2.0))[0] < 2.3


def test_somebody_who_speaks_from_the_start_is_left_to_the_canceller() -> None:
    assert voices(EchoLevel(), noise() + voice(2)) == []


def test_a_remembered_level_tells_a_voice_at_once_and_only_for_a_moment() -> None:
    found = voices(EchoLevel(remembered_db=-45.0), noise() + voice(2))
    assert found[0] < 0.3
    assert found[-1] < 0.6, "a memory that is wrong would let the assistant interrupt itself"


def test_what_is_heard_replaces_what_was_remembered() -> None:
    level = EchoLevel(remembered_db=-45.0)
    voices(level, echo(-6.0))
    assert -15.0 < level.bound_db < 0.0


def test_a_voice_that_ends_with_ours_was_an_echo() -> None:
    level = EchoLevel()
    voices(level, noise())
    louder, far = echo(-6.0), FAR.copy()
    held = int(1.2 * PIPELINE_RATE)
    far[held:], louder[held + 3_200 :] = 0.0, 0.0
    assert voices(level, louder, far), "the volume was turned up"
    assert voices(level, echo(-6.0)) == []


def test_nothing_is_known_before_anything_was_played() -> None:
    level = EchoLevel()
    assert voices(level, voice(2), np.zeros_like(FAR)) == []
    assert math.isinf(level.bound_db)


@pytest.mark.parametrize("block", [160, 333, 4_096])
def test_blocks_of_any_length_tell_the_same(block: int) -> None:
    found = voices(EchoLevel(), noise() + spoken_from(2.0), block=block)
    assert 2.0 - block / PIPELINE_RATE <= found[0] < 2.4


def test_silence_between_replies_is_no_evidence() -> None:
    level = EchoLevel()
    voices(level, echo(-6.0))
    before = level.bound_db
    level.begin()
    voices(level, noise(), np.zeros_like(FAR))
    assert level.bound_db == before
