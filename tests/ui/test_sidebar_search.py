"""Search in the sidebar: hits with their words marked, from typing to opening."""

from __future__ import annotations

import asyncio
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextLayout
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from s2s_desktop.conversation.store.snippets import Snippet
from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.snippet_layout import layout_snippet, utf16_ranges
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.turn_view import TurnView
from saved_conversations_kit import SavingSession, long_conversation, until, whole

NOW = round(time.time() * 1000)
PARIS = whole("paris", ("Where is Paris?", "In France."), title="Paris trip", at=NOW)
BREAD = whole("bread", ("How do I bake?", "As in **Paris**: slowly."), title="Bread", at=NOW - 1)


async def search(qtbot: QtBot, window: MainWindow, query: str) -> None:
    qtbot.keyClicks(window.sidebar.search, query)


async def test_titles_and_messages_are_found_while_typing(
    qtbot: QtBot, library_window: MainWindow, saving: SavingSession
) -> None:
    await saving.add(PARIS, BREAD)
    await search(qtbot, library_window, "pari")
    results = library_window.sidebar.results
    await until(lambda: len(results.hits) == 3)
    assert results.isVisible()
    assert {(hit.conversation.id, hit.turn) for hit in results.hits} == {
        ("paris", None),
        ("paris", 1),
        ("bread", 1),
    }
    library_window.grab()


async def test_one_query_is_asked_for_a_word_that_is_typed_fast(
    qtbot: QtBot, library_window: MainWindow, saving: SavingSession
) -> None:
    queries: list[str] = []
    library_window.sidebar.query_changed.connect(queries.append)
    await search(qtbot, library_window, "paris")
    await until(lambda: bool(queries))
    assert queries == ["paris"]


def test_the_cross_in_the_field_is_there_while_there_is_something_to_clear(
    qtbot: QtBot, window: MainWindow
) -> None:
    field = window.sidebar.search
    (clear,) = field.actions()
    assert not clear.isVisible()
    qtbot.keyClicks(field, "paris")
    assert clear.isVisible()
    clear.trigger()
    assert field.text() == ""
    assert not clear.isVisible()


async def test_arrow_down_and_enter_open_a_hit(
    qtbot: QtBot, library_window: MainWindow, saving: SavingSession
) -> None:
    await saving.add(PARIS, BREAD)
    await search(qtbot, library_window, "slowly")
    await until(lambda: len(library_window.sidebar.results.hits) == 1)
    qtbot.keyClick(library_window.sidebar.search, Qt.Key.Key_Down)
    qtbot.keyClick(library_window.sidebar.results, Qt.Key.Key_Return)
    await until(lambda: saving.saved.conversation_id == "bread")


async def test_a_hit_far_back_is_shown_in_its_place(
    qtbot: QtBot, library_window: MainWindow, saving: SavingSession
) -> None:
    await saving.add(long_conversation("long", 150))
    await search(qtbot, library_window, '"Question 20"')
    await until(lambda: len(library_window.sidebar.results.hits) == 1)
    library_window.sidebar.results.open_requested.emit(library_window.sidebar.results.hits[0])
    view = library_window.conversation

    def found() -> list[TurnView]:
        return [row for row in view.views if row.record.user_text == "Question 20"]

    await until(lambda: len(found()) == 1)
    (row,) = found()

    def in_view() -> bool:
        top = row.mapTo(view.viewport(), row.rect().topLeft()).y()
        return 0 <= top < view.viewport().height()

    await until(in_view)


async def test_escape_brings_the_list_back(
    qtbot: QtBot, library_window: MainWindow, saving: SavingSession
) -> None:
    await saving.add(PARIS, BREAD)
    await search(qtbot, library_window, "paris")
    await until(lambda: library_window.sidebar.results.isVisible())
    qtbot.keyClick(library_window.sidebar.search, Qt.Key.Key_Escape)
    assert library_window.sidebar.search.text() == ""
    assert not library_window.sidebar.results.isVisible()


async def test_nothing_found_is_a_sentence(
    qtbot: QtBot, library_window: MainWindow, saving: SavingSession
) -> None:
    await search(qtbot, library_window, "xyzzy")
    await until(lambda: library_window.sidebar.sentence.startswith("Nothing was found"))


async def test_control_f_unfolds_and_searches(
    qtbot: QtBot, library_window: MainWindow, saving: SavingSession
) -> None:
    await until(library_window.isActiveWindow)
    library_window.body.toggle()
    qtbot.keyClick(library_window.dock.field.input, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert library_window.sidebar.isVisible()
    await until(library_window.sidebar.search.hasFocus)


async def test_odd_queries_do_no_harm(
    qtbot: QtBot, library_window: MainWindow, saving: SavingSession
) -> None:
    await saving.add(PARIS)
    for query in ('"', "NEAR(", "a*b OR", "';--", "<b>", "\u202e", "😀"):
        library_window.sidebar.search.setText(query)
        library_window.sidebar.search.report()
        await library_window.library.settled()
    await asyncio.sleep(0)
    assert library_window.banners.notices == []


def test_ranges_count_as_qt_counts() -> None:
    assert utf16_ranges("a😀bc", [(0, 1), (1, 2), (2, 4)]) == [(0, 1), (1, 2), (3, 2)]


class TestLayout:
    WIDTH = 200

    def laid_out(self, theme: Theme, snippet: Snippet, lines: int = 2) -> QTextLayout:
        font = theme.body_font()
        return layout_snippet(snippet, font, self.WIDTH, lines, text=QColor("black"), mark=QColor("yellow"))

    def test_the_words_that_were_found_are_marked(self, theme: Theme) -> None:
        layout = self.laid_out(theme, Snippet("See 😀 Paris now", ((6, 11),)))
        (found,) = layout.formats()
        units = layout.text().encode("utf-16-le")
        assert units[2 * found.start : 2 * (found.start + found.length)].decode("utf-16-le") == "Paris"

    def test_markup_is_text(self, theme: Theme) -> None:
        assert self.laid_out(theme, Snippet("<b>x</b>", ())).text() == "<b>x</b>"

    @pytest.mark.parametrize("text", ["word " * 60, "x" * 400, "😀" * 200])
    def test_more_than_fits_ends_in_an_ellipsis(self, theme: Theme, text: str) -> None:
        layout = self.laid_out(theme, Snippet(text, ((0, 4),)))
        assert layout.lineCount() == 2
        assert layout.text().endswith("…")
        last = layout.lineAt(1)
        assert last.textStart() + last.textLength() == len(layout.text().encode("utf-16-le")) // 2


async def test_a_hit_far_back_is_shown_and_the_end_offered(
    library_window: MainWindow, saving: SavingSession
) -> None:
    window = library_window
    await saving.add(long_conversation("long", 300))
    await saving.saved.open("long", turn=20)
    assert window.banners.notices == ["This is an earlier part of the conversation."]
    shown = [record.user_text for record in window.conversation.records]
    assert "Question 20" in shown
    assert "Question 300" not in shown
    (button,) = (one for one in window.findChildren(QAbstractButton) if one.text() == "Go to the end")
    button.click()
    await until(lambda: window.conversation.records[-1].user_text == "Question 300")
