"""Stretches become one text, written as their language writes it."""

from __future__ import annotations

import pytest

from s2s_desktop.stt.transcript_text import join_texts


@pytest.mark.parametrize(
    ("texts", "joined"),
    [
        ([" Turn on", " the lamp. "], "Turn on the lamp."),
        (["One.", "", "Two."], "One. Two."),
        (["断片として 危機", "流す。"], "断片として危機流す。"),
        (["你好。", "Hello."], "你好。 Hello."),
        ([], ""),
    ],
)
def test_joined(texts: list[str], joined: str) -> None:
    assert join_texts(texts) == joined
