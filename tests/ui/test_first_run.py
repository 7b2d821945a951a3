"""The pages of the first start: short, skippable, never in the way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QWidget

from s2s_desktop.conversation.events import MicLevel, ModelProgress
from s2s_desktop.settings.schema import BUILT_IN, Settings
from s2s_desktop.ui.first_run import FirstRun
from s2s_desktop.ui.first_run_model import ModelChoicePage
from s2s_desktop.ui.first_run_pages import MicrophonePage
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.choice_card import ChoiceCard
from saved_conversations_kit import until
from ui.fake_preferences import MODELS, FakePreferences
from ui.settings_kit import Driver, open_first_run


def first_run(driver: Driver) -> FirstRun:
    assert isinstance(driver.dialog, FirstRun)
    return driver.dialog


def last_page(driver: Driver) -> ModelChoicePage:
    page = first_run(driver).page
    assert isinstance(page, ModelChoicePage)
    return page


async def go_to(driver: Driver, page: int) -> None:
    for _ in range(page - 1):
        await driver.press("Next")


async def test_it_is_not_modal_and_begins_with_privacy(qapp: QApplication) -> None:
    async with open_first_run() as driver:
        assert not driver.dialog.isModal()
        assert first_run(driver).step == "1 of 4"
        await driver.press("Save conversations")
        assert not driver.preferences.settings.history.keep


async def test_it_can_be_walked_through_with_return_alone(qapp: QApplication) -> None:
    async with open_first_run() as driver:
        for step in ("1 of 4", "2 of 4", "3 of 4", "4 of 4"):
            assert first_run(driver).step == step
            focused = driver.dialog.focusWidget()
            assert focused is not None
            QTest.keyClick(focused, Qt.Key.Key_Return)
            await driver.settle()
        assert not driver.dialog.isVisible()
        settings = driver.preferences.settings
        assert settings.general.welcomed
        assert settings == Settings(general=settings.general)  # nothing else was changed


@pytest.mark.parametrize("page", [1, 2, 3])
async def test_every_page_can_be_skipped_for_good(qapp: QApplication, page: int) -> None:
    async with open_first_run() as driver:
        await go_to(driver, page)
        await driver.press("Skip the setup")
        assert not driver.dialog.isVisible()
        assert driver.preferences.settings.general.welcomed


async def test_closing_the_window_skips(qapp: QApplication) -> None:
    async with open_first_run() as driver:
        driver.dialog.close()
        await driver.settle()
        assert driver.preferences.settings.general.welcomed


async def test_the_end_of_the_program_is_no_answer(qapp: QApplication) -> None:
    async with open_first_run() as driver:
        pass
    assert not driver.preferences.settings.general.welcomed


async def test_back_goes_back(qapp: QApplication) -> None:
    async with open_first_run() as driver:
        assert not driver.control("Back").isEnabled()
        await go_to(driver, 3)
        await driver.press("Back")
        assert first_run(driver).step == "2 of 4"


async def test_the_microphone_is_tried(qapp: QApplication) -> None:
    async with open_first_run() as driver:
        await go_to(driver, 2)
        driver.dialog.observe(None, MicLevel(-30.0, -20.0))
        page = first_run(driver).page
        assert isinstance(page, MicrophonePage)
        assert page.check.meter.bar.level == pytest.approx(0.5)
        await driver.choose("Microphone", "USB Headset (ALSA)")
        assert driver.preferences.settings.audio.input_device == "USB Headset (ALSA)"
        await driver.press("Record a test")
        assert driver.preferences.asked == [("test_recording", 4.0)]


async def test_a_recording_ends_with_its_page(qapp: QApplication) -> None:
    preferences = FakePreferences()
    preferences.gate.clear()
    async with open_first_run(preferences) as driver:
        await go_to(driver, 2)
        driver.press_and_go_on("Record a test")
        await until(lambda: bool(preferences.asked))
        await driver.press("Next")
        assert first_run(driver).step == "3 of 4"


async def test_a_voice_is_chosen_and_heard(qapp: QApplication) -> None:
    async with open_first_run() as driver:
        await go_to(driver, 3)
        voices = driver.control("Voice", QListWidget)
        QTest.keyClick(voices, Qt.Key.Key_Down)
        await driver.press("Listen to this voice")
        assert driver.preferences.settings.speech.voice == "bf_emma"
        assert driver.preferences.asked == [("preview_voice", "bf_emma", 1.0)]


async def test_downloads_are_seen_on_every_page(qapp: QApplication) -> None:
    async with open_first_run() as driver:
        driver.dialog.observe(None, ModelProgress("Whisper base", 74_000_000, 148_000_000, "Downloading"))
        await go_to(driver, 2)
        assert first_run(driver).downloads == ["Whisper base: Downloading 74 of 148 MB"]


class TestModel:
    async def test_the_small_model_is_the_choice_of_those_who_make_none(self, qapp: QApplication) -> None:
        async with open_first_run() as driver:
            await go_to(driver, 4)
            assert driver.control("The small model that is included").isChecked()  # type: ignore[attr-defined]
            await driver.press("Start talking")
            assert driver.preferences.settings.profile == BUILT_IN
            assert driver.conversation.asked == []

    async def test_the_better_model_is_fetched_behind(self, qapp: QApplication) -> None:
        async with open_first_run() as driver:
            await go_to(driver, 4)
            await driver.press("A better model: Qwen2.5 1.5B")
            await driver.press("Start talking")
            assert driver.conversation.asked == [("fetch_better_model", None)]

    async def test_where_the_small_model_is_the_best_no_better_one_is_offered(
        self, qapp: QApplication
    ) -> None:
        preferences = FakePreferences()
        preferences.models_known = tuple(
            replace(each, recommended=each.name == "smollm2-135m", in_use=False) for each in MODELS
        )
        async with open_first_run(preferences) as driver:
            await go_to(driver, 4)
            cards = [
                card.accessibleName() for card in driver.dialog.findChildren(ChoiceCard) if card.isVisible()
            ]
            assert not [name for name in cards if name.startswith("A better model")]

    async def test_a_provider_is_set_up_with_its_key(self, qapp: QApplication) -> None:
        async with open_first_run() as driver:
            await go_to(driver, 4)
            await driver.press("A provider, or a server of your own")
            await driver.choose("Provider", "Groq")
            await driver.type("API key", "gsk_1")
            assert driver.preferences.asked == [("save_key", "api.groq.com", "gsk_1", "keyring")]
            assert driver.dialog.isVisible()  # Return saved the key and did not go on
            await driver.press("Test the connection")
            assert len(last_page(driver).server.test.sentences) == 3
            await driver.press("Start talking")
            settings = driver.preferences.settings
            assert settings.profile == "Groq"
            assert settings.active_profile().base_url == "https://api.groq.com/openai/v1"

    async def test_a_server_of_ones_own(self, qapp: QApplication) -> None:
        async with open_first_run() as driver:
            await go_to(driver, 4)
            await driver.press("A provider, or a server of your own")
            await driver.choose("Provider", "Custom")
            await driver.type("Base URL", "http://pi:8000/v1")
            await driver.press("Start talking")
            assert last_page(driver).remark.sentence == "Enter the model that should answer."
            await driver.type("Model", "mistral")
            await driver.press("Start talking")
            profile = driver.preferences.settings.active_profile()
            assert (profile.base_url, profile.model) == ("http://pi:8000/v1", "mistral")

    async def test_names_to_fill_in_are_asked_for(self, qapp: QApplication) -> None:
        async with open_first_run() as driver:
            await go_to(driver, 4)
            await driver.press("A provider, or a server of your own")
            await driver.choose("Provider", "Azure OpenAI")
            await driver.press("Start talking")
            assert last_page(driver).remark.sentence.startswith("Replace what stands between")
            assert driver.dialog.isVisible()

    async def test_a_second_profile_of_a_provider_gets_a_name_of_its_own(self, qapp: QApplication) -> None:
        settings = Settings()
        async with open_first_run(FakePreferences(settings)) as driver:
            driver.preferences.change_elsewhere(
                lambda changed: changed.profiles.append(
                    changed.profiles[0].model_copy(update={"name": "Groq"})
                )
            )
            await go_to(driver, 4)
            await driver.press("A provider, or a server of your own")
            await driver.choose("Provider", "Groq")
            await driver.press("Start talking")
            assert driver.preferences.settings.profile == "Groq 2"


async def test_every_control_of_every_page_has_a_name_and_fits(qapp: QApplication) -> None:
    async with open_first_run() as driver:
        driver.dialog.resize(420, 400)
        for page in range(4):
            if page == 3:
                await driver.press("A provider, or a server of your own")
            nameless = [
                each
                for each in driver.dialog.findChildren(QWidget)
                if each.isVisible()
                and each.focusPolicy() != Qt.FocusPolicy.NoFocus
                and not each.accessibleName()
                and not isinstance(each.parent(), ChoiceBox)
            ]
            assert nameless == []
            view = first_run(driver).page
            await until(lambda view=view: view.widget().width() <= view.viewport().width())  # type: ignore[misc]
            if page < 3:
                await driver.press("Next")
        assert driver.control("Model", QLineEdit).text() == "gpt-5.6-terra"
