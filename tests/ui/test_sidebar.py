"""The sidebar over a real store: lists, opens, renames, pins, deletes, searches, exports and imports."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLineEdit, QMenu, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from conversation.parts import answer
from s2s_desktop.conversation.events import ConversationsChanged, State, SummaryChanged
from s2s_desktop.conversation.store.records import Compaction, Conversation
from s2s_desktop.ui.conversation_list_model import ConversationRole
from s2s_desktop.ui.conversation_menus import ConversationMenu, LibraryMenu
from s2s_desktop.ui.main_window import MainWindow
from saved_conversations_kit import SavingSession, bytes_below, long_conversation, until, whole

DAY = 86_400_000
NOW = round(time.time() * 1000)
PARIS = whole("paris", ("Where is Paris?", "In France."), title="Paris trip", at=NOW)
BREAD = whole("bread", ("How do I bake?", "Slowly, when in Paris."), title="Bread", at=NOW - DAY)
CATS = whole("cats", ("Name a cat", "Smoke."), title="Cats", at=NOW - 40 * DAY)


def rows(window: MainWindow) -> list[str]:
    model = window.sidebar.list.rows
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


async def shown(window: MainWindow, *titles: str) -> None:
    await until(lambda: [title for title in rows(window) if title in titles] == list(titles))


async def fill(window: MainWindow, saving: SavingSession) -> None:
    await saving.add(PARIS, BREAD, CATS)
    window.library.observe(ConversationsChanged())
    await shown(window, "Paris trip", "Bread", "Cats")


def select(window: MainWindow, conversation_id: str) -> None:
    sidebar = window.sidebar.list
    sidebar.setFocus()
    sidebar.setCurrentIndex(sidebar.rows.index(sidebar.rows.row_of(conversation_id), 0))


def click(qtbot: QtBot, window: MainWindow, conversation_id: str) -> None:
    sidebar = window.sidebar.list
    rect = sidebar.visualRect(sidebar.rows.index(sidebar.rows.row_of(conversation_id), 0))
    qtbot.mouseClick(sidebar.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


def action(menu: QMenu, text: str) -> QAction:
    actions = [found for entry in menu.actions() for found in (entry, *_below(entry))]
    (found,) = [entry for entry in actions if entry.text().split("\t")[0] == text]
    return found


def _below(entry: QAction) -> list[QAction]:
    menu = entry.menu()
    return menu.actions() if isinstance(menu, QMenu) else []


async def press(parent: QWidget, name: str) -> None:
    """Click the button a screen reader calls `name`, when it is there.

    Events must not be processed inside of a coroutine: tasks would run inside of each other.
    """

    def found() -> list[QAbstractButton]:
        buttons = parent.findChildren(QAbstractButton)
        return [one for one in buttons if one.accessibleName() == name and one.isVisible()]

    await until(lambda: len(found()) == 1)
    found()[0].click()


def conversation_menu(window: MainWindow, conversation_id: str) -> ConversationMenu:
    sidebar = window.sidebar.list
    conversation = sidebar.rows.index(sidebar.rows.row_of(conversation_id), 0).data(ConversationRole)
    sidebar.menu_requested.emit(conversation, QPoint(0, 0))
    return window.sidebar.findChildren(ConversationMenu)[-1]


async def library_menu(window: MainWindow) -> LibraryMenu:
    await press(window.sidebar, "More about conversations")
    return window.sidebar.findChildren(LibraryMenu)[-1]


class TestList:
    async def test_conversations_stand_under_their_days(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        texts = rows(library_window)
        assert texts[:4] == ["Today", "Paris trip", "Yesterday", "Bread"]
        assert texts[5] == "Cats"
        assert len(texts) == 6

    async def test_before_there_are_any_it_says_what_it_is_for(self, library_window: MainWindow) -> None:
        await until(lambda: "appears here" in library_window.sidebar.sentence)

    async def test_what_is_said_appears_with_its_title_and_its_tokens(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        saving.answers(answer("In France."))
        await saving.session.converse("Where is Paris?")
        await shown(library_window, "Where is Paris?")
        assert library_window.sidebar.list.in_use == saving.saved.conversation_id
        await until(lambda: library_window.top_bar.title == "Where is Paris?")

    async def test_the_tokens_of_the_conversation_and_of_all(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        assert library_window.sidebar.usage_text == ""
        await saving.saved.open("paris")
        await until(lambda: library_window.sidebar.usage_text == "110 tokens used here")
        assert action(await library_menu(library_window), "330 tokens in all")

    async def test_more_are_fetched_as_the_reader_comes_to_the_end(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await saving.add(*(whole(f"c{number}", ("Q", "A"), at=NOW - number) for number in range(450)))
        library_window.library.observe(ConversationsChanged())
        listed = library_window.sidebar.list
        await until(lambda: len(listed.rows.conversations) == 200)
        for count in (400, 450):
            listed.scrollToBottom()
            await until(lambda wanted=count: len(listed.rows.conversations) == wanted)  # type: ignore[misc]
        listed.scrollToBottom()
        place = listed.verticalScrollBar().value()
        await saving.saved.rename("c449", "The very first")
        await until(lambda: "The very first" in rows(library_window))
        assert len(listed.rows.conversations) == 450
        assert listed.verticalScrollBar().value() == place > 0

    async def test_hostile_titles_are_shown_as_they_are_and_do_nothing(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        hostile = "<img src=http://127.0.0.1:9/x onerror=alert(1)><b>Bold</b> & \u202egnp.exe"
        await saving.add(whole("x", ("<script>1</script>", "<h1>big</h1>"), title=hostile, at=NOW))
        library_window.library.observe(ConversationsChanged())
        await shown(library_window, hostile)
        index = library_window.sidebar.list.rows.index(1, 0)
        tip = str(index.data(Qt.ItemDataRole.ToolTipRole))
        assert "<img" not in tip
        assert "<b>" not in tip
        await saving.saved.open("x")
        await until(lambda: library_window.top_bar.title == hostile)
        library_window.grab()
        select(library_window, "x")
        library_window.sidebar.list.delete_requested.emit(index.data(ConversationRole))
        await until(lambda: any("<img" in notice for notice in library_window.banners.notices))


class TestOpening:
    async def test_a_click_opens_with_its_turns(
        self, qtbot: QtBot, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        click(qtbot, library_window, "bread")
        await until(lambda: len(library_window.conversation.records) == 1)
        (record,) = library_window.conversation.records
        assert (record.user_text, record.reply_text) == ("How do I bake?", "Slowly, when in Paris.")
        assert library_window.top_bar.title == "Bread"
        await until(lambda: library_window.sidebar.list.in_use == "bread")

    async def test_arrow_keys_and_enter_open_and_pass_headings_over(
        self, qtbot: QtBot, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        select(library_window, "paris")
        qtbot.keyClick(library_window.sidebar.list, Qt.Key.Key_Down)
        qtbot.keyClick(library_window.sidebar.list, Qt.Key.Key_Return)
        await until(lambda: saving.saved.conversation_id == "bread")

    async def test_a_new_turn_goes_below_what_was_saved(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        saving.answers(answer("First."), answer("Second."))
        await saving.session.converse("Before")
        await saving.saved.open("paris")
        await saving.session.converse("After")
        texts = [record.user_text for record in library_window.conversation.records]
        assert texts == ["Where is Paris?", "After"]

    async def test_a_reply_that_runs_is_stopped_and_nothing_of_it_follows(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        backend = saving.answers(answer("A long story", pause_before_end=True))
        saving.session.send_text("Tell me")
        await backend.waiting.wait()
        library_window.sidebar.open_requested.emit("paris", None)
        await until(lambda: saving.saved.conversation_id == "paris")
        backend.go_on.set()
        await saving.session.settled()
        assert [record.user_text for record in library_window.conversation.records] == ["Where is Paris?"]
        assert saving.session.state is State.IDLE

    async def test_a_long_one_comes_in_slices_and_pages(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await saving.add(long_conversation("long", 120))
        view = library_window.conversation
        await saving.saved.open("long")
        assert 0 < len(view.views) < 10
        await until(lambda: len(view.views) == 50)
        assert view.views[-1].record.user_text == "Question 120"
        await press(view, "Show earlier messages")
        await until(lambda: len(view.views) == 100)
        await press(view, "Show earlier messages")
        await until(lambda: len(view.views) == 120)
        assert view.views[0].record.user_text == "Question 1"

    async def test_control_n_begins_a_new_one(
        self, qtbot: QtBot, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        await saving.saved.open("paris")
        await until(library_window.isActiveWindow)
        qtbot.keyClick(library_window.dock.field.input, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: saving.saved.conversation_id != "paris")
        assert library_window.conversation.records == []
        await until(lambda: library_window.top_bar.title == "New conversation")


class TestChanging:
    async def test_f2_renames_in_place(
        self, qtbot: QtBot, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        await until(library_window.isActiveWindow)
        select(library_window, "bread")
        qtbot.keyClick(library_window.sidebar.list, Qt.Key.Key_F2)
        (editor,) = library_window.sidebar.list.findChildren(QLineEdit)
        editor.setText("Rye bread")
        qtbot.keyClick(editor, Qt.Key.Key_Return)
        await shown(library_window, "Paris trip", "Rye bread", "Cats")

    async def test_a_list_that_changes_meanwhile_waits_for_the_title(
        self, qtbot: QtBot, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        await until(library_window.isActiveWindow)
        library_window.sidebar.list.rename("bread")
        (editor,) = library_window.sidebar.list.findChildren(QLineEdit)
        await saving.saved.rename("cats", "Gray cats")
        await library_window.library.settled()
        assert "Cats" in rows(library_window)
        qtbot.keyClick(editor, Qt.Key.Key_Escape)
        await shown(library_window, "Paris trip", "Bread", "Gray cats")

    async def test_a_pinned_one_is_at_the_top(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        action(conversation_menu(library_window, "cats"), "Pin").trigger()
        await until(lambda: rows(library_window)[:2] == ["Pinned", "Cats"])
        action(conversation_menu(library_window, "cats"), "Unpin").trigger()
        await shown(library_window, "Paris trip", "Bread", "Cats")

    async def test_delete_can_be_undone(
        self, qtbot: QtBot, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        await saving.saved.open("paris")
        select(library_window, "paris")
        qtbot.keyClick(library_window.sidebar.list, Qt.Key.Key_Delete)
        await until(lambda: library_window.banners.notices == ["“Paris trip” was deleted."])
        await until(lambda: "Paris trip" not in rows(library_window))
        assert library_window.conversation.records == []
        await press(library_window.banners, "Undo")
        await shown(library_window, "Paris trip", "Bread", "Cats")
        await until(lambda: saving.saved.conversation_id == "paris")
        assert len(library_window.conversation.records) == 1
        assert library_window.banners.notices == []

    async def test_control_z_undoes_the_latest_deletion(
        self, qtbot: QtBot, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        for name in ("paris", "bread"):
            select(library_window, name)
            qtbot.keyClick(library_window.sidebar.list, Qt.Key.Key_Delete)
            await until(lambda gone=name: library_window.sidebar.list.rows.row_of(gone) < 0)
        for left in (["Bread", "Cats"], ["Paris trip", "Bread", "Cats"]):
            library_window.sidebar.list.setFocus()
            qtbot.keyClick(library_window.sidebar.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            await shown(library_window, *left)

    async def test_what_is_gone_is_said_in_a_sentence(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        library_window.sidebar.open_requested.emit("nowhere", None)
        await until(lambda: library_window.banners.notices == ["This conversation is no longer there."])


class TestKeeping:
    async def test_when_nothing_is_saved_it_says_so_and_offers_to_save(
        self, library_window: MainWindow, saving: SavingSession
    ) -> None:
        await fill(library_window, saving)
        action(await library_menu(library_window), "Save conversations").trigger()
        await until(lambda: not saving.saved.keeps)
        await library_window.library.settled()
        assert library_window.top_bar.title == "Not saved"
        await press(library_window.sidebar, "Save conversations")
        await until(lambda: saving.saved.keeps)
        await library_window.library.settled()
        assert not library_window.sidebar.nothing_saved

    async def test_then_it_promises_nothing(self, library_window: MainWindow, saving: SavingSession) -> None:
        assert "appears here" in library_window.sidebar.sentence
        action(await library_menu(library_window), "Save conversations").trigger()
        await until(lambda: library_window.sidebar.nothing_saved)
        assert library_window.sidebar.sentence == ""

    async def test_everything_is_deleted_after_a_question(
        self, library_window: MainWindow, saving: SavingSession, home: Path
    ) -> None:
        await fill(library_window, saving)
        await saving.saved.open("bread")
        action(await library_menu(library_window), "Delete everything…").trigger()
        question = library_window.library.dialog
        assert isinstance(question, QMessageBox)
        await press(question, "Cancel")
        assert len(await saving.titles()) == 3
        action(await library_menu(library_window), "Delete everything…").trigger()
        question = library_window.library.dialog
        assert isinstance(question, QMessageBox)
        await press(question, "Delete everything")
        await until(lambda: rows(library_window) == [])
        assert library_window.conversation.records == []
        assert b"Slowly" not in bytes_below(home)


class TestFiles:
    async def test_export_one_and_all_and_import(
        self, library_window: MainWindow, saving: SavingSession, tmp_path: Path
    ) -> None:
        await fill(library_window, saving)
        action(conversation_menu(library_window, "bread"), "Markdown…").trigger()
        dialog = library_window.library.dialog
        assert isinstance(dialog, QFileDialog)
        assert Path(dialog.selectedFiles()[0]).name == "Bread.md"
        target = tmp_path / "bread.md"
        dialog.fileSelected.emit(str(target))
        dialog.close()
        await until(lambda: target.exists() and bool(library_window.banners.notices))
        action(await library_menu(library_window), "JSON (can be imported)…").trigger()
        dialog = library_window.library.dialog
        assert isinstance(dialog, QFileDialog)
        everything = tmp_path / "all.json"
        dialog.fileSelected.emit(str(everything))
        dialog.close()
        await until(lambda: any(str(everything) in notice for notice in library_window.banners.notices))
        await saving.saved.wipe()
        action(await library_menu(library_window), "Import…").trigger()
        dialog = library_window.library.dialog
        assert isinstance(dialog, QFileDialog)
        dialog.fileSelected.emit(str(everything))
        dialog.close()
        await shown(library_window, "Paris trip", "Bread", "Cats")
        await until(lambda: library_window.banners.notices[-1] == "3 conversations were added.")

    async def test_what_cannot_be_exported_is_said_in_a_sentence(
        self, library_window: MainWindow, saving: SavingSession, tmp_path: Path
    ) -> None:
        await fill(library_window, saving)
        action(conversation_menu(library_window, "bread"), "Subtitles (SRT)…").trigger()
        dialog = library_window.library.dialog
        assert isinstance(dialog, QFileDialog)
        dialog.fileSelected.emit(str(tmp_path / "bread.srt"))
        dialog.close()
        await until(lambda: any("Nothing was spoken" in text for text in library_window.banners.notices))


async def test_a_summary_is_shown_and_taken_back(library_window: MainWindow, saving: SavingSession) -> None:
    await saving.add(long_conversation("long", 6))
    await saving.saved.open("long")
    await saving.saved.summarized("<b>asked</b>", "answered", keep=2)
    assert library_window.summary.isVisible()
    assert "<b>" not in library_window.summary.toolTip()
    await press(library_window, "Undo the summary")
    await until(lambda: not library_window.summary.isVisible())
    assert len(saving.history) == 6
    saving.session.publish(SummaryChanged(Compaction(1, "u", "a", NOW)))
    await saving.saved.new()
    assert not library_window.summary.isVisible()


def test_a_conversation_without_a_title_has_a_name(window: MainWindow) -> None:
    window.sidebar.show_conversations(
        [Conversation("x", "", whole("x").conversation.title_source, NOW, NOW)], True
    )
    assert rows(window) == ["Today", "New conversation"]


def test_a_screen_reader_is_told_what_is_pinned(window: MainWindow) -> None:
    pinned = whole("x", title="Notes", at=NOW, pinned=True).conversation
    window.sidebar.show_conversations([pinned], True)
    assert window.sidebar.list.rows.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "Notes, pinned"


async def test_one_conversation_that_changed_is_fetched_alone(
    library_window: MainWindow, saving: SavingSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(library_window, saving)
    await library_window.library.settled()

    async def page(*, limit: int, offset: int = 0) -> list[Conversation]:
        raise AssertionError("the whole list was fetched")

    monkeypatch.setattr(saving.saved, "page", page)
    await saving.saved.rename("cats", "Dogs")
    await shown(library_window, "Paris trip", "Bread", "Dogs")
    await saving.saved.pin("bread", True)
    await shown(library_window, "Bread", "Paris trip", "Dogs")
    await saving.saved.delete("paris")
    await until(lambda: "Paris trip" not in rows(library_window))
    await saving.saved.undo_delete("paris")
    await shown(library_window, "Bread", "Paris trip", "Dogs")
    saving.answers(answer("In France."))
    await saving.session.converse("Where is Lyon?")
    await shown(library_window, "Bread", "Where is Lyon?", "Paris trip", "Dogs")
