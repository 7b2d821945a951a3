"""What holds for any text and any language."""

from __future__ import annotations

import importlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2s_desktop.tts.verbalize import read_out, verbalize
from s2s_desktop.tts.verbalize.rewrite import LONGEST_AT_ONCE

LANGUAGES = ("en", "es", "fr", "de", "hi", "it", "ja", "pt", "zh")
WITHOUT_DIGITS = ("en", "es", "fr", "de", "it", "pt")

_PIECES = [
    "1", "2", "05", "12", "1984", "2024", "007", "1,234", "1.234", "3.14", "5,20", "1 000", "9" * 20,
    "१२", "５", "²", "⁶", "½", "①", "٣", "-", "–", "/", ":", ".", ",", "+", "=", "×", "*", "^", "%", "‰",
    "°", "°C", "#", "@", "$", "€", "£", "¥", "R$", "USD", "M", "bn", "km", "km/h", "h", "s", "st", "er",
    "º", "e", "’", "'", '"', "(", ")", "a", "Jan", "mai", "de", "Dr.", "No.", "St.", "etc.", "II",
    "World War ", "am ", "Uhr", "a.m.", "v", "年", "个", " ", " ", "  ", "\n", "\u00a0", "é", "字",
    "नमस्ते", "🎉", "\ud800", "\u0301",
]  # fmt: skip
texts = st.lists(st.sampled_from(_PIECES) | st.text(max_size=3), max_size=14).map("".join)


@settings(deadline=None)  # the first call for a language loads its names
@given(text=texts, language=st.sampled_from(LANGUAGES))
def test_no_source_is_lost_or_moved(text: str, language: str) -> None:
    position = 0
    for token in verbalize(text, language):
        start = text.index(token.source, position)
        assert not text[position:start].strip()
        position = start + len(token.source)
        assert token.source == token.source.strip() != ""
    assert not text[position:].strip()


@settings(deadline=None)  # the first call for a language loads its names
@given(text=texts, language=st.sampled_from(WITHOUT_DIGITS))
def test_no_digit_is_left_to_say(text: str, language: str) -> None:
    said = " ".join(token.spoken for token in verbalize(text, language))
    assert not [sign for sign in said if sign.isdigit()]


@settings(deadline=None)
@given(text=st.text(alphabet="abc XYZ äéñ!?;\n", max_size=60), language=st.sampled_from(LANGUAGES))
def test_plain_words_are_said_as_they_are_written(text: str, language: str) -> None:
    assert all(token.spoken == token.source for token in verbalize(text, language))


@given(text=texts)
def test_a_language_without_rules_says_everything_as_it_is_written(text: str) -> None:
    assert [(token.source, token.spoken) for token in verbalize(text, "xx")] == [(w, w) for w in text.split()]


@pytest.mark.parametrize("language", ["en-GB", "EN", "en_US"])
def test_the_region_of_a_language_does_not_matter(language: str) -> None:
    assert [token.spoken for token in verbalize("5 km", language)] == ["five kilometers"]


@pytest.mark.parametrize("unit", ["1", "1.", "1 ", "a", "a ", "_", "-", "12-", "111 ", "中1", "$", " "])
def test_rules_never_look_at_more_than_a_part_of_a_long_text(
    monkeypatch: pytest.MonkeyPatch, unit: str
) -> None:
    """What a rule sees decides what it costs: so the time grows with the length and not with its square."""
    looked_at: list[int] = []
    rewrite = importlib.import_module("s2s_desktop.tts.verbalize.rewrite")
    original = rewrite._rewrite
    monkeypatch.setattr(
        rewrite, "_rewrite", lambda text, rules: looked_at.append(len(text)) or original(text, rules)
    )
    text = (unit * 2_000)[:2_000]
    said = verbalize(text, "en")
    assert max(looked_at) <= LONGEST_AT_ONCE
    assert sum(looked_at) == len(text)
    assert "".join(token.source for token in said) == "".join(text.split())


def test_a_long_text_is_said_as_its_sentences_are() -> None:
    sentence = "On March 3, 2024 it cost $12.50, 20 km from St. Ives. "
    said = [token.spoken for token in verbalize(sentence * 16, "en")]
    assert said == [token.spoken for token in verbalize(sentence, "en")] * 16


def test_a_text_is_read_out_once_the_language_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    rewrite = importlib.import_module("s2s_desktop.tts.verbalize.rewrite")
    monkeypatch.setattr(rewrite, "_loaded", set())
    rewrite._rules.cache_clear()
    assert read_out("5 km, please", "en-US") == "5 km, please"
    verbalize("Hello.", "en")
    assert read_out("5 km, please", "en-US") == "five kilometers, please"
