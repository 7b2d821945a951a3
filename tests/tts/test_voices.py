"""The shipped voices and their blends."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.tts.voices import (
    DEFAULT_VOICE,
    LANGUAGES,
    VOICES,
    default_voice,
    language_of,
    load_style,
    parse_voice,
    voice_or_default,
)


@pytest.mark.parametrize("name", VOICES)
def test_every_voice_has_its_styles(name: str) -> None:
    styles = load_style(name)
    assert styles.shape == (510, 1, 256)
    assert styles.dtype == np.float32
    assert np.isfinite(styles).all()
    assert 0.05 < np.abs(styles).mean() < 1, "the packed values were put together again"
    assert np.abs(np.diff(styles, axis=0)).mean() < 0.05, (
        "a style hardly differs from the one of the next length"
    )


def test_every_language_has_a_voice_and_most_have_both_kinds() -> None:
    kinds = {name[:2] for name in VOICES}
    assert {kind[0] for kind in kinds} == set(LANGUAGES)
    assert {letter for letter in LANGUAGES if {letter + "f", letter + "m"} <= kinds} == set(LANGUAGES) - {"f"}


def test_a_voice_has_a_title_for_people() -> None:
    assert VOICES["af_heart"].title == "Heart (female), American English"
    assert VOICES["jm_kumo"].title == "Kumo (male), Japanese"
    assert len({voice.title for voice in VOICES.values()}) == len(VOICES)


@pytest.mark.parametrize(
    ("code", "voice"),
    [("en", DEFAULT_VOICE), ("ja", "jf_alpha"), ("zh", "zf_xiaobei"), ("de", None), ("", None)],
)
def test_a_language_has_its_default_voice(code: str, voice: str | None) -> None:
    assert default_voice(code) == voice


@pytest.mark.parametrize(
    ("voice", "shares"),
    [
        ("af_heart", {"af_heart": 1.0}),
        (" af_heart ", {"af_heart": 1.0}),
        ("af_heart(2)+bf_emma(1)", {"af_heart": 2 / 3, "bf_emma": 1 / 3}),
        ("af_heart + bf_emma", {"af_heart": 0.5, "bf_emma": 0.5}),
        ("af_heart(0.3)+bf_emma(0.1)+am_puck(0.1)", {"af_heart": 0.6, "bf_emma": 0.2, "am_puck": 0.2}),
        ("af_heart+af_heart(3)", {"af_heart": 1.0}),
        ("bf_emma(0)+af_heart(5)", {"af_heart": 1.0}),
    ],
)
def test_a_blend_is_read_as_shares(voice: str, shares: dict[str, float]) -> None:
    parsed = parse_voice(voice)
    assert parsed == pytest.approx(shares)
    assert list(parsed) == list(shares)


@pytest.mark.parametrize(
    "voice",
    [
        "",
        "heart",
        "af_nobody",
        "af_heart+",
        "af_heart(-1)",
        "af_heart(0)",
        "af_heart(2",
        "af_heart,bf_emma",
        "a" * 999,
        "af_heart(" + "9" * 400 + ")",
    ],
)
def test_what_is_no_voice_is_refused_with_what_to_do(voice: str) -> None:
    with pytest.raises(AssistantError) as caught:
        parse_voice(voice)
    assert caught.value.kind is ErrorKind.BAD_REQUEST
    assert caught.value.message.endswith(".")


def test_a_blend_is_the_mean_by_weight_and_speaks_the_language_of_the_first() -> None:
    blend = load_style("bf_emma(1)+af_heart(3)")
    np.testing.assert_allclose(blend, 0.25 * load_style("bf_emma") + 0.75 * load_style("af_heart"), atol=1e-6)
    assert language_of("bf_emma(1)+af_heart(3)") is LANGUAGES["b"]


@pytest.mark.parametrize("voice", ["af_heart", "ff_siwis+af_heart(2)"])
def test_a_known_voice_stays(voice: str, caplog: pytest.LogCaptureFixture) -> None:
    assert voice_or_default(voice) == voice
    assert not caplog.records


@pytest.mark.parametrize(
    ("voice", "default"),
    [
        ("jf_gone", "jf_alpha"),
        ("bm_gone", "bf_emma"),
        ("nobody", DEFAULT_VOICE),
        ("", DEFAULT_VOICE),
        ("xf_gone", DEFAULT_VOICE),
    ],
)
def test_a_voice_that_is_gone_gives_way_to_one_of_its_language(
    voice: str, default: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert voice_or_default(voice) == default
    assert default in caplog.text
