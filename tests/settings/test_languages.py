"""Languages, however they are written."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from s2s_desktop.settings.languages import LANGUAGES, language_code
from s2s_desktop.settings.schema import SpeechSettings


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("en", "en"),
        ("EN", "en"),
        ("en-US", "en"),
        ("en_GB.UTF-8", "en"),
        ("english", "en"),
        ("nb", "no"),
        ("nb-NO", "no"),
        ("zh-CN", "zh"),
        ("zh-Hant-TW", "zh"),
        ("yue", "yue"),
        ("haw", "haw"),
        ("haitian creole", "ht"),
        ("Cantonese", "yue"),
        ("iw", "he"),
        ("jv", "jw"),
        ("de-auto", "de"),
        (" fr ", "fr"),
        ("auto", ""),
        ("Auto", ""),
        ("", ""),
        ("  ", ""),
    ],
)
def test_ways_to_write_a_language(text: str, code: str) -> None:
    assert language_code(text) == code
    assert SpeechSettings(stt_language=text).stt_language == code


@pytest.mark.parametrize("text", ["klingon", "xx", "e", "enn", "-", "12"])
def test_what_is_no_language_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no language"):
        language_code(text)
    with pytest.raises(ValidationError):
        SpeechSettings(stt_language=text)


def test_every_code_and_every_name_is_understood() -> None:
    assert len(LANGUAGES) == 100
    for code, name in LANGUAGES.items():
        assert language_code(code) == code
        assert language_code(name) == code


@pytest.mark.models
def test_the_codes_are_those_of_the_speech_recognition() -> None:
    tokenizer = pytest.importorskip("faster_whisper.tokenizer")

    assert set(tokenizer._LANGUAGE_CODES) == set(LANGUAGES)
