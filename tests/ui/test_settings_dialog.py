"""The dialog as a whole: live, never modal, honest about what it cannot change, reachable by keyboard."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QListWidget,
    QWidget,
)

from s2s_desktop.conversation import preferences as contract
from s2s_desktop.settings.schema import Persona, Profile, Settings
from s2s_desktop.ui.form.field import Field
from s2s_desktop.ui.form.page import Page
from saved_conversations_kit import until
from ui.fake_preferences import MODELS, FakePreferences
from ui.settings_kit import Driver, open_settings

PAGES = ("model", "assistant", "speech", "audio", "models", "general")


def field(driver: Driver, name: str) -> Field:
    """Return the field around the control of that name."""
    found = driver.control(name).parent()
    assert isinstance(found, Field)
    return found


def full_settings() -> Settings:
    settings = Settings()
    settings.profiles.append(Profile(name="OpenAI", model="gpt-5.6-terra"))
    settings.profile = "OpenAI"
    settings.assistant.personas = [Persona(name="Pirate")]
    settings.speech.stt_engine = settings.speech.tts_engine = "remote"
    settings.history.keep_audio = True
    return settings


def focusable(parent: QWidget) -> list[QWidget]:
    return [
        each
        for each in parent.findChildren(QWidget)
        if each.isVisibleTo(parent) and each.focusPolicy() != Qt.FocusPolicy.NoFocus and each.isEnabled()
    ]


def wheel_over(control: QWidget) -> QWheelEvent:
    middle = control.rect().center()
    return QWheelEvent(
        middle.toPointF(),
        control.mapToGlobal(middle).toPointF(),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )


def unfold(driver: Driver) -> None:
    for name in ("Advanced", "Advanced hearing"):
        for button in driver.controls(name):
            button.click()  # type: ignore[attr-defined]


class TestLive:
    async def test_it_is_not_modal(self, qapp: QApplication) -> None:
        async with open_settings("audio") as driver:
            assert not driver.dialog.isModal()
            assert QApplication.activeModalWidget() is None

    async def test_typing_is_applied_when_it_pauses_and_only_once(self, qapp: QApplication) -> None:
        async with open_settings("speech") as driver:
            QTest.keyClicks(driver.control("Names and special words"), "Saoirse")
            assert driver.preferences.applied == []
            await until(lambda: len(driver.preferences.applied) == 1)
            assert driver.preferences.settings.speech.hotwords == "Saoirse"

    async def test_closing_applies_what_was_typed(self, qapp: QApplication) -> None:
        async with open_settings("speech") as driver:
            QTest.keyClicks(driver.control("Names and special words"), "Saoirse")
            QTest.keyClick(driver.dialog, Qt.Key.Key_Escape)
            await driver.settle()
            assert not driver.dialog.isVisible()
            assert driver.preferences.settings.speech.hotwords == "Saoirse"

    async def test_the_end_of_the_program_saves_what_was_typed(self, qapp: QApplication) -> None:
        async with open_settings("speech") as driver:
            QTest.keyClicks(driver.control("Names and special words"), "Saoirse")
        assert driver.preferences.settings.speech.hotwords == "Saoirse"

    async def test_a_change_elsewhere_is_shown_and_kept(self, qapp: QApplication) -> None:
        async with open_settings("assistant") as driver:
            driver.preferences.change_elsewhere(lambda settings: setattr(settings.assistant, "tools", False))
            assert not driver.control("Let the model use tools").isChecked()  # type: ignore[attr-defined]
            await driver.press("Summarize older turns")
            assistant = driver.preferences.settings.assistant
            assert (assistant.tools, assistant.compact_history) == (False, True)

    async def test_quick_changes_all_arrive_in_order(self, qapp: QApplication) -> None:
        async with open_settings("assistant") as driver:
            for _ in range(21):
                driver.press_and_go_on("Let the model use tools")
            driver.press_and_go_on("Summarize older turns")
            await driver.settle()
            assistant = driver.preferences.settings.assistant
            assert (assistant.tools, assistant.compact_history) == (False, True)

    async def test_settings_that_cannot_be_saved_are_told_and_shown_as_they_are(
        self, qapp: QApplication
    ) -> None:
        preferences = FakePreferences()
        preferences.fails["apply"] = "The settings could not be saved: the disk is full."
        async with open_settings("assistant", preferences) as driver:
            await driver.press("Let the model use tools")
            assert driver.control("Let the model use tools").isChecked()  # type: ignore[attr-defined]
            assert driver.dialog.unsaved == "The settings could not be saved: the disk is full."
            await driver.press("Let the model use tools")
            assert driver.dialog.unsaved == ""

    async def test_only_what_was_changed_is_applied(self, qapp: QApplication) -> None:
        """Looking at pages changes nothing."""
        async with open_settings("model", FakePreferences(full_settings())) as driver:
            for page in PAGES:
                driver.dialog.open_page(page)
                await driver.settle()
            assert driver.preferences.applied == []


class TestWrongValues:
    @pytest.mark.parametrize(
        ("name", "text", "problem"),
        [
            ("Turns that are sent along", "many", "Enter a whole number."),
            ("Turns that are sent along", "-1", "Enter 0 or more."),
            ("Turns that are sent along", "1001", "Enter 1000 or less."),
        ],
    )
    async def test_what_is_wrong_stands_beside_the_field(
        self, qapp: QApplication, name: str, text: str, problem: str
    ) -> None:
        async with open_settings("assistant") as driver:
            await driver.type(name, text)
            assert field(driver, name).problem == problem
            assert problem in driver.control(name).accessibleDescription()
            assert driver.preferences.applied == []
            await driver.press("Summarize older turns")
            assert driver.control(name, QLineEdit).text() == text  # to be corrected, not lost
            await driver.type(name, "5")
            assert field(driver, name).problem == ""
            assert driver.preferences.settings.assistant.chat_size == 5

    @pytest.mark.parametrize(
        ("name", "text", "problem"),
        [
            ("Temperature", "hot", "Enter a number, such as 0.7."),
            ("Temperature", "3", "Enter 2 or less."),
            ("Wait to connect (s)", "0", "Enter more than 0."),
            ("HTTP headers", "no colon", "Write each line as Name: value."),
        ],
    )
    async def test_of_a_profile_too(self, qapp: QApplication, name: str, text: str, problem: str) -> None:
        async with open_settings("model", FakePreferences(full_settings())) as driver:
            unfold(driver)
            await driver.type(name, text)
            assert field(driver, name).problem == problem
            assert driver.preferences.applied == []


class TestOverrides:
    async def test_what_the_command_line_chose_is_said_and_cannot_be_changed(
        self, qapp: QApplication
    ) -> None:
        preferences = FakePreferences()
        preferences.given = {"speech.stt_language": "--language", "speech.voice": "--voice"}
        async with open_settings("speech", preferences) as driver:
            for name, source in (("Language you speak", "--language"), ("Voice", "--voice")):
                assert not driver.control(name).isEnabled()
                assert f"Set by {source} for this run" in field(driver, name).problem
            assert not driver.control("Blend with").isEnabled()
            assert driver.control("Names and special words").isEnabled()

    async def test_only_the_profile_in_use_can_be_overridden(self, qapp: QApplication) -> None:
        preferences = FakePreferences(full_settings())
        preferences.given = {"profile.model": "--model"}
        async with open_settings("model", preferences) as driver:
            assert not driver.control("Model").isEnabled()
            profiles = driver.control("Profiles", QListWidget)
            profiles.setCurrentRow(0)
            await driver.settle()
            assert driver.control("Model on this computer").isEnabled()


class TestHostileNames:
    HOSTILE = "<img src=http://127.0.0.1:9/x><b>bold</b> & \u202egnp.exe" + "x" * 400

    async def test_they_stay_text_and_widen_nothing(self, qapp: QApplication) -> None:
        name = self.HOSTILE
        settings = full_settings()
        settings.assistant.personas[0].name = name[:100]
        preferences = FakePreferences(settings)
        preferences.models_known = tuple(
            replace(each, title=name, summary=name, license=name) for each in MODELS
        )
        preferences.microphones = (contract.DeviceChoice(name, True),)
        preferences.voices_known = (contract.VoiceChoice("x", name, "en"),)
        preferences.keys["api.openai.com"] = name
        async with open_settings("model", preferences) as driver:
            for page in PAGES:
                driver.dialog.open_page(page)
                await driver.settle()
                view = driver.dialog.page
                for label in view.findChildren(QLabel):
                    assert label.textFormat() == Qt.TextFormat.PlainText or "<" not in label.text()
                await until(lambda view=view: view.widget().width() <= view.viewport().width())  # type: ignore[misc]


class TestForEverybody:
    @pytest.mark.parametrize("page", PAGES)
    async def test_every_control_has_a_name(self, qapp: QApplication, page: str) -> None:
        async with open_settings(page, FakePreferences(full_settings()), login_offered=True) as driver:
            unfold(driver)
            nameless = [each for each in focusable(driver.dialog) if not each.accessibleName()]
            assert nameless == []

    @pytest.mark.parametrize("page", PAGES)
    async def test_the_names_of_controls_in_view_differ(self, qapp: QApplication, page: str) -> None:
        async with open_settings(page, FakePreferences(full_settings()), login_offered=True) as driver:
            unfold(driver)
            names = [
                each.accessibleName()
                for each in focusable(driver.dialog)
                if not isinstance(each.parent(), QComboBox | QKeySequenceEdit)
            ]
            assert sorted({name for name in names if names.count(name) > 1}) == []

    @pytest.mark.parametrize("page", PAGES)
    async def test_tab_reaches_every_control_from_top_to_bottom(self, qapp: QApplication, page: str) -> None:
        async with open_settings(page, FakePreferences(full_settings())) as driver:
            unfold(driver)
            driver.dialog.list.setFocus(Qt.FocusReason.TabFocusReason)
            column = driver.dialog.page.column
            reached: list[QWidget] = []
            for _ in range(120):
                driver.dialog.focusNextChild()
                now = driver.dialog.focusWidget()
                if now is None or now is driver.dialog.list or now in reached:
                    break
                reached.append(now)
            wanted = [
                each
                for each in focusable(column)
                if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.focusProxy() is None
            ]
            assert [each.accessibleName() for each in wanted if each not in reached] == []
            tops = [each.mapTo(column, each.rect().topLeft()).y() for each in reached]
            assert all(later > earlier - 24 for earlier, later in pairwise(tops))

    @pytest.mark.parametrize("scale", [1.0, 2.0])
    async def test_nothing_is_cut_off_in_a_small_window(self, qapp: QApplication, scale: float) -> None:
        async with open_settings("model", FakePreferences(full_settings()), scale=scale) as driver:
            driver.dialog.resize(round(400 * scale), 380)
            for page in PAGES:
                driver.dialog.open_page(page)
                unfold(driver)
                await driver.settle()
                view = driver.dialog.page
                await until(lambda view=view: view.widget().width() <= view.viewport().width())  # type: ignore[misc]

    async def test_labels_lead_to_their_fields(self, qapp: QApplication) -> None:
        async with open_settings("audio") as driver:
            for each in driver.dialog.page.findChildren(Field):
                assert each.label.buddy() is each.control

    async def test_the_wheel_scrolls_and_changes_nothing(self, qapp: QApplication) -> None:
        async with open_settings("audio") as driver:
            for name in ("Microphone", "Pause that ends your turn"):
                control = driver.control(name)
                turn = wheel_over(control)
                QApplication.sendEvent(control, turn)
                assert not turn.isAccepted()
            await driver.settle()
            assert driver.preferences.applied == []

    async def test_the_pages_are_chosen_by_keyboard(self, qapp: QApplication) -> None:
        async with open_settings("model") as driver:
            for _ in PAGES[1:]:
                QTest.keyClick(driver.dialog.list, Qt.Key.Key_Down)
            await driver.settle()
            assert driver.dialog.page is driver.dialog.findChildren(Page)[-1]
            assert driver.controls("Copy diagnostics")

    async def test_dark_is_dark(self, qapp: QApplication) -> None:
        async with open_settings("general") as driver:
            light = driver.dialog.grab().toImage().pixelColor(400, 10)
            qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
            try:
                dark = driver.dialog.grab().toImage().pixelColor(400, 10)
            finally:
                qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
            assert light.lightness() > 200 > 60 > dark.lightness()
