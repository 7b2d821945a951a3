"""The typical statistics that ship with the program."""

from __future__ import annotations

import numpy as np
import pytest

from s2s_desktop.resources import resource_path
from s2s_desktop.tts.kokoro.statistics import FEWEST_PHONEMES, STATISTICS_FILE, TypicalStatistics
from s2s_desktop.tts.voices import DEFAULT_VOICE, VOICES, default_voice

LANGUAGES = sorted({voice.language.code for voice in VOICES.values()})


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_default_voice_of_every_language_is_known(code: str) -> None:
    voice = default_voice(code)
    assert voice is not None
    assert TypicalStatistics({voice: 1.0}).of_length(60) is not None


def test_there_is_one_for_each_norm_and_no_variance_is_negative() -> None:
    with np.load(resource_path(STATISTICS_FILE)) as packed:
        channels = packed["channels"].tolist()
    found = TypicalStatistics({DEFAULT_VOICE: 1.0}).of_length(80)
    assert found is not None
    assert [one.shape for one in found] == [(2, count, 1) for count in channels]
    for mean, square in found:
        assert np.isfinite(mean).all()
        assert np.all(square - mean**2 > -1e-2)


def test_short_texts_have_none() -> None:
    statistics = TypicalStatistics({DEFAULT_VOICE: 1.0})
    assert statistics.of_length(FEWEST_PHONEMES - 1) is None
    assert statistics.of_length(FEWEST_PHONEMES) is not None


def test_they_change_with_the_length_and_not_beyond_the_longest_measured() -> None:
    statistics = TypicalStatistics({DEFAULT_VOICE: 1.0})
    first = [(statistics.of_length(count) or [])[0] for count in (50, 70, 200, 400)]
    assert not np.array_equal(first[0], first[1])
    assert np.array_equal(first[2], first[3])


def test_a_blend_lies_between_its_voices() -> None:
    one, two, blend = (
        (TypicalStatistics(shares).of_length(60) or [])[0]
        for shares in ({"af_heart": 1.0}, {"bf_emma": 1.0}, {"af_heart": 0.5, "bf_emma": 0.5})
    )
    np.testing.assert_allclose(blend, (one + two) / 2, atol=1e-3)


def test_a_blend_with_an_unknown_voice_has_none() -> None:
    assert TypicalStatistics({DEFAULT_VOICE: 0.5, "xx_nobody": 0.5}).of_length(60) is None
