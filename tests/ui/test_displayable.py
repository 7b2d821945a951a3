"""Text from outside cannot pretend to be structure of Qt's documents."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextDocument

from s2s_desktop.ui.displayable import displayable_text, ends_in_half_a_character


def test_ordinary_text_is_left_alone() -> None:
    text = "Tab\tand\nline, é 日本語 العربية 🙂 zero\u200bwidth \u202ebidi\u202c"
    assert displayable_text(text) is text


def test_line_ends_of_every_kind_become_one() -> None:
    assert displayable_text("a\r\nb\rc\nd") == "a\nb\nc\nd"


def test_control_characters_and_marks_of_qt_become_visible() -> None:
    assert displayable_text("a\x00b\x1bc\ufdd0d\ufdd1e\ufffcf") == "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf"


def test_a_pair_of_surrogates_becomes_its_character_and_a_lonely_one_is_marked() -> None:
    assert displayable_text("\ud83d\ude42") == "🙂"
    assert displayable_text("x\ud83dy") == "x\ufffdy"


def test_a_stream_may_be_cut_inside_a_character_or_a_line_end() -> None:
    assert ends_in_half_a_character("ok\ud83d")
    assert ends_in_half_a_character("ok\r")
    assert not ends_in_half_a_character("ok")
    assert not ends_in_half_a_character("")


@given(st.text(st.characters(codec=None), max_size=40))
def test_qt_shows_exactly_what_it_is_given(text: str) -> None:
    shown = displayable_text(text)
    document = QTextDocument()
    document.setPlainText(shown)
    paragraphs = shown.replace("\u2028", "\n").replace("\u2029", "\n").replace("\xa0", " ")
    assert document.toPlainText().replace("\xa0", " ") == paragraphs
