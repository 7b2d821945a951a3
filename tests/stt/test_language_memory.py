"""The language of a conversation does not jump."""

from __future__ import annotations

import pytest

from s2s_desktop.stt.language_memory import LanguageMemory, Ranking, averaged


def heard(*ranking: tuple[str, float]) -> Ranking:
    return ranking


def test_a_doubtful_guess_keeps_the_language_of_the_conversation() -> None:
    memory = LanguageMemory()
    for _ in range(10):
        assert memory.settle(heard(("en", 0.98))) == ("en", 0.98)
    assert memory.settle(heard(("cy", 0.31))) == ("en", 0.31)


def test_a_clear_change_is_followed() -> None:
    memory = LanguageMemory()
    memory.settle(heard(("en", 0.98)))
    assert memory.settle(heard(("fr", 0.95))) == ("fr", 0.95)
    assert memory.settle(heard(("cy", 0.2))) == ("fr", 0.2)


def test_the_first_guess_is_all_there_is() -> None:
    assert LanguageMemory().settle(heard(("cy", 0.31))) == ("cy", 0.31)


def test_a_draft_learns_nothing() -> None:
    memory = LanguageMemory()
    assert memory.likely(heard(("fr", 0.9))) == "fr"
    assert memory.settle(heard(("cy", 0.31))) == ("cy", 0.31)
    memory.settle(heard(("en", 0.98)))
    assert memory.likely(heard(("cy", 0.31))) == "en"


def test_a_first_doubtful_guess_gives_way_to_an_expected_language_that_is_nearly_as_likely() -> None:
    memory = LanguageMemory(("de", "en"))
    short_command = heard(("zh", 0.34), ("en", 0.25), ("de", 0.03))
    assert memory.settle(short_command) == ("en", 0.25)
    assert memory.likely(short_command) == "en"


@pytest.mark.parametrize(
    "ranking",
    [
        heard(("es", 0.55), ("en", 0.41)),
        heard(("de", 0.48), ("en", 0.3)),
        heard(("fr", 0.3), ("it", 0.29), ("en", 0.05)),
    ],
    ids=["sure", "unlikely", "not expected"],
)
def test_what_is_expected_keeps_nobody_from_another_language(ranking: Ranking) -> None:
    assert LanguageMemory(("en",)).settle(ranking) == ranking[0]
    assert LanguageMemory(("en",)).likely(ranking) == ranking[0][0]


def test_of_two_expected_languages_the_likelier_one_is_taken() -> None:
    assert LanguageMemory(("de", "en")).settle(heard(("en", 0.4), ("de", 0.39))) == ("en", 0.4)
    assert LanguageMemory(("de", "en")).settle(heard(("ko", 0.4), ("de", 0.35), ("en", 0.34)))[0] == "de"


def test_what_was_heard_counts_more_than_what_is_expected() -> None:
    memory = LanguageMemory(("en",))
    memory.settle(heard(("ja", 0.98)))
    assert memory.settle(heard(("ko", 0.4), ("en", 0.39)))[0] == "ja"


@pytest.mark.parametrize(
    ("known", "ranking", "doubted"),
    [
        ("", ("en", 0.59), True),
        ("", ("en", 0.61), False),
        ("en", ("en", 0.2), False),
        ("en", ("zh", 0.2), False),
        ("en", ("zh", 0.55), True),
        ("en", ("en", 0.55), False),
        ("en", ("zh", 0.61), False),
    ],
)
def test_a_second_look_is_for_a_language_that_is_new(
    known: str, ranking: tuple[str, float], doubted: bool
) -> None:
    memory = LanguageMemory()
    if known:
        memory.settle(heard((known, 0.98)))
    assert memory.doubts(heard(ranking)) is doubted


def test_two_looks_count_the_same() -> None:
    first = heard(("ko", 0.4), ("en", 0.3), ("de", 0.2))
    second = heard(("de", 0.5), ("en", 0.3), ("ko", 0.1))
    assert averaged(first, second) == [
        ("de", pytest.approx(0.35)),
        ("en", pytest.approx(0.3)),
        ("ko", pytest.approx(0.25)),
    ]
