"""The pages of the model files and of the program itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QMessageBox,
    QProgressBar,
    QPushButton,
)

from s2s_desktop.conversation.events import ModelProgress
from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.ui.settings_pages.general_page import GeneralPage
from s2s_desktop.ui.settings_pages.licenses_dialog import LicensesDialog
from s2s_desktop.ui.settings_pages.model_words import size_in_words
from s2s_desktop.ui.settings_pages.models_page import ModelsPage
from saved_conversations_kit import until
from ui.fake_preferences import MODELS, FakePreferences
from ui.settings_kit import Driver, open_settings

QWEN = "qwen2.5-1.5b"


def models(driver: Driver) -> ModelsPage:
    page = driver.dialog.page
    assert isinstance(page, ModelsPage)
    return page


def general(driver: Driver) -> GeneralPage:
    page = driver.dialog.page
    assert isinstance(page, GeneralPage)
    return page


async def agree(driver: Driver, question: QMessageBox | QFileDialog | None, name: str) -> None:
    assert isinstance(question, QMessageBox)
    (button,) = [each for each in question.findChildren(QPushButton) if each.accessibleName() == name]
    button.click()
    await driver.settle()


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "0 B"), (999, "999 B"), (8_679_182, "9 MB"), (999_600, "1 MB"), (1_117_320_736, "1.1 GB")],
)
def test_sizes_are_written_as_file_managers_do(size: int, words: str) -> None:
    assert size_in_words(size) == words


class TestModels:
    async def test_every_model_says_size_license_and_state(self, qapp: QApplication) -> None:
        async with open_settings("models") as driver:
            rows = models(driver).rows
            assert list(rows) == [
                "smollm2-135m", QWEN, "whisper-base", "whisper-small", "kokoro-82m", "smart-turn-v3.2",
            ]  # fmt: skip
            assert rows["whisper-base"].facts == (
                "148 MB · MIT · on this computer · in use · best for this computer"
            )
            assert rows["whisper-small"].facts == "486 MB · MIT · not downloaded"
            assert "partly downloaded" in rows[QWEN].facts
            assert "damaged" in rows["smart-turn-v3.2"].facts

    async def test_a_download_shows_its_progress_and_can_be_cancelled(self, qapp: QApplication) -> None:
        preferences = FakePreferences()
        preferences.gate.clear()
        async with open_settings("models", preferences) as driver:
            driver.press_and_go_on("Download Qwen2.5 1.5B")
            await until(lambda: preferences.asked == [("get_model", QWEN)])
            preferences.tell(ModelProgress("Qwen2.5 1.5B", 558_660_368, 1_117_320_736, "Downloading"))
            (bar,) = [each for each in models(driver).findChildren(QProgressBar) if each.isVisible()]
            assert bar.accessibleName() == "Download of Qwen2.5 1.5B"
            assert bar.value() == 500
            row = models(driver).rows[QWEN]
            assert row.remark.sentence == "559 MB of 1.1 GB. Downloading"
            assert not driver.controls("Delete the files of Qwen2.5 1.5B")
            driver.press_and_go_on("Cancel the download of Qwen2.5 1.5B")
            await driver.settle()
            assert row.remark.sentence == "Stopped. What was received is kept for the next time."
            assert driver.controls("Download Qwen2.5 1.5B")

    async def test_a_finished_download_is_present(self, qapp: QApplication) -> None:
        preferences = FakePreferences()
        async with open_settings("models", preferences) as driver:
            preferences.models_known = tuple(replace(each, status="present") for each in MODELS)
            await driver.press("Download Whisper small")
            assert models(driver).rows["whisper-small"].facts == "486 MB · MIT · on this computer"
            assert not driver.controls("Download Whisper small")

    async def test_a_download_that_fails_says_why(self, qapp: QApplication) -> None:
        preferences = FakePreferences()
        preferences.fails["get_model"] = "The disk is full: 1.1 GB are needed."
        async with open_settings("models", preferences) as driver:
            await driver.press("Download Whisper small")
            row = models(driver).rows["whisper-small"]
            assert row.remark.sentence == "The disk is full: 1.1 GB are needed."

    async def test_a_download_begun_elsewhere_is_shown_too(self, qapp: QApplication) -> None:
        async with open_settings("models") as driver:
            tell = driver.preferences.tell
            tell(ModelProgress("Whisper small", 1, 486_210_455, "Downloading"))
            assert not driver.controls("Download Whisper small")
            driver.preferences.models_known = tuple(replace(each, status="present") for each in MODELS)
            tell(ModelProgress("Whisper small"))
            await driver.settle()
            assert "on this computer" in models(driver).rows["whisper-small"].facts
            tell(ModelProgress("Something else", error="No."))  # not in the catalog: not of this page

    async def test_checking_says_what_was_found(self, qapp: QApplication) -> None:
        async with open_settings("models") as driver:
            await driver.press("Check the files of Whisper base")
            assert driver.preferences.asked == [("verify_model", "whisper-base")]
            assert models(driver).rows["whisper-base"].remark.sentence == "All files are as they should be."

    async def test_deleting_asks_first(self, qapp: QApplication) -> None:
        async with open_settings("models") as driver:
            row = models(driver).rows[QWEN]
            await driver.press("Delete the files of Qwen2.5 1.5B")
            await agree(driver, row.question, "Cancel")
            assert driver.preferences.asked == []
            await driver.press("Delete the files of Qwen2.5 1.5B")
            await agree(driver, row.question, "Delete model")
            assert driver.preferences.asked == [("remove_model", QWEN)]
            assert row.remark.sentence == "148 MB were freed."

    async def test_a_model_in_use_is_not_offered_to_be_deleted(self, qapp: QApplication) -> None:
        """The engine refuses it, so a question would lead nowhere."""
        async with open_settings("models") as driver:
            for model in MODELS:
                offered = bool(driver.controls(f"Delete the files of {model.title}"))
                assert offered == (model.status != "missing" and not model.in_use), model.name


class TestGeneral:
    async def test_diagnostics_are_copied(self, qapp: QApplication) -> None:
        async with open_settings("general") as driver:
            await driver.press("Copy diagnostics")
            assert QApplication.clipboard().text() == "S2S Desktop on Linux"

    async def test_everything_is_exported_to_a_file(self, qapp: QApplication, tmp_path: Path) -> None:
        async with open_settings("general") as driver:
            await driver.press("Export all…")
            await driver.choose_from_menu("JSON, to import again")
            dialog = general(driver).history.dialog
            assert isinstance(dialog, QFileDialog)
            dialog.fileSelected.emit(str(tmp_path / "all.json"))
            dialog.close()
            await driver.settle()
            assert driver.library.asked == [("export", None, ExportFormat.JSON, tmp_path / "all.json")]
            assert general(driver).history.remark.sentence.startswith("3 conversations were written")

    async def test_deleting_everything_asks_first(self, qapp: QApplication) -> None:
        async with open_settings("general") as driver:
            await driver.press("Delete everything…")
            await agree(driver, general(driver).history.dialog, "Cancel")
            assert driver.library.asked == []
            await driver.press("Delete everything…")
            await agree(driver, general(driver).history.dialog, "Delete everything")
            assert driver.library.asked == [("wipe",)]

    async def test_tokens_are_told(self, qapp: QApplication) -> None:
        async with open_settings("general") as driver:
            assert general(driver).history.usage == "12,480 tokens were used in all."

    async def test_the_login_is_offered_only_where_there_is_one(self, qapp: QApplication) -> None:
        async with open_settings("general") as driver:
            assert not driver.controls("Start at login")

    async def test_licenses_can_be_read(self, qapp: QApplication) -> None:
        async with open_settings("general") as driver:
            await driver.press("Show licenses")
            (licenses,) = driver.dialog.findChildren(LicensesDialog)
            text = licenses.text.toPlainText()
            assert "Apache License" in text
            assert "phonemizer" in text
            assert not any(line.startswith(("#", "|", "```")) for line in text.splitlines()), (
                "no raw Markdown"
            )
            licenses.close()

    async def test_licenses_can_be_searched(self, qapp: QApplication) -> None:
        async with open_settings("general") as driver:
            await driver.press("Show licenses")
            (licenses,) = driver.dialog.findChildren(LicensesDialog)
            licenses.search.setText("phonemizer")
            licenses.search.report()
            first = licenses.text.textCursor()
            assert first.selectedText() == "phonemizer"
            QTest.keyClick(licenses.search, Qt.Key.Key_Return)
            assert licenses.text.textCursor().selectedText() == "phonemizer"
            assert licenses.text.textCursor().position() > first.position()
            assert not licenses.search.property("wrong")
            licenses.search.setText("no such license")
            licenses.search.report()
            assert licenses.search.property("wrong")
            licenses.search.clear()
            assert not licenses.search.property("wrong")
            licenses.close()
