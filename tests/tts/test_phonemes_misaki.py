"""What is said when the parts that read Japanese and Mandarin are missing."""

from __future__ import annotations

import sys

import pytest

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.tts.phonemes import make_reader
from s2s_desktop.tts.voices import LANGUAGES


@pytest.mark.parametrize(
    ("letter", "module", "language"),
    [("j", "misaki.cutlet", "Japanese"), ("z", "misaki.zh", "Chinese"), ("z", "jieba", "Chinese")],
)
def test_a_missing_package_is_told_in_a_sentence(
    letter: str, module: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(AssistantError, match=f"{language} cannot be spoken") as caught:
        make_reader(LANGUAGES[letter])
    assert caught.value.kind is ErrorKind.INTERNAL
    assert module in caught.value.details


def test_a_missing_dictionary_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_dictionary() -> None:
        raise RuntimeError("Failed initializing MeCab")

    make_reader(LANGUAGES["j"])  # imports what is changed in the next line
    monkeypatch.setattr("misaki.cutlet.Tagger", no_dictionary)
    with pytest.raises(AssistantError, match="Japanese cannot be spoken") as caught:
        make_reader(LANGUAGES["j"])
    assert caught.value.details == "Failed initializing MeCab"
