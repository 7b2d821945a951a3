"""Personas are added, edited, renamed, chosen and deleted."""

from __future__ import annotations

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from s2s_desktop.settings.schema import Persona, Profile, Settings
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.settings_pages.assistant_page import AssistantPage
from ui.fake_preferences import FakePreferences
from ui.settings_kit import Driver, open_settings


def personas(driver: Driver) -> list[Persona]:
    return driver.preferences.settings.assistant.personas


def two() -> FakePreferences:
    settings = Settings()
    settings.profiles.append(Profile(name="OpenAI"))
    settings.assistant.personas = [Persona(name="Pirate"), Persona(name="Teacher")]
    settings.assistant.persona = "Teacher"
    return FakePreferences(settings)


async def test_a_persona_is_made_from_nothing(qapp: QApplication) -> None:
    async with open_settings("assistant") as driver:
        assert not driver.controls("Persona name")
        await driver.press("Add a persona")
        await driver.type("Persona name", "Pirate")
        await driver.type("Persona instructions", "Talk like a pirate.")
        await driver.choose("Persona voice", "Emma, British English")
        await driver.choose("Persona model", "Built-in")
        await driver.choose("New conversations begin with", "Pirate")
        expected = Persona(
            name="Pirate", system_prompt="Talk like a pirate.", voice="bf_emma", profile="built-in"
        )
        assert personas(driver) == [expected]
        assert driver.preferences.settings.assistant.persona == "Pirate"


async def test_a_second_one_gets_a_name_of_its_own(qapp: QApplication) -> None:
    async with open_settings("assistant") as driver:
        await driver.press("Add a persona")
        await driver.press("Add a persona")
        assert [each.name for each in personas(driver)] == ["New persona", "New persona 2"]


async def test_renaming_follows_the_choice_and_refuses_a_name_that_is_taken(qapp: QApplication) -> None:
    async with open_settings("assistant", two()) as driver:
        await driver.choose("Persona to edit", "Teacher")
        await driver.type("Persona name", "Pirate")
        assert [each.name for each in personas(driver)] == ["Pirate", "Teacher"]
        await driver.type("Persona name", "Professor")
        assert [each.name for each in personas(driver)] == ["Pirate", "Professor"]
        assert driver.preferences.settings.assistant.persona == "Professor"
        assert driver.control("New conversations begin with", ChoiceBox).value == "Professor"


async def test_what_was_typed_stays_with_its_persona(qapp: QApplication) -> None:
    async with open_settings("assistant", two()) as driver:
        QTest.keyClicks(driver.control("Persona instructions"), "Arr.")
        await driver.choose("Persona to edit", "Teacher")
        assert [each.system_prompt for each in personas(driver)] == ["Arr.", ""]
        assert driver.control("Persona name", QLineEdit).text() == "Teacher"


async def test_deleting_asks_first_and_leaves_no_mention(qapp: QApplication) -> None:
    async with open_settings("assistant", two()) as driver:
        await driver.choose("Persona to edit", "Teacher")
        await driver.press("Delete persona")
        page = driver.dialog.page
        assert isinstance(page, AssistantPage)
        assert page.personas.question is not None
        (delete,) = [
            each
            for each in page.personas.question.findChildren(QPushButton)
            if each.accessibleName() == "Delete persona"
        ]
        delete.click()
        await driver.settle()
        assert [each.name for each in personas(driver)] == ["Pirate"]
        assert driver.preferences.settings.assistant.persona == ""
