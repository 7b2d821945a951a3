"""What espeak-ng reads for Kokoro."""

from __future__ import annotations

import pytest

from s2s_desktop.tts.phonemes import PhonemeReader


@pytest.fixture(scope="module")
def readers() -> dict[str, PhonemeReader]:
    return {}


@pytest.fixture
def reader(request: pytest.FixtureRequest, readers: dict[str, PhonemeReader]) -> PhonemeReader:
    language = getattr(request, "param", "en-us")
    return readers.setdefault(language, PhonemeReader(language))


def test_english_is_read_with_its_punctuation(reader: PhonemeReader) -> None:
    assert reader.read("Hello,\nworld!") == "həlˈoʊ, wˈɜːld!"


def test_every_phoneme_has_its_token(reader: PhonemeReader) -> None:
    phonemes = reader.read("Don’t say “naïve café” — it's 3.14 dollars…")
    tokens = reader.tokens(phonemes)
    assert len(tokens) == len(phonemes) > 20


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "|---|---|", "...", "—", "***", "?!", "“”", "😀"])
def test_nothing_to_say_has_no_phonemes(reader: PhonemeReader, text: str) -> None:
    assert reader.read(text) == ""


def test_a_word_of_another_language_is_read_without_the_flags_of_the_switch(reader: PhonemeReader) -> None:
    assert reader.read("Say नमस्ते now") == "sˈeɪ nəmˈʌsteː nˈaʊ"


@pytest.mark.parametrize("reader", ["fr-fr"], indirect=True)
def test_an_english_word_in_french_is_read_without_flags(reader: PhonemeReader) -> None:
    assert "(" not in reader.read("Un weekend de football")
    assert "en" not in reader.read("Le computer")


@pytest.mark.parametrize(
    "text", ["こんにちは、私の名前はあゆみです", "你好，世界", "Привет", "สวัสดีครับ", "שלום", "مرحبا"]
)
def test_a_script_that_cannot_be_read_is_not_spelled(
    reader: PhonemeReader, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert reader.read(text) == ""
    assert "cannot read" in caplog.text
    assert text not in caplog.text, "what is said stays out of the log"


def test_the_rest_of_a_sentence_is_still_read(reader: PhonemeReader) -> None:
    assert reader.read("The word 你好 means hello.") == reader.read("The word means hello.")


@pytest.mark.parametrize("text", ["naïve café", "¿Qué?", "№ 5, 1ª e 2º", "don’t", "안녕", "Ａ"])
def test_what_can_be_read_is_not_logged(
    reader: PhonemeReader, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert reader.read(text)
    assert "cannot read" not in caplog.text


@pytest.mark.parametrize("reader", ["ja"], indirect=True)
def test_a_japanese_voice_reads_kana_and_nothing_with_kanji(reader: PhonemeReader) -> None:
    assert reader.read("こんにちは。")
    assert reader.read("ｺﾝﾆﾁﾊ")
    assert reader.read("私の名前") == ""


@pytest.mark.parametrize("reader", ["cmn"], indirect=True)
def test_a_chinese_voice_reads_chinese_and_pauses_at_its_marks(reader: PhonemeReader) -> None:
    assert "," in reader.read("你好，世界。")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(RuntimeError, match="zz"):
        PhonemeReader("zz")
