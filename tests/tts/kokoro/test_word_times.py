"""Which phonemes belong to which word, also where espeak-ng joins or splits words."""

from __future__ import annotations

import pytest

from s2s_desktop.tts.kokoro.word_times import locate_words

SOUNDS = {
    "of": "ʌv",
    "the": "ðə",
    "king": "kˈɪŋ",
    "five dollars,": "fˈaɪv dˈɑlɚz,",
    "It": "ɪt",
    "is": "ɪz",
    "—": "",
}


def located(words: list[tuple[str, str]], phonemes: str) -> dict[str, str]:
    text = " ".join(source for source, _ in words)
    found = locate_words(text, words, phonemes, lambda said: SOUNDS[said])
    assert [word.text for word in found] == [source for source, _ in words]
    assert all(text.startswith(word.text, word.start) for word in found)
    return {word.text: phonemes[word.first : word.last] for word in found}


def same(*words: str) -> list[tuple[str, str]]:
    return [(word, word) for word in words]


def test_each_word_has_its_group_of_phonemes() -> None:
    assert located(same("of", "the", "king"), "ʌv ðə kˈɪŋ") == {"of": "ʌv", "the": "ðə", "king": "kˈɪŋ"}


def test_punctuation_and_spaces_belong_to_no_word() -> None:
    assert located(same("the", "king"), "ðə, kˈɪŋ...") == {"the": "ðə", "king": "kˈɪŋ"}


def test_a_source_that_is_said_as_several_words_has_them_all() -> None:
    words = [("It", "It"), ("is", "is"), ("$5,", "five dollars,")]
    assert located(words, "ɪt ɪz fˈaɪv dˈɑlɚz,")["$5,"] == "fˈaɪv dˈɑlɚz"


@pytest.mark.parametrize("joined", ["əvðə kˈɪŋ", "ʌvðə kˈɪŋ"])
def test_joined_words_are_told_apart(joined: str) -> None:
    found = located(same("of", "the", "king"), joined)
    assert found == {"of": joined[:2], "the": "ðə", "king": "kˈɪŋ"}


def test_a_word_that_is_not_said_has_no_phonemes() -> None:
    assert located([("It", "It"), ("—", ""), ("is", "is")], "ɪt ɪz") == {"It": "ɪt", "—": "", "is": "ɪz"}


def test_a_word_that_occurs_twice_is_found_in_order() -> None:
    found = locate_words("the the", same("the", "the"), "ðə ðə", lambda said: SOUNDS[said])
    assert [word.start for word in found] == [0, 4]
