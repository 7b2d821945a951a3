"""Colors follow the system, also while the program runs, and reach every part."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from s2s_desktop.resources import resource_path
from s2s_desktop.ui.code_view import CodeText
from s2s_desktop.ui.icons import app_icon, icon_pixmap
from s2s_desktop.ui.main_window import MainWindow
from s2s_desktop.ui.stylesheet import build_stylesheet
from s2s_desktop.ui.text_view import TextView
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import DARK, LIGHT, TypeScale
from window_helpers import Conversation


def switch(app: QApplication, scheme: Qt.ColorScheme) -> None:
    """Say what the system says when the user switches its colors."""
    app.styleHints().colorSchemeChanged.emit(scheme)


def test_the_scheme_of_the_system_chooses_the_tokens(qapp: QApplication, theme: Theme) -> None:
    switch(qapp, Qt.ColorScheme.Dark)
    assert theme.tokens == DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK.background)
    switch(qapp, Qt.ColorScheme.Light)
    assert theme.tokens == LIGHT
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(LIGHT.background)


def test_a_change_reaches_the_open_window(
    qtbot: QtBot, qapp: QApplication, window: MainWindow, conversation: Conversation
) -> None:
    conversation.hold_turn(1, "Q", "See [this](http://example.org).")
    QApplication.processEvents()
    corner = window.rect().center()
    assert window.grab().toImage().pixelColor(corner) == QColor(LIGHT.background)
    switch(qapp, Qt.ColorScheme.Dark)
    QApplication.processEvents()
    assert window.grab().toImage().pixelColor(corner) == QColor(DARK.background)
    link = QColor(DARK.accent)
    views = [view for view in window.findChildren(TextView) if "this" in view.toPlainText()]
    assert any(link.name() in view.toHtml() for view in views)
    switch(qapp, Qt.ColorScheme.Light)


def test_a_desktop_that_names_no_scheme_but_is_dark_is_dark(qapp: QApplication) -> None:
    before = qapp.palette()
    dark = QPalette()
    dark.setColor(QPalette.ColorRole.Window, QColor("#202020"))
    qapp.setPalette(dark)
    theme = Theme(qapp, qapp)
    assert theme.tokens == DARK
    theme.deleteLater()
    qapp.setPalette(before)


def test_the_accent_of_the_system_is_used(qapp: QApplication) -> None:
    before = qapp.palette()
    accented = QPalette()
    accented.setColor(QPalette.ColorRole.Window, QColor("#ffffff"))
    accented.setColor(QPalette.ColorRole.Accent, QColor("#7a1fa2"))
    qapp.setPalette(accented)
    theme = Theme(qapp, qapp)
    assert theme.tokens.accent == "#7a1fa2"
    theme.deleteLater()
    qapp.setPalette(before)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_the_stylesheet_is_complete(qtbot: QtBot, window: MainWindow, tokens: object) -> None:
    """Qt prints a warning for a sheet it cannot read, which fails the test."""
    sheet = build_stylesheet(tokens, TypeScale(), "monospace")
    assert "$" not in sheet
    window.setStyleSheet(sheet)


ICONS = sorted(path.stem for path in resource_path("icons").glob("*.svg") if path.stem != "app")


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_is_one_line_family_and_takes_the_color(qapp: QApplication, name: str) -> None:
    drawing = resource_path(f"icons/{name}.svg").read_text(encoding="utf-8")
    assert 'stroke-width="1.75"' in drawing
    picture = icon_pixmap(name, QColor("#ff0000"), 24, 2.0).toImage()
    inked = [
        picture.pixelColor(x, y)
        for x in range(picture.width())
        for y in range(picture.height())
        if picture.pixelColor(x, y).alpha() > 200
    ]
    assert inked
    assert all(color.red() > 200 and color.green() < 60 for color in inked)


def test_the_icon_of_the_program_comes_in_every_size(qapp: QApplication) -> None:
    sizes = {size.width() for size in app_icon().availableSizes()}
    assert {16, 32, 48, 256} <= sizes


def test_a_larger_text_size_reaches_everything_that_is_shown(
    window: MainWindow, conversation: Conversation
) -> None:
    conversation.hold_turn(1, "A question of some length", "An answer.\n\n```\none\ntwo\n```")
    QApplication.processEvents()
    texts, code = window.findChildren(TextView), window.findChildren(CodeText)
    shown = [*texts, *code, window.dock.field.input]
    before = [widget.height() for widget in shown]
    window.theme.choose("system", 2.0)
    QApplication.processEvents()
    after = [widget.height() for widget in shown]
    window.theme.choose("system", 1.0)
    QApplication.processEvents()
    assert all(larger > 1.5 * usual for usual, larger in zip(before, after, strict=True))
    assert [widget.height() for widget in shown] == before
