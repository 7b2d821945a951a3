"""Everything that is read or that carries a meaning can be seen, in both schemes and with any accent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2s_desktop.ui.tokens import (
    DARK,
    LIGHT,
    SIGN_CONTRAST,
    TEXT_CONTRAST,
    Tokens,
    contrast,
    type_scale,
    with_accent,
)

SCHEMES = pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])

TEXT_PAIRS = [
    (text, background)
    for text in ("text", "muted", "accent", "danger")
    for background in ("background", "surface", "raised")
] + [
    ("text", "user_bubble"),
    ("muted", "user_bubble"),
    ("accent_text", "accent"),
    ("warning", "background"),
    ("warning", "surface"),
    ("success", "surface"),
    ("listening", "background"),
    ("listening", "surface"),
    ("thinking", "surface"),
    ("thinking", "background"),
    ("speaking", "background"),
    ("error", "background"),
]
SIGN_PAIRS = [("on_state", state) for state in ("listening", "thinking", "speaking", "error")] + [
    ("outline", "surface"),
    ("outline", "background"),
    ("listening", "raised"),
]


@SCHEMES
@pytest.mark.parametrize(("text", "background"), TEXT_PAIRS)
def test_text_can_be_read(tokens: Tokens, text: str, background: str) -> None:
    assert contrast(getattr(tokens, text), getattr(tokens, background)) >= TEXT_CONTRAST


@SCHEMES
@pytest.mark.parametrize(("sign", "background"), SIGN_PAIRS)
def test_signs_can_be_seen(tokens: Tokens, sign: str, background: str) -> None:
    assert contrast(getattr(tokens, sign), getattr(tokens, background)) >= SIGN_CONTRAST


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@SCHEMES
@given(accent=st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}"))
def test_any_accent_of_the_system_is_made_readable(tokens: Tokens, accent: str) -> None:
    chosen = with_accent(tokens, accent)
    for background in (chosen.background, chosen.surface, chosen.raised):
        assert contrast(chosen.accent, background) >= TEXT_CONTRAST
    assert contrast(chosen.accent_text, chosen.accent) >= TEXT_CONTRAST
    assert contrast(chosen.on_state, chosen.speaking) >= SIGN_CONTRAST


def test_a_larger_text_of_the_system_makes_everything_larger() -> None:
    assert type_scale(12).body == 15
    large = type_scale(27)
    assert (large.body, large.small, large.title) == (30, 26, 40)
