"""A document is one text: it is searched and copied as a whole, and fetches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from llm.fake_provider import FakeProvider
from s2s_desktop.ui.document_view import DocumentView
from s2s_desktop.ui.theme import Theme

TEXT = """# Title

One apple, two Apples.

```
an apple in code
```

| a | b |
|---|---|
| the last apple | [a page](https://example.org) |
"""


@pytest.fixture
def show(qtbot: QtBot, theme: Theme) -> Iterator[Callable[[str], DocumentView]]:
    host = QWidget()
    host.resize(500, 300)

    def make(text: str) -> DocumentView:
        view = DocumentView(theme, "Text", text, host)
        view.resize(500, 300)
        host.show()
        return view

    yield make
    host.hide()
    host.deleteLater()


def test_the_next_place_is_found_and_after_the_last_the_first(show: Callable[[str], DocumentView]) -> None:
    view = show(TEXT)
    assert view.find_from("apple", beyond=False)
    places = [view.textCursor().position()]
    for _ in range(4):
        assert view.find_from("apple", beyond=True)
        places.append(view.textCursor().position())
    assert places[:4] == sorted(set(places[:4])), "in prose, code and tables"
    assert places[4] == places[0]


def test_a_longer_word_is_looked_for_where_the_shorter_one_was_found(
    show: Callable[[str], DocumentView],
) -> None:
    view = show(TEXT)
    view.find_from("appl", beyond=False)
    view.find_from("apple", beyond=True)
    here = view.textCursor().selectionStart()
    view.find_from("apples", beyond=False)
    assert view.textCursor().selectionStart() == here


@pytest.mark.parametrize("words", ["", "pear"])
def test_what_is_not_there_selects_nothing(show: Callable[[str], DocumentView], words: str) -> None:
    view = show(TEXT)
    view.find_from("apple", beyond=False)
    assert not view.find_from(words, beyond=True)
    assert not view.textCursor().hasSelection()


def test_all_of_it_can_be_copied_at_once(show: Callable[[str], DocumentView]) -> None:
    view = show(TEXT)
    view.selectAll()
    view.copy()
    copied = QApplication.clipboard().text()
    assert all(words in copied for words in ("Title", "an apple in code", "the last apple"))


def test_a_link_opens_in_the_browser_and_a_picture_is_not_fetched(
    show: Callable[[str], DocumentView], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    with FakeProvider() as server:
        view = show(f"![p]({server.base_url}/p.png) [page]({server.base_url})")
        view.grab()
        QApplication.processEvents()
        view.anchorClicked.emit(QUrl("https://example.org"))
        view.anchorClicked.emit(QUrl("file:///etc/passwd"))
        assert server.connections == 0
    assert opened == [QUrl("https://example.org")]


def test_it_follows_the_size_of_text(show: Callable[[str], DocumentView], theme: Theme) -> None:
    view = show(TEXT)
    before = view.document().size().height()
    theme.choose("light", 2.0)
    assert view.document().size().height() > before
