"""How English is read: misaki's lexicon, the neighbors of a word, and espeak-ng for the rest."""

from __future__ import annotations

import importlib.util
import json
import lzma
from pathlib import Path

import pytest

from s2s_desktop.resources import resource_path
from s2s_desktop.tts.phonemes_english import EnglishReader
from s2s_desktop.tts.phonemes_espeak import EspeakReader
from s2s_desktop.tts.pronunciations import FILES, Lexicon
from s2s_desktop.tts.word_uses import Context


@pytest.fixture(scope="module")
def american() -> EnglishReader:
    return EnglishReader("en-us")


@pytest.fixture(scope="module")
def british() -> EnglishReader:
    return EnglishReader("en-gb")


AMERICAN = (
    ("status", "stˈæTəs", "stˈATəs"),
    ("route", "ɹˈWt", "ɹˈut"),
    ("width", "wˈɪtθ", "wˈɪdθ"),
    ("restaurant", "ɹˈɛstɹɑnt", "ɹˈɛstəɹənt"),
    ("average", "ˈævɹɪʤ", "ˈævəɹɪʤ"),
    ("comfortable", "kˈʌmftəbᵊl", "kˈʌmfəɹTəbᵊl"),
    ("vegetable", "vˈɛʤɪTəbᵊl", "vˈɛʤtəbəl"),
    ("chocolate", "ʧˈɑklət", "ʧˈɑkᵊlət"),
    ("familiar", "fəmˈɪlɪɹ", "fəmˈɪljəɹ"),
    ("failure", "fˈAlɪɹ", "fˈAljəɹ"),
    ("opinion", "əpˈɪniən", "əpˈɪnjᵊn"),
    ("million", "mˈɪliən", "mˈɪljᵊn"),
    ("increase", "ˈɪŋkɹis", "ɪnkɹˈis"),
    ("excuse", "ɛkskjˈus", "ɪkskjˈuz"),
    ("research", "ɹᵻsˈɜɹʧ", "ɹˈisˌɜɹʧ"),
    ("everyone", "ˈɛvɹɪwˌʌn", "ˈɛvɹiwən"),
    ("anything", "ˈɛnɪθˌɪŋ", "ˈɛniθˌɪŋ"),
    ("economic", "ˌikənˈɑmɪk", "ˌɛkənˈɑmɪk"),
    ("experience", "ɛkspˈiəɹiəns", "ɪkspˈɪɹiəns"),
    ("zero", "zˈiəɹO", "zˈɪɹO"),
    ("secondary", "sˈɛkəndəɹi", "sˈɛkəndˌɛɹi"),
    ("primary", "pɹˈIməɹi", "pɹˈImˌɛɹi"),
    ("category", "kˈæTɪɡəɹi", "kˈæTəɡˌɔɹi"),
    ("president", "pɹˈɛzɪdənt", "pɹˈɛzədˌɛnt"),
    ("husband", "hˈʌsbənd", "hˈʌzbᵊnd"),
    ("transmission", "tɹænsmˈɪʃən", "tɹænzmˈɪʃən"),
    ("usually", "jˈuʒuᵊli", "jˈuʒəwəli"),
    ("education", "ˌɛʤukˈAʃən", "ˌɛʤəkˈAʃən"),
    ("suggest", "səʤˈɛst", "səɡʤˈɛst"),
    ("vlog", "vˈilˈɔɡ", "vlˈɑɡ"),
    ("species", "spˈisiz", "spˈiʃiz"),
    ("employee", "ɛmplˈYi", "ˌɛmplˌYˈi"),
    ("algorithm", "ˈælɡəɹˌɪθəm", "ˈælɡəɹˌɪðəm"),
    ("advertisement", "ˌædvəɹtˈIzmənt", "ˈædvəɹtˌIzmənt"),
    ("magazine", "mˌæɡəzˈin", "mˈæɡəzˌin"),
    ("mountain", "mˈWntɪn", "mˈWntᵊn"),
)
BRITISH = (
    ("laboratory", "ləbˈɒɹətɹi", "ləbˈɒɹətəɹi"),
    ("garage", "ɡˈaɹɪʤ", "ɡˈaɹɑːʤ"),
    ("photograph", "fˈQtəɡɹˌaf", "fˈQtəɡɹɑːf"),
    ("zero", "zˈiəɹQ", "zˈɪəɹQ"),
    ("serious", "sˈiəɹɪəs", "sˈɪəɹɪəs"),
    ("algorithm", "ˈalɡəɹˌɪθəm", "ˈalɡəɹɪðəm"),
    ("education", "ˌɛʤuːkˈAʃən", "ˌɛdjʊkˈAʃᵊn"),
    ("million", "mˈɪliən", "mˈɪljən"),
)
"""Frequent words that espeak-ng reads differently from misaki's lexicon: its phonemes, and the lexicon's.
tests/benchmarks/bench_pronunciations.py makes the whole list."""


@pytest.mark.parametrize(
    ("accent", "word", "espeak", "lexicon"),
    [("en-us", *row) for row in AMERICAN] + [("en-gb", *row) for row in BRITISH],
)
def test_the_lexicon_wins_over_espeak(
    accent: str, word: str, espeak: str, lexicon: str, american: EnglishReader, british: EnglishReader
) -> None:
    reader = american if accent == "en-us" else british
    assert reader.read(word) == lexicon
    assert EspeakReader(accent).read(word) == espeak, "espeak-ng has learned it; the row can go"


@pytest.mark.parametrize(("accent", "name"), [("en-us", "us"), ("en-gb", "gb")])
def test_the_shipped_lexicon_is_that_of_misaki(accent: str, name: str) -> None:
    found = importlib.util.find_spec("misaki")
    if found is None or found.origin is None:
        pytest.skip("misaki is not made for this Python")
    original = json.loads((Path(found.origin).parent / "data" / f"{name}_gold.json").read_text("utf-8"))
    lines = lzma.decompress(resource_path(FILES[accent]).read_bytes()).decode().splitlines()
    shipped = {word: phonemes for word, phonemes, *_ in (line.split("\t") for line in lines)}
    assert shipped == {
        word: entry if isinstance(entry, str) else entry["DEFAULT"] for word, entry in original.items()
    }


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        ("I read it.", "ˌI ɹˈid ɪt."),
        ("She read it.", "ʃˌi ɹˈɛd ɪt."),
        ("We have read it.", "wˌi hæv ɹˈɛd ɪt."),
        ("people live in", "pˈipᵊl lˈɪv ˈɪn"),
        ("live music", "lˈIv mjˈuzɪk"),
        ("their lives in", "ðɛɹ lˈIvz ˈɪn"),
        ("the use", "ðə jˈus"),
        ("to use", "tə jˈuz"),
        ("we used to", "wi jˈust tˈu"),
        ("it is used to", "ɪt ɪz jˈuzd tˈu"),
        ("record it", "ɹəkˈɔɹd ɪt"),
        ("a record", "ɐ ɹˈɛkəɹd"),
        ("close the door", "klˈOz ðə dˈɔɹ"),
        ("a close friend", "ɐ klˈOs fɹˈɛnd"),
        ("excuse me", "ɪkskjˈuz mˌi"),
        ("an excuse", "ɐn ɪkskjˈus"),
        ("to insult", "tʊ ɪnsˈʌlt"),
        ("please present it", "plˈiz pɹizˈɛnt ɪt"),
        ("bass guitar", "bˈAs ɡətˈɑɹ"),
        ("it affects you", "ɪt əfˈɛkts ju"),
        ("Polish", "pˈOlɪʃ"),
        ("polish", "pˈɑlɪʃ"),
    ],
)
def test_the_neighbors_of_a_word_decide_between_its_uses(
    text: str, phonemes: str, american: EnglishReader
) -> None:
    assert american.read(text) == phonemes


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        ("the apple", "ði ˈæpᵊl"),
        ("the pear", "ðə pˈɛɹ"),
        ("to eat, to go to", "tʊ ˈit, tə ɡˌO tˈu"),
        ("a bee and an ant", "ɐ bˈi ænd ɐn ˈænt"),
        ("plan A", "plˈæn ˈA"),
        ("better button", "bˈɛTəɹ bˈʌtn"),
    ],
)
def test_small_words_and_taps_are_said_as_kokoro_learned_them(
    text: str, phonemes: str, american: EnglishReader
) -> None:
    assert american.read(text) == phonemes


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        ("NASA", "nˈæsə"),
        ("HTML", "ˌAʧtˌiˌɛmˈɛl"),
        ("in the US", "ɪn ðə jˌuˈɛs"),
        ("tell us", "tˈɛl ˌʌs"),
        ("USA", "jˌuˌɛsˈA"),
        ("USA, UK", "jˌuˌɛsˈA, jˌukˈA"),
        ("STOP IT NOW", "stˈɑp ɪt nˈW"),
        ("John's dogs' vlogs", "ʤˈɑnz dˈɑɡz vlˈɑɡz"),
        ("ice-cream", "ˈIs kɹˈim"),
        ("naïve", "nɑˈiv"),
        ("and/or", "ænd ɔɹ"),
        ("here—there", "hˈɪɹ — ðˈɛɹ"),
        ("“Yes,” (she) said…", "“jˈɛs,” (ʃi) sˈɛd…"),
        ("drawing", "dɹˈɔɪŋ"),
    ],
)
def test_abbreviations_compounds_and_marks(text: str, phonemes: str, american: EnglishReader) -> None:
    assert american.read(text) == phonemes


@pytest.mark.parametrize(
    "text", ["Kokorovian", "3.14", "C++", "x = 1", "résumé", "नमस्ते", "A4", "50%", "rock'n'roll"]
)
def test_what_the_lexicon_does_not_hold_is_read_by_espeak(text: str, american: EnglishReader) -> None:
    assert american.read(text)


def test_a_word_that_nothing_knows_has_no_phonemes() -> None:
    assert Lexicon("en-us").find("kokorovian", Context()) is None


@pytest.mark.parametrize("accent", FILES)
def test_the_words_are_in_the_order_in_which_they_are_looked_up(accent: str) -> None:
    words = [
        line.split("\t", 1)[0] + "\t"
        for line in lzma.decompress(resource_path(FILES[accent]).read_bytes()).decode().splitlines()
    ]

    assert words == sorted(words)
