"""The page of the language model: profiles, keys, models of a server, and the connection test."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QListWidget, QMessageBox, QPushButton

from s2s_desktop.conversation import preferences as contract  # pytest would collect a ConnectionStep
from s2s_desktop.settings.presets import PRESETS
from s2s_desktop.settings.schema import BUILT_IN, Persona, Profile, Settings
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.settings_pages.model_page import ModelPage
from saved_conversations_kit import until
from ui.fake_preferences import FakePreferences
from ui.settings_kit import Driver, open_settings


def settings_with(*profiles: Profile, used: str = BUILT_IN) -> Settings:
    settings = Settings()
    settings.profiles += profiles
    settings.profile = used
    return settings


def openai(name: str = "OpenAI") -> Profile:
    return Profile(name=name, model="gpt-5.6-terra")


def ollama(name: str = "Ollama") -> Profile:
    url = "http://127.0.0.1:11434/v1"
    return Profile(name=name, backend="chat-completions", base_url=url, model="llama3.2")


def names(driver: Driver) -> list[str]:
    return [profile.name for profile in driver.preferences.settings.profiles]


def page(driver: Driver) -> ModelPage:
    found = driver.dialog.page
    assert isinstance(found, ModelPage)
    return found


async def select(driver: Driver, name: str) -> None:
    profiles = driver.control("Profiles", QListWidget)
    (item,) = profiles.findItems(name, Qt.MatchFlag.MatchExactly)
    profiles.setCurrentItem(item)
    await driver.settle()


async def answer(driver: Driver, question: QMessageBox | None, name: str) -> None:
    assert question is not None
    (button,) = [each for each in question.findChildren(QPushButton) if each.accessibleName() == name]
    button.click()
    await driver.settle()


class TestProfiles:
    async def test_a_profile_is_made_from_every_preset(self, qapp: QApplication) -> None:
        async with open_settings("model") as driver:
            for preset in PRESETS[1:]:
                driver.press_and_go_on("Add a profile")
                await driver.choose_from_menu(preset.title)
                added = driver.preferences.settings.profiles[-1]
                assert (added.name, added.base_url, added.model) == (
                    preset.title,
                    preset.base_url,
                    preset.example_model,
                )
                assert driver.control("Profile name", QLineEdit).text() == preset.title

    async def test_a_second_one_of_a_preset_gets_a_name_of_its_own(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(openai()))) as driver:
            driver.press_and_go_on("Add a profile")
            await driver.choose_from_menu("OpenAI")
            assert names(driver) == [BUILT_IN, "OpenAI", "OpenAI 2"]

    async def test_only_using_a_profile_changes_which_one_answers(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(ollama()))) as driver:
            await select(driver, "Ollama")
            assert driver.preferences.applied == []
            await driver.press("Use this profile")
            assert driver.preferences.settings.profile == "Ollama"
            (item,) = driver.control("Profiles", QListWidget).findItems("Ollama", Qt.MatchFlag.MatchExactly)
            assert item.data(Qt.ItemDataRole.AccessibleTextRole) == "Ollama, in use"

    async def test_duplicating_copies_everything_but_the_name(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(ollama()))) as driver:
            await select(driver, "Ollama")
            await driver.press("Duplicate this profile")
            before, copy = driver.preferences.settings.profiles[-2:]
            assert copy.name == "Ollama copy"
            assert copy.model_copy(update={"name": "Ollama"}) == before
            await driver.type("Model", "qwen3")
            assert [each.model for each in driver.preferences.settings.profiles[-2:]] == ["llama3.2", "qwen3"]

    async def test_renaming_follows_every_mention(self, qapp: QApplication) -> None:
        settings = settings_with(ollama(), used="Ollama")
        settings.assistant.personas = [Persona(name="Pirate", profile="Ollama")]
        async with open_settings("model", FakePreferences(settings)) as driver:
            await driver.type("Profile name", "Kitchen")
            changed = driver.preferences.settings
            assert (changed.profile, changed.assistant.personas[0].profile) == ("Kitchen", "Kitchen")
            assert names(driver) == [BUILT_IN, "Kitchen"]

    async def test_a_name_that_is_taken_or_empty_is_refused_beside_the_field(
        self, qapp: QApplication
    ) -> None:
        preferences = FakePreferences(settings_with(openai(), ollama()))
        async with open_settings("model", preferences) as driver:
            await select(driver, "Ollama")
            field = page(driver).connection.name
            await driver.type("Profile name", "OpenAI")
            assert field.problem == "There is a profile with this name already."
            await driver.type("Profile name", "")
            assert field.problem == "Enter something here."
            assert preferences.applied == []

    async def test_deleting_asks_first_and_leaves_no_mention(self, qapp: QApplication) -> None:
        settings = settings_with(ollama(), used="Ollama")
        settings.assistant.personas = [Persona(name="Pirate", profile="Ollama")]
        async with open_settings("model", FakePreferences(settings)) as driver:
            await driver.press("Delete this profile")
            question = page(driver).profiles.question
            assert question is not None
            assert "“Ollama”" in question.text()
            await answer(driver, question, "Cancel")
            assert names(driver) == [BUILT_IN, "Ollama"]
            await driver.press("Delete this profile")
            await answer(driver, page(driver).profiles.question, "Delete profile")
            changed = driver.preferences.settings
            assert names(driver) == [BUILT_IN]
            assert (changed.profile, changed.assistant.personas[0].profile) == (BUILT_IN, "")

    async def test_the_built_in_profile_cannot_be_deleted_and_needs_neither_server_nor_key(
        self, qapp: QApplication
    ) -> None:
        async with open_settings("model") as driver:
            assert not driver.control("Delete this profile").isEnabled()
            QTest.keyClick(driver.control("Profiles"), Qt.Key.Key_Delete)
            assert page(driver).profiles.question is None
            assert not driver.controls("Base URL")
            assert not driver.controls("API key")
            assert not driver.controls("Protocol")
            assert page(driver).connection.test._remark.sentence == "Asks for one short reply."
            await driver.choose("Model on this computer", "Qwen2.5 1.5B (1.1 GB)")
            assert driver.preferences.settings.profiles[0].model == "qwen2.5-1.5b"

    async def test_what_was_typed_for_one_profile_never_reaches_another(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(openai(), ollama()))) as driver:
            await select(driver, "Ollama")
            line = driver.control("Model", ChoiceBox).line
            line.selectAll()
            QTest.keyClicks(line, "mistral")
            await select(driver, "OpenAI")
            assert [each.model for each in driver.preferences.settings.profiles[1:]] == [
                "gpt-5.6-terra",
                "mistral",
            ]
            assert line.text() == "gpt-5.6-terra"

    async def test_a_profile_that_vanishes_elsewhere_makes_way(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(ollama()))) as driver:
            await select(driver, "Ollama")
            driver.preferences.change_elsewhere(lambda settings: settings.profiles.pop())
            assert page(driver).selection.name == BUILT_IN


class TestEndpoint:
    async def test_the_address_of_requests_follows_every_key(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(openai(), used="OpenAI"))) as driver:
            connection = page(driver).connection
            assert connection.endpoint == "Requests go to https://api.openai.com/v1/responses"
            line = driver.control("Base URL", QLineEdit)
            QTest.keyClicks(line, "http://pi:80/v1")
            assert connection.endpoint == "Requests go to http://pi:80/v1/responses"
            await driver.choose("Protocol", "Chat Completions")
            assert connection.endpoint == "Requests go to http://pi:80/v1/chat/completions"

    async def test_an_address_that_is_none_is_explained(self, qapp: QApplication) -> None:
        azure = PRESETS[6].profile()
        async with open_settings("model", FakePreferences(settings_with(azure, used=azure.name))) as driver:
            assert page(driver).connection.endpoint.startswith("Put the name of your resource")


class TestKey:
    async def test_a_key_is_kept_where_the_user_says_and_never_shown(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(openai(), used="OpenAI"))) as driver:
            key = page(driver).connection.key
            assert key.sentence == "There is no key for api.openai.com yet."
            driver.control("API key", QLineEdit).setText("sk-canary")
            assert driver.control("API key", QLineEdit).echoMode() == QLineEdit.EchoMode.Password
            await driver.choose("Where to keep the key", "Keep in a file that only you can read")
            await driver.press("Save key")
            assert driver.preferences.asked[-1] == ("save_key", "api.openai.com", "sk-canary", "file")
            assert key.sentence == "The key for api.openai.com: kept in a file that only you can read."
            assert driver.control("API key", QLineEdit).text() == ""
            assert "canary" not in str(driver.preferences.settings.model_dump())

    async def test_return_saves_in_the_key_store_of_the_system(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(openai(), used="OpenAI"))) as driver:
            await driver.type("API key", "sk-1")
            assert driver.preferences.asked[-1] == ("save_key", "api.openai.com", "sk-1", "keyring")
            assert driver.dialog.isVisible()

    async def test_deleting_deletes(self, qapp: QApplication) -> None:
        preferences = FakePreferences(settings_with(openai(), used="OpenAI"))
        preferences.keys["api.openai.com"] = "kept until the app closes"
        async with open_settings("model", preferences) as driver:
            await driver.press("Delete key")
            assert preferences.keys == {}
            key = page(driver).connection.key
            assert key.outcome == "The key was deleted everywhere it was kept."
            assert not driver.controls("Delete key")

    async def test_a_key_of_the_environment_is_left_alone(self, qapp: QApplication) -> None:
        preferences = FakePreferences(settings_with(openai(), used="OpenAI"))
        preferences.key_from_environment = True
        async with open_settings("model", preferences) as driver:
            assert "environment variable OPENAI_API_KEY" in page(driver).connection.key.sentence
            assert not driver.control("API key").isEnabled()
            assert not driver.controls("Delete key")

    async def test_without_a_key_store_the_other_places_are_offered_and_why_is_said(
        self, qapp: QApplication
    ) -> None:
        preferences = FakePreferences(settings_with(openai(), used="OpenAI"))
        preferences.keyring_problem = "This system has no key store."
        async with open_settings("model", preferences) as driver:
            assert page(driver).connection.key.sentence.endswith("This system has no key store.")
            driver.control("API key", QLineEdit).setText("sk-1")
            places = driver.control("Where to keep the key", ChoiceBox)
            assert places.values() == ["session", "file"]
            assert places.value == "session"

    async def test_a_key_that_cannot_be_saved_stays_in_the_field(self, qapp: QApplication) -> None:
        preferences = FakePreferences(settings_with(openai(), used="OpenAI"))
        preferences.fails["save_key"] = "The key store is locked."
        async with open_settings("model", preferences) as driver:
            await driver.type("API key", "sk-1")
            assert page(driver).connection.key.outcome == "The key store is locked."
            assert driver.control("API key", QLineEdit).text() == "sk-1"

    async def test_a_typed_key_does_not_follow_to_another_host(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(openai(), ollama()))) as driver:
            await select(driver, "OpenAI")
            driver.control("API key", QLineEdit).setText("sk-1")
            await select(driver, "Ollama")
            assert driver.control("API key", QLineEdit).text() == ""
            assert "127.0.0.1:11434" in page(driver).connection.key.sentence

    async def test_the_key_can_be_looked_at_before_it_is_saved(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(openai(), used="OpenAI"))) as driver:
            await driver.press("Show the key")
            assert driver.control("API key", QLineEdit).echoMode() == QLineEdit.EchoMode.Normal
            await driver.press("Hide the key")
            assert driver.control("API key", QLineEdit).echoMode() == QLineEdit.EchoMode.Password


class TestServer:
    async def test_the_models_of_the_server_are_offered(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(openai(), used="OpenAI"))) as driver:
            await driver.press("Ask the server which models it has")
            box = driver.control("Model", ChoiceBox)
            assert box.values() == ["gpt-5.6-terra", "gpt-5.6-mini"]
            assert box.value == "gpt-5.6-terra"
            await driver.choose("Model", "gpt-5.6-mini")
            assert driver.preferences.settings.profiles[-1].model == "gpt-5.6-mini"

    async def test_a_server_that_does_not_say_is_explained_beside_the_field(self, qapp: QApplication) -> None:
        preferences = FakePreferences(settings_with(openai(), used="OpenAI"))
        preferences.fails["model_names"] = "The server has no list of models. Type the name."
        async with open_settings("model", preferences) as driver:
            await driver.press("Ask the server which models it has")
            assert page(driver).connection.model.problem.startswith("The server has no list")
            await driver.type("Model", "mine")
            assert preferences.settings.profiles[-1].model == "mine"

    async def test_the_connection_test_shows_every_step(self, qapp: QApplication) -> None:
        async with open_settings("model", FakePreferences(settings_with(openai(), used="OpenAI"))) as driver:
            await driver.press("Test the connection")
            assert page(driver).connection.test.sentences == [
                "Address: Requests go to https://api.openai.com/v1/responses.",
                "Name look-up: The name was not looked up: a proxy does it.",
                "Key: The server refused the key. Enter another one.",
            ]
            await driver.type("Model", "other")
            assert page(driver).connection.test.sentences == []  # they were about something else

    async def test_the_connection_test_can_be_stopped(self, qapp: QApplication) -> None:
        preferences = FakePreferences(settings_with(openai(), used="OpenAI"))
        preferences.gate.clear()
        async with open_settings("model", preferences) as driver:
            test = page(driver).connection.test
            driver.press_and_go_on("Test the connection")
            await until(lambda: len(test.sentences) == 1)
            driver.press_and_go_on("Stop the test")
            await driver.settle()
            assert not test.running
            assert len(test.sentences) == 1
            assert driver.control("Test the connection").isEnabled()

    async def test_hostile_names_stay_text(self, qapp: QApplication) -> None:
        hostile = "<img src=http://127.0.0.1:9/x><b>bold</b> & \u202egnp.exe"
        settings = settings_with(openai(hostile), used=hostile)
        settings.profiles[-1].model = hostile
        preferences = FakePreferences(settings)
        preferences.names = (hostile,)
        preferences.steps = (contract.ConnectionStep(hostile, False, hostile),)
        async with open_settings("model", preferences) as driver:
            assert driver.control("Profile name", QLineEdit).text() == hostile
            await driver.press("Ask the server which models it has")
            await driver.press("Test the connection")
            for label in driver.dialog.findChildren(QLabel):
                assert label.textFormat() == Qt.TextFormat.PlainText or not label.text().startswith("<")
            await driver.press("Delete this profile")
            question = page(driver).profiles.question
            assert question is not None
            assert question.textFormat() == Qt.TextFormat.PlainText
            await answer(driver, question, "Cancel")
            assert preferences.settings.profiles[-1].name == hostile

    async def test_closing_during_a_test_ends_it(self, qapp: QApplication) -> None:
        preferences = FakePreferences(settings_with(openai(), used="OpenAI"))
        preferences.gate.clear()
        async with open_settings("model", preferences) as driver:
            driver.press_and_go_on("Test the connection")
            await asyncio.sleep(0)
        assert not page(driver).connection.test.running
