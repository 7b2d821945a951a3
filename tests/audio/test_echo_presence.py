"""An echo of our own voice is told from a quiet room, from noise, and from somebody else."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.audio.echo_presence import EchoPresence
from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from simulated_room import loudspeaker

SECONDS = 8
BLOCK = 512


def voice(seed: int) -> Samples:
    """Return noise in syllables of uneven length and loudness, as a voice is."""
    rng = np.random.default_rng(seed)
    sound = rng.standard_normal(SECONDS * PIPELINE_RATE).astype(np.float32)
    loudness = np.zeros(sound.size, np.float32)
    at = 0
    while at < sound.size:
        long, gap = rng.integers(1_000, 5_000), rng.integers(500, 4_000)
        loudness[at : at + long] = 10 ** rng.uniform(-1.5, -0.5)
        at += long + gap
    return 0.5 * sound * loudness


FAR = voice(1)


def echo(db: float, late: int = 960) -> Samples:
    heard = np.concatenate([np.zeros(late, np.float32), loudspeaker(FAR)])[: FAR.size]
    return np.asarray(heard * 10 ** (db / 20), np.float32)


def noise(level: float = 0.001) -> Samples:
    return np.asarray(level * np.random.default_rng(3).standard_normal(FAR.size), np.float32)


def follow(presence: EchoPresence, near: Samples, far: Samples = FAR) -> None:
    for start in range(0, far.size, BLOCK):
        presence.follow(near[start : start + BLOCK], far[start : start + BLOCK])


@pytest.mark.parametrize("db", [0.0, -12.0, -24.0])
@pytest.mark.parametrize("late", [0, 960, 4_000])
def test_an_echo_is_believed_whatever_its_level_and_delay(db: float, late: int) -> None:
    presence = EchoPresence()
    follow(presence, echo(db, late) + noise())
    assert presence.present


@pytest.mark.parametrize("near", [noise(), noise(0.01), np.zeros(FAR.size, np.float32)])
def test_without_an_echo_it_is_doubted_within_one_reply(near: Samples) -> None:
    presence = EchoPresence()
    follow(presence, near)
    assert not presence.present


def test_until_enough_was_heard_an_echo_is_expected() -> None:
    presence = EchoPresence()
    follow(presence, noise()[: 2 * PIPELINE_RATE], FAR[: 2 * PIPELINE_RATE])
    assert presence.present


def test_short_replies_tell_it_together() -> None:
    presence = EchoPresence()
    for start in range(0, 4 * PIPELINE_RATE, PIPELINE_RATE):
        follow(presence, noise()[start : start + PIPELINE_RATE], FAR[start : start + PIPELINE_RATE])
        presence.begin()
    assert not presence.present


def test_somebody_who_speaks_over_it_for_a_moment_does_not_hide_the_echo() -> None:
    presence = EchoPresence()
    heard = echo(-12.0) + noise()
    moment = slice(3 * PIPELINE_RATE, 3 * PIPELINE_RATE + PIPELINE_RATE // 2)
    heard[moment] += voice(2)[moment]
    follow(presence, heard)
    assert presence.present


def test_headphones_that_are_unplugged_are_noticed() -> None:
    presence = EchoPresence()
    follow(presence, noise())
    assert not presence.present
    follow(presence, echo(-6.0) + noise())
    assert presence.present


@pytest.mark.parametrize("block", [160, 333, 4_096])
def test_blocks_of_any_length_tell_the_same(block: int) -> None:
    presence = EchoPresence()
    for start in range(0, 4 * PIPELINE_RATE, block):
        presence.follow(noise()[start : start + block], FAR[start : start + block])
    assert not presence.present
