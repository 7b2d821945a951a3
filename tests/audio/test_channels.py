from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.audio.channels import LoudestChannel
from s2s_desktop.audio.protocol import Samples

RATE = 16_000
VOICE = (0.3 * np.sin(2 * np.pi * 200 * np.arange(RATE) / RATE)).astype(np.float32)
NOISE = (0.001 * np.random.default_rng(1).standard_normal(RATE)).astype(np.float32)


def mix(*channels: Samples) -> Samples:
    frames = np.stack(channels, axis=1)
    mixer = LoudestChannel(len(channels), RATE)
    return np.concatenate([mixer.mix(frames[start : start + 320]) for start in range(0, len(frames), 320)])


def test_mono_is_unchanged() -> None:
    assert np.array_equal(mix(VOICE), VOICE)


@pytest.mark.parametrize("channels", [(VOICE, NOISE), (NOISE, VOICE), (VOICE, VOICE), (VOICE, -VOICE)])
def test_a_voice_is_neither_halved_nor_cancelled(channels: tuple[Samples, Samples]) -> None:
    assert np.array_equal(np.abs(mix(*channels)), np.abs(VOICE))


def test_a_voice_that_begins_on_the_other_channel_is_not_lost() -> None:
    late = np.where(np.arange(RATE) < 8_000, NOISE, VOICE).astype(np.float32)

    mono = mix(NOISE, late)

    assert np.array_equal(mono[8_000 + 80 :], late[8_000 + 80 :])


def test_a_constant_offset_is_no_loudness() -> None:
    offset = np.full(RATE, 0.9, np.float32)

    assert np.array_equal(mix(offset, VOICE), VOICE)


def test_the_change_to_another_channel_does_not_click() -> None:
    rising = (VOICE * np.linspace(0, 3, RATE)).astype(np.float32)

    mono = mix(VOICE, rising)

    assert np.max(np.abs(np.diff(mono))) < 1.5 * np.max(np.abs(np.diff(rising)))
    assert np.array_equal(mono[-320:], rising[-320:])
