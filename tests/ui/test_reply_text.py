"""A reply is shown while it arrives: all of it, in order, without holding up the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from llm.fake_provider import FakeProvider
from s2s_desktop.ui.code_view import CodeView
from s2s_desktop.ui.copy_button import CopyButton
from s2s_desktop.ui.reply_text import MAX_SHOWN, ReplyText
from s2s_desktop.ui.text_view import TextView
from s2s_desktop.ui.theme import Theme


@pytest.fixture
def reply(qtbot: QtBot, theme: Theme) -> Iterator[ReplyText]:
    host = QWidget()
    view = ReplyText(theme, host)
    host.resize(600, 400)
    view.resize(600, 400)
    host.show()
    yield view
    host.hide()
    host.deleteLater()


def shown(reply: ReplyText) -> list[str]:
    return [
        view.toPlainText() if isinstance(view, TextView) else f"[{view.text}]" for view in reply.segment_views
    ]


def test_the_text_grows_with_every_delta(reply: ReplyText) -> None:
    text = ""
    for delta in ["It ", "is", " ", "mild", " today", "."]:
        text += delta
        reply.set_text(text, finished=False)
        assert "".join(shown(reply)) == text.rstrip()


def test_no_gap_stands_in_the_middle_of_a_long_paragraph(qtbot: QtBot, reply: ReplyText) -> None:
    sentence = "Late spring is the high season, so hotels cost more than in winter. "
    reply.set_text(sentence * 40 + "\n\n```\ncode\n```", finished=True)
    qtbot.waitUntil(lambda: not reply.is_working and reply.segment_views[-1].isVisible())
    layout = reply.layout()
    assert layout is not None
    reply.resize(600, layout.totalMinimumSize().height())
    layout.activate()
    first, second, code = reply.segment_views
    assert second.y() == first.y() + first.height()
    assert code.y() > second.y() + second.height()


def test_markdown_is_laid_out_when_the_reply_is_complete(reply: ReplyText) -> None:
    reply.set_text("It is **very** mi", finished=False)
    reply.set_text("It is **very** mild.", finished=True)
    assert shown(reply) == ["It is very mild."]


def test_markdown_appears_while_the_reply_streams(qtbot: QtBot, reply: ReplyText) -> None:
    reply.set_text("It is", finished=False)
    reply.set_text("It is **very** mild", finished=False)
    assert shown(reply) == ["It is **very** mild"]  # inserted plainly, which is cheap
    qtbot.waitUntil(lambda: shown(reply) == ["It is very mild"])


def test_nothing_is_laid_out_again_while_nothing_arrives(qtbot: QtBot, reply: ReplyText) -> None:
    reply.set_text("Some **text**", finished=False)
    reply.set_text("Some **text** more", finished=False)
    qtbot.waitUntil(lambda: not reply.is_working)
    assert shown(reply) == ["Some text more"]


def test_code_is_shown_apart_and_grows_line_by_line(reply: ReplyText) -> None:
    text = "Here:\n\n```python\nfor x in y:\n    pri"
    reply.set_text(text, finished=False)
    assert shown(reply) == ["Here:", "[for x in y:\n    pri]"]
    reply.set_text(text + "nt(x)\n```\nThat is all.", finished=True)
    assert shown(reply) == ["Here:", "[for x in y:\n    print(x)]", "That is all."]


def test_a_table_is_shown_apart_and_grows_row_by_row(qtbot: QtBot, reply: ReplyText) -> None:
    text = "Here:\n| a | b |\n|---|---|\n| one | two |\n| thr"
    reply.set_text(text, finished=False)
    assert shown(reply) == ["Here:", "\na\nb\none\ntwo\n"]
    reply.set_text(text + "ee | four |\n", finished=False)
    qtbot.waitUntil(lambda: shown(reply)[1].endswith("three\nfour\n"))
    reply.set_text(text + "ee | four |\nThat is all.", finished=True)
    assert shown(reply)[2:] == ["That is all."]
    assert reply.text_views == reply.segment_views, "a table is read along"


def test_the_code_can_be_copied(reply: ReplyText) -> None:
    reply.set_text("```\na = 1\n```", finished=True)
    (copy,) = reply.findChildren(CopyButton)
    copy.click()
    assert QApplication.clipboard().text() == "a = 1"


def test_a_heading_does_not_flash_up_while_a_list_begins(reply: ReplyText) -> None:
    reply.set_text("Bring:\n", finished=False)
    reply.set_text("Bring:\n-", finished=False)
    view = reply.segment_views[0]
    assert isinstance(view, TextView)
    assert view.document().begin().blockFormat().headingLevel() == 0


def test_a_character_cut_in_two_by_the_stream_comes_out_whole(reply: ReplyText) -> None:
    reply.set_text("Hi \ud83d", finished=False)
    reply.set_text("Hi \ud83d\ude42", finished=True)
    assert shown(reply) == ["Hi 🙂"]


def test_hostile_text_is_text(qtbot: QtBot, reply: ReplyText) -> None:
    hostile = (
        "<script>alert(1)</script> <img src=x onerror=y> ![p](file:///dev/zero) \x00\x1b[31m "
        "a\u200bb \u202egnp.exe\u202c \ufdd0 {{7*7}} %s"
    )
    reply.set_text(hostile, finished=True)
    (text,) = shown(reply)
    for part in ("<script>alert(1)</script>", "<img src=x onerror=y>", "[p]", "a\u200bb", "{{7*7}} %s"):
        assert part in text


def test_nothing_that_a_reply_names_is_fetched(qtbot: QtBot, reply: ReplyText, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    QPixmap(40, 40).save(str(picture))
    with FakeProvider() as server:
        address = f"{server.base_url}/picture.png"
        reply.set_text(
            f"![a]({address}) <img src='{address}'> ![b](file://{picture}) <img src='file://{picture}'> "
            f"<link rel=stylesheet href='{address}'> [c]({address}) {address}",
            finished=True,
        )
        qtbot.waitUntil(lambda: not reply.is_working)
        reply.grab()
        QApplication.processEvents()
        assert server.connections == 0
    (text,) = shown(reply)
    assert "\ufffc" not in text, "no picture stands in the text"
    assert "<img" in text


def test_a_line_of_a_megabyte_is_cut_with_a_word_about_it(qtbot: QtBot, reply: ReplyText) -> None:
    reply.set_text("x" * 1_000_000, finished=True)
    qtbot.waitUntil(lambda: not reply.is_working, timeout=60_000)
    assert sum(len(text) for text in shown(reply)) == MAX_SHOWN
    labels = [label.text() for label in reply.findChildren(QLabel)]
    assert any("1,000,000 characters" in text for text in labels)


def test_five_thousand_deltas_leave_the_window_time_to_breathe(qtbot: QtBot, reply: ReplyText) -> None:
    """The work is done in slices and the loop runs between them."""
    sentence = "The quick **brown** fox jumps over the lazy dog, again and again.\n\n"
    deltas = [word + " " for word in sentence.split(" ") * 500][:5000]
    turns_of_the_loop = 0

    def count() -> None:
        nonlocal turns_of_the_loop
        turns_of_the_loop += 1

    ticker = QTimer(reply)
    ticker.timeout.connect(count)
    ticker.start(0)
    reply.set_text("".join(deltas), finished=True)
    qtbot.waitUntil(lambda: not reply.is_working, timeout=60_000)
    ticker.stop()
    assert turns_of_the_loop >= 3
    assert "again and again" in shown(reply)[-1]
    assert len([view for view in reply.segment_views if not isinstance(view, CodeView)]) > 5
