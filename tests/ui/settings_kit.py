"""Drives the settings as a user of a screen reader does: by the names of the controls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QKeySequenceEdit,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSlider,
    QWidget,
)

from s2s_desktop.conversation.events import Event
from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.ui.first_run import FirstRun
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.keys_box import KeysBox
from s2s_desktop.ui.settings_dialog import SettingsDialog
from s2s_desktop.ui.talk_control import TalkControl
from s2s_desktop.ui.talk_shortcut import TalkShortcut
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import type_scale
from saved_conversations_kit import until
from ui.fake_preferences import FakePreferences
from window_helpers import Conversation

Found = TypeVar("Found", bound=QWidget)


class Library:
    """The saved conversations as the settings use them."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []

    async def export(self, conversation_id: str | None, export_format: ExportFormat, target: Path) -> int:
        self.asked.append(("export", conversation_id, export_format, target))
        return 3

    async def wipe(self) -> None:
        self.asked.append(("wipe",))


class Driver:
    """A dialog and what is behind it."""

    def __init__(
        self, dialog: SettingsDialog | FirstRun, preferences: FakePreferences, conversation: Conversation
    ) -> None:
        self.dialog = dialog
        self.preferences = preferences
        self.conversation = conversation
        self.library = Library()

    def control(self, name: str, kind: type[Found] = QWidget) -> Found:  # type: ignore[assignment]
        """Return the control in view that a screen reader calls `name`."""
        found = self.controls(name, kind)
        assert len(found) == 1, f"{len(found)} controls in view are called {name!r}"
        return found[0]

    def controls(self, name: str, kind: type[Found] = QWidget) -> list[Found]:  # type: ignore[assignment]
        inner = {box.lineEdit() for box in self.dialog.findChildren(QComboBox)}
        inner |= {box.findChild(QLineEdit) for box in self.dialog.findChildren(QKeySequenceEdit)}
        return [
            each
            for each in self.dialog.findChildren(kind)
            if each.accessibleName() == name
            and each.isVisible()
            and each.focusPolicy() != Qt.FocusPolicy.NoFocus
            and each not in inner
        ]

    async def settle(self) -> None:
        await self.dialog.settled()

    async def press(self, name: str) -> None:
        await until(lambda: len(self.controls(name, QAbstractButton)) == 1)
        self.control(name, QAbstractButton).click()
        await self.settle()

    def press_and_go_on(self, name: str) -> None:
        """Press a button whose work waits for something."""
        self.control(name, QAbstractButton).click()

    async def type(self, name: str, text: str) -> None:
        """Replace what stands in a field and go to the next one."""
        control = self.control(name)
        line = control.lineEdit() if isinstance(control, QComboBox) else control
        if isinstance(line, QLineEdit):
            line.selectAll()
            QTest.keyClick(line, Qt.Key.Key_Backspace)
            QTest.keyClicks(line, text)
            QTest.keyClick(line, Qt.Key.Key_Return)
        else:
            assert isinstance(line, QPlainTextEdit)
            line.setPlainText(text)
            self.dialog.editor.flushing.emit()  # as when the field is left
        await self.settle()

    async def choose(self, name: str, text: str) -> None:
        """Choose what the box shows as `text`."""
        box = self.control(name, ChoiceBox)
        index = box.findText(text)
        assert index >= 0, f"{name} offers {[box.itemText(i) for i in range(box.count())]}"
        box.setCurrentIndex(index)
        box.activated.emit(index)
        await self.settle()

    async def press_keys(self, name: str, keys: str) -> None:
        """Press a combination, for example "Ctrl+Alt+Space", while the field has the keyboard."""
        pressed = QKeySequence(keys)[0]
        QTest.keyClick(self.control(name, KeysBox), pressed.key(), pressed.keyboardModifiers())
        await self.settle()

    async def slide(self, name: str, steps: int) -> None:
        slider = self.control(name, QSlider)
        for _ in range(abs(steps)):
            QTest.keyClick(slider, Qt.Key.Key_Right if steps > 0 else Qt.Key.Key_Left)
        self.dialog.editor.flushing.emit()
        await self.settle()

    async def choose_from_menu(self, text: str) -> None:
        menus = [menu for menu in self.dialog.findChildren(QMenu) if menu.isVisible()]
        (action,) = [action for action in menus[-1].actions() if action.text() == text]
        action.trigger()
        menus[-1].close()
        await self.settle()


@asynccontextmanager
async def open_settings(
    page: str, preferences: FakePreferences | None = None, *, scale: float = 1.0, login_offered: bool = False
) -> AsyncIterator[Driver]:
    """Open the settings at a page; everything ends inside of the test, where the loop still runs."""
    preferences = preferences or FakePreferences()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(app, app)
    theme.scale = type_scale(13.5 * scale)
    conversation, library = Conversation(), Library()
    talk_shortcut = TalkShortcut(preferences, TalkControl(app), print)
    dialog = SettingsDialog(
        preferences,
        conversation,
        library,
        theme,
        None,
        login_offered=login_offered,
        talk_shortcut=talk_shortcut,
    )
    driver = Driver(dialog, preferences, conversation)
    driver.library = library

    def tell(event: Event) -> None:
        talk_shortcut.observe(None, event)
        dialog.observe(None, event)

    preferences.tell = tell
    talk_shortcut.begin()
    dialog.open_page(page)
    await driver.settle()
    try:
        yield driver
    finally:
        await dialog.shut()
        talk_shortcut.close()
        dialog.deleteLater()
        talk_shortcut.deleteLater()
        theme.deleteLater()


@asynccontextmanager
async def open_first_run(preferences: FakePreferences | None = None) -> AsyncIterator[Driver]:
    """Open the pages of the first start."""
    preferences = preferences or FakePreferences()
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    theme = Theme(app, app)
    conversation = Conversation()
    dialog = FirstRun(preferences, conversation, theme, None)  # type: ignore[arg-type]
    driver = Driver(dialog, preferences, conversation)
    preferences.tell = lambda event: dialog.observe(None, event)
    dialog.begin()
    await driver.settle()
    try:
        yield driver
    finally:
        await dialog.shut()
        dialog.deleteLater()
        theme.deleteLater()
