"""Search: what is typed finds what was said, in any script, and shows where."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conversation.store.kit import NOON, Shelf, whole
from s2s_desktop.conversation.events import TextDelta, ToolCall, ToolResult, TypedMessage
from s2s_desktop.conversation.store.query import match_expression, parse_query
from s2s_desktop.conversation.store.records import Role
from s2s_desktop.conversation.store.search_text import folded, folded_with_origins, search_form
from s2s_desktop.conversation.store.snippets import find_all, make_snippet


def found(shelf: Shelf, query: str) -> list[str]:
    return [hit.snippet.text for hit in shelf.library.search(query)]


def marked(text: str, query: str) -> list[str]:
    return [text[start:end] for start, end in find_all(text, parse_query(query))]


@pytest.mark.parametrize(
    ("said", "typed", "shown"),
    [
        ("The capital of France is Paris.", "paris", ["Paris"]),
        ("The capital of France is Paris.", "FRANCE cap", ["cap", "France"]),
        ("We went by train", "trainer", []),
        ("Un café crème", "cafe CREME", ["café", "crème"]),
        ("Un cafe\u0301 noir", "café", ["cafe\u0301"]),
        ("Die Straße nach Köln", "strasse", ["Straße"]),
        ("我昨天去了北京大学", "北京", ["北京"]),
        ("我昨天去了北京大学", "京大", ["京大"]),
        ("我昨天去了北京大学", "学大", []),
        ("昨日は東京タワーに行きました", "タワー", ["タワー"]),
        ("昨日は東京ﾀﾜｰに行きました", "タワー", ["ﾀﾜｰ"]),
        ("서울에서 만나요", "서울", ["서울"]),
        ("나는 서울대학교에 갔다", "대학", ["대학"]),
        ("ฉันรักภาษาไทย", "ภาษา", ["ภาษา"]),
        ("मुझे हिन्दी पसंद है", "हिन्दी", ["हिन्दी"]),
        ("कताब", "क", ["क"]),
        ("كَتَبَ الدَّرْسَ", "كتب", ["كَتَبَ"]),
        ("می\u200cخواهم بروم", "میخواهم", ["می\u200cخواهم"]),
        ("Привет, мир", "ПРИВ", ["Прив"]),
        ("Well done 🎉 you", "🎉", ["🎉"]),
        ("It costs 5€ now", "5€", ["5€"]),
        ("I like C++ best", "c++", ["C"]),
        ("Class diagrams", "c++", []),
        ("a state-of-the-art phone", "state-of", ["state-of"]),
        ("read file_name.txt today", "file_name.txt", ["file_name.txt"]),
        ("one two three", '"two three"', ["two three"]),
        ("one two threes", '"two three"', []),
        ("two and three", '"two three"', []),
        ("an unclosed quote", '"unclosed qu', ["unclosed", "qu"]),
        ("NOT the word OR that AND so", "or not", ["NOT", "OR"]),
        ("x = (a* + b^2):NEAR(y)", "near(y", ["NEAR(y"]),
    ],
)
def test_a_query_finds_and_marks_words(shelf: Shelf, said: str, typed: str, shown: list[str]) -> None:
    shelf.library.add(whole("c", (said, "…"), title="-"))
    hits = shelf.library.search(typed)
    assert [hit.snippet.text for hit in hits] == ([said] if shown else [])
    if shown:
        snippet = hits[0].snippet
        assert [snippet.text[start:end] for start, end in snippet.highlights] == shown


@pytest.mark.parametrize("typed", ["", "  ", '"', '""', "?!", "()", "\x00", "\u202e"])
def test_a_query_without_words_finds_nothing(shelf: Shelf, typed: str) -> None:
    shelf.library.add(whole("c", ("Hello?", "Hi!")))
    assert shelf.library.search(typed) == []


def test_titles_come_first_then_messages_the_newest_first(shelf: Shelf) -> None:
    shelf.library.add(whole("a", ("apples first", "…"), at=NOON))
    shelf.library.add(whole("b", ("apples second", "…"), title="About apples", at=NOON + 1))
    hits = shelf.library.search("apple")
    assert [(hit.snippet.text, hit.turn, hit.role) for hit in hits] == [
        ("About apples", None, None),
        ("apples second", 1, Role.USER),
        ("apples first", 1, Role.USER),
    ]
    shelf.library.rename("b", "About pears")
    assert [hit.snippet.text for hit in shelf.library.search("about")] == ["About pears"]


def test_one_conversation_does_not_crowd_out_the_others(shelf: Shelf) -> None:
    shelf.library.add(whole("few", ("apples", "…")))
    shelf.library.add(whole("many", *((f"apples {n}", "…") for n in range(100))))
    assert found(shelf, "apples") == ["apples 99", "apples 98", "apples 97", "apples"]
    assert len(shelf.library.search("apples", limit=10, per_conversation=100)) == 10


def test_what_a_tool_was_told_and_said_is_found(shelf: Shelf) -> None:
    call = ToolCall("c1", "calculator", '{"expression": "365*24"}')
    result = ToolResult("c1", "calculator", "8760 hours")
    shelf.feed(1, [TypedMessage("A year?"), TextDelta("Wait."), call, result])
    assert shelf.recorder.flush()
    assert [hit.role for hit in shelf.library.search("365 8760")] == [Role.TOOL]


def test_a_snippet_shows_the_surroundings_on_one_line() -> None:
    text = "first words " * 30 + "the needle\n\tis here\x07 " + "last words " * 30
    snippet = make_snippet(text, parse_query("needle"))
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")
    assert "needle  is here  last" in snippet.text
    assert len(snippet.text) < 170
    ((start, end),) = snippet.highlights
    assert snippet.text[start:end] == "needle"


words = st.text(st.sampled_from("abßéİ 北京が\u0301\u200d🎉ไท-\n."), max_size=30)


@settings(max_examples=150, deadline=None)
@given(words, words)
def test_the_index_and_the_highlights_agree(text: str, query: str) -> None:
    """Whatever phrase stands in the tokens of a text is marked in it, and nothing else is."""
    phrases = parse_query(query)
    tokens = search_form(text).split()

    def stands(phrase_tokens: tuple[str, ...], open_ended: bool) -> bool:
        length = len(phrase_tokens)
        for start in range(len(tokens) - length + 1):
            here = tokens[start : start + length]
            last_fits = (
                here[-1].startswith(phrase_tokens[-1]) if open_ended else here[-1] == phrase_tokens[-1]
            )
            if tuple(here[:-1]) == phrase_tokens[:-1] and last_fits:
                return True
        return False

    for phrase in phrases:
        assert bool(find_all(text, [phrase])) == stands(phrase.tokens, phrase.open_ended)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_right_query_and_any_text_can_be_folded(text: str) -> None:
    expression = match_expression(parse_query(text))
    assert expression.count('"') % 2 == 0
    plain, origins = folded_with_origins(text)
    assert plain == folded(text)
    assert len(origins) == len(plain) + 1
    assert list(origins) == sorted(origins)


def test_any_text_can_be_searched_for(shelf: Shelf) -> None:
    shelf.library.add(whole("c", ("Hello?", "Hi!")))

    @settings(max_examples=100, deadline=None)
    @given(st.text(max_size=40))
    def search(text: str) -> None:
        shelf.library.search(text)

    search()
