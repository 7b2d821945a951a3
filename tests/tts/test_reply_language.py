"""Which language a reply is in, clause by clause."""

from __future__ import annotations

import pytest

from s2s_desktop.tts.reply_language import ReplyLanguage

CLAUSES = (
    ("en", "Sure, no problem."),
    ("en", "The museum opens at nine,"),
    ("en", "That is a great question!"),
    ("en", "Not really, because the river was frozen."),
    ("en", "Two eggs, some flour and a bit of milk."),
    ("en", "Angela Merkel was born in Hamburg."),
    ("en", "Paella is a dish from Valencia,"),
    ("es", "Claro que sí,"),
    ("es", "El museo abre a las nueve,"),
    ("es", "¡Qué buena pregunta!"),
    ("es", "En realidad, el río estaba congelado."),
    ("es", "Necesitas dos huevos y un poco de leche."),
    ("fr", "Bien sûr,"),
    ("fr", "Le musée ouvre à neuf heures,"),
    ("fr", "C'est une très bonne question !"),
    ("fr", "Il te faut deux œufs et un peu de lait."),
    ("it", "Certo, nessun problema."),
    ("it", "Il museo apre alle nove,"),
    ("it", "È una bella domanda!"),
    ("it", "Ti servono due uova e un po' di latte."),
    ("pt", "Claro, com certeza."),
    ("pt", "O museu abre às nove,"),
    ("pt", "É uma ótima pergunta, não é?"),
    ("pt", "Você precisa de dois ovos e um pouco de leite."),
    ("hi", "ज़रूर, कोई बात नहीं।"),
    ("ja", "もちろんです。"),
    ("ja", "東京駅は九時に開きます。"),
    ("ja", "Pythonは人気があります。"),
    ("zh", "当然可以，"),
    ("zh", "博物馆九点开门。"),
    ("zh", "OpenAI的ChatGPT很好。"),
    ("de", "Natürlich, kein Problem."),
    ("de", "Das Museum öffnet um neun Uhr,"),
    ("ru", "Конечно, без проблем."),
    ("ko", "물론입니다."),
    ("el", "Βεβαίως."),
    ("ar", "بالطبع،"),
)


@pytest.mark.parametrize(("language", "clause"), CLAUSES)
@pytest.mark.parametrize("hint", ["", "en", "own"])
def test_the_first_clause_decides(language: str, clause: str, hint: str) -> None:
    assert ReplyLanguage().of(clause, language if hint == "own" else hint) == language


@pytest.mark.parametrize("clause", ["OK.", "42", "Angela Merkel.", "Hmm,", "", "…", "😀"])
@pytest.mark.parametrize("hint", ["", "it", "sv"])
def test_a_clause_that_tells_nothing_is_in_the_expected_language(clause: str, hint: str) -> None:
    assert ReplyLanguage().of(clause, hint) == hint


@pytest.mark.parametrize("hint", ["es", "pt"])
def test_what_two_languages_share_is_in_the_expected_one(hint: str) -> None:
    assert ReplyLanguage().of("Claro.", hint) == hint


def test_a_language_without_a_word_list_is_believed() -> None:
    assert ReplyLanguage().of("Det är en bra idé.", "sv") == "sv"


@pytest.mark.parametrize(
    ("reply", "languages"),
    [
        (["OK.", "Le musée est fermé,", "mais il ouvre demain."], ["en", "fr", "fr"]),
        (["The best known is", "La casa de las flores,", "which was shown in Spain."], ["en", "en", "en"]),
        (["She wrote", "Der Zauberberg was written by Thomas Mann."], ["en", "en"]),
        (["In French you say:", "Comment allez-vous, est-ce que tout va bien ?"], ["en", "fr"]),
        (["Bonjour, comment allez-vous ?", "It means: how are you today?"], ["fr", "en"]),
        (["“Good morning” is", "おはようございます。", "You can say it until ten."], ["en", "ja", "en"]),
        (["The word 你好 means hello.", "It is used every day."], ["en", "en"]),
        (["これはペンです。", "東京大学。", "OK, Google."], ["ja", "ja", "ja"]),
        (["你好！", "日语的「の」是助词。", "中国。"], ["zh", "zh", "zh"]),
        (["Москва — столица.", "London."], ["ru", "ru"]),
    ],
)
def test_only_strong_evidence_changes_the_language_of_a_reply(reply: list[str], languages: list[str]) -> None:
    language = ReplyLanguage()
    assert [language.of(clause, "en") for clause in reply] == languages


@pytest.mark.parametrize(
    ("clause", "hint", "language"),
    [
        ("東京大学", "ja", "ja"),
        ("東京大学", "en", "zh"),
        ("Київ", "uk", "uk"),
        ("Київ", "en", "ru"),
        ("हो", "mr", "mr"),
    ],
)
def test_the_expected_language_decides_between_those_of_a_script(
    clause: str, hint: str, language: str
) -> None:
    assert ReplyLanguage().of(clause, hint) == language
