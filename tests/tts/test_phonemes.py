"""What the readers of Kokoro's languages give: the phonemes it was trained on, and nothing else."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from s2s_desktop.tts.phonemes import Reader, make_reader, vocabulary
from s2s_desktop.tts.phonemes_espeak import EspeakReader
from s2s_desktop.tts.voices import LANGUAGES, Language

_READERS: dict[str, Reader] = {}


def reader_of(letter: str) -> Reader:
    """The reader of a language, made once for this module: Mandarin takes a second to load."""
    if letter not in _READERS:
        _READERS[letter] = make_reader(LANGUAGES[letter])
    return _READERS[letter]


@pytest.mark.parametrize(
    ("letter", "text", "phonemes"),
    [
        ("a", "Hello,\nworld!", "həlˈO, wˈɜɹld!"),
        ("b", "Hello,\nworld!", "həlˈQ, wˈɜːld!"),
        ("e", "¡Hola! El niño come pizza.", "ˈola! el nˈiɲo kˈome pˈiʦa."),
        ("f", "«Bonjour», dit Jean.", "“bɔ̃ʒˈuʁ”, dˈi ʒˈɑ̃."),
        ("h", "नमस्ते, आप कैसे हैं?", "nəmˈʌsteː, ˌaːp kˈɛːseː hɛ̃?"),
        ("i", "La pizza è buona, grazie.", "la pˈiʦːa e bʊˈɔna, ɡrˈaʦje."),
        ("j", "コーヒーを二人で飲みました。", "koːçiː o ɸɯtaɾʲi de nomʲi maɕita."),
        ("p", "Olá, tudo bem?", "olˈa, tˈudʊ bˈAŋ?"),
        ("z", "你好，世界。", "ni↓xau↓, ʂɨ↘ʨje↘."),
    ],
)
def test_each_language_is_read_with_its_sounds_and_marks(letter: str, text: str, phonemes: str) -> None:
    assert reader_of(letter).read(text) == phonemes


@pytest.mark.parametrize("letter", LANGUAGES)
def test_every_phoneme_has_its_token(letter: str) -> None:
    reader = reader_of(letter)
    text = "Don’t say “naïve café” — it's 3.14 dollars… (今日は你好, नमस्ते) «OK» [A4] 50 % & C++ 12345678901"
    phonemes = reader.read(text)
    tokens = reader.tokens(phonemes)
    assert len(tokens) == len(phonemes) > 20
    assert set(tokens) <= set(vocabulary().values())
    assert phonemes == " ".join(phonemes.split())


@pytest.mark.parametrize("letter", LANGUAGES)
@pytest.mark.parametrize(
    "text", ["", "   ", "\u200b", "|---|---|", "...", "—", "***", "?!", "“”", "😀", "。", "、"]
)
def test_nothing_to_say_has_no_phonemes(letter: str, text: str) -> None:
    assert reader_of(letter).read(text) == ""


def test_a_word_of_another_language_is_read_without_the_flags_of_the_switch() -> None:
    assert reader_of("a").read("Say नमस्ते now") == "sˈA nəmˈʌstA nˈW"
    assert "(" not in reader_of("f").read("Un weekend de football")
    assert "en" not in reader_of("f").read("Le computer")


@pytest.mark.parametrize("letter", ["a", "e", "h"])
@pytest.mark.parametrize(
    "text", ["こんにちは、私の名前はあゆみです", "你好，世界", "Привет", "สวัสดีครับ", "שלום", "مرحبا"]
)
def test_a_script_that_cannot_be_read_is_not_spelled(
    letter: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert reader_of(letter).read(text) == ""
    assert "cannot read" in caplog.text
    assert text not in caplog.text, "what is said stays out of the log"


def test_the_rest_of_a_sentence_is_still_read() -> None:
    reader = reader_of("a")
    assert reader.read("The word 你好 means hello.") == reader.read("The word means hello.")


@pytest.mark.parametrize("text", ["naïve café", "¿Qué?", "№ 5, 1ª e 2º", "don’t", "안녕", "Ａ"])
def test_what_can_be_read_is_not_logged(text: str, caplog: pytest.LogCaptureFixture) -> None:
    assert reader_of("a").read(text)
    assert not caplog.records


@pytest.mark.parametrize("letter", ["e", "f", "h", "i", "p"])
def test_greek_letters_of_formulas_are_read(letter: str) -> None:
    assert reader_of(letter).read("α")


@pytest.mark.parametrize("letter", ["j", "z"])
def test_english_words_in_japanese_and_mandarin_are_read_as_english(letter: str) -> None:
    english = reader_of("a").read("Python")
    assert reader_of(letter).read("Python") == english
    assert english in reader_of(letter).read("我用Ｐｙｔｈｏｎ。")
    assert reader_of(letter).read("Hello, world!") == "həlˈO, wˈɜɹld!"


def test_japanese_reads_half_width_letters_variants_of_characters_and_long_numbers() -> None:
    reader = reader_of("j")
    assert reader.read("ｺﾝﾆﾁﾊ") == reader.read("コンニチハ")
    assert reader.read("髙橋さん") == reader.read("高橋さん")
    assert reader.read("「本当？」と聞いた。") == "“hontoː?” to kʲiːta."
    assert reader.read("12345678901").startswith("iʨi ɲi saɴ")


@pytest.mark.parametrize(
    ("letter", "text", "parted"),
    [("j", "明日行きます。", "明 日 行 きます。"), ("z", "银行很长。", "银 行 很\n长。")],
)
def test_space_between_characters_parts_no_words(letter: str, text: str, parted: str) -> None:
    assert reader_of(letter).read(parted) == reader_of(letter).read(text)


def test_mandarin_reads_a_character_by_the_word_it_is_in() -> None:
    reader = reader_of("z")
    assert reader.read("银行，行不行") == "i↗nxa↗ŋ, ɕi↗ŋpu↘ɕi↗ŋ"
    assert "ꭧʰa↗ŋ" in reader.read("这条河很长。")
    assert "ꭧa↓ŋ" in reader.read("他长大了。")
    assert reader.read("跑得快") == "pʰau↓tɤkʰwai↘"


def test_mandarin_leaves_no_dictionary_in_the_folder_for_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    reader = make_reader(LANGUAGES["z"])
    assert reader.read("你好")
    assert not list(tmp_path.iterdir())


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(RuntimeError, match="zz"):
        make_reader(Language("Nowhere", "zz", "zz"))


def test_espeak_ng_without_its_data_is_an_error_and_not_the_end_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("espeakng_loader.get_data_path", lambda: str(tmp_path))
    with pytest.raises(FileNotFoundError, match="espeak-ng"):
        EspeakReader("en-us")
