"""Pasted keys are cleaned or explained, and never shown."""

from __future__ import annotations

import pytest

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.llm.http.credentials import clean_api_key, clean_headers


@pytest.mark.parametrize(
    ("pasted", "key"),
    [
        ("sk-test", "sk-test"),
        ("sk-test\n", "sk-test"),
        ("\r\n sk-test\t ", "sk-test"),
        ("\u200bsk-test\ufeff", "sk-test"),
        (" \u200b \u00a0sk-test\u200b\n", "sk-test"),
        ('"sk-test"', "sk-test"),
        ("‘sk-test’", "sk-test"),
        ("Bearer sk-test", "sk-test"),
        ("", ""),
        ("  \n", ""),
    ],
)
def test_the_edges_are_trimmed(pasted: str, key: str) -> None:
    assert clean_api_key(pasted) == key


@pytest.mark.parametrize(
    ("pasted", "position", "name"),
    [
        ("sk\u200b-canary", 3, "U+200B (zero width space)"),
        ("sk-\u2014canary", 4, "U+2014 (em dash)"),
        ("sk-can ary", 7, "a space"),
        ("sk-can\nary", 7, "a line break"),
        (" sk-can\x00ary", 7, "U+0000 (a control character)"),
        ("sk-canàry", 7, "U+00E0"),
    ],
)
def test_a_character_that_no_key_holds_is_named(pasted: str, position: int, name: str) -> None:
    with pytest.raises(AssistantError) as caught:
        clean_api_key(pasted)

    assert caught.value.kind is ErrorKind.BAD_REQUEST
    assert f"Character {position} " in caught.value.message
    assert name in caught.value.message
    assert "sk" not in caught.value.message.replace("Ask", "")


def test_headers_are_trimmed() -> None:
    assert clean_headers({" X-Title ": " S2S\n", "X-Empty": ""}) == {"X-Title": "S2S", "X-Empty": ""}


@pytest.mark.parametrize(
    "headers", [{"": "a"}, {"X Title": "a"}, {"X:": "a"}, {"X-A": "can\nary"}, {"X-A": "canäry"}]
)
def test_headers_that_cannot_be_sent_are_named(headers: dict[str, str]) -> None:
    with pytest.raises(AssistantError) as caught:
        clean_headers(headers)

    assert "can" not in caught.value.message
