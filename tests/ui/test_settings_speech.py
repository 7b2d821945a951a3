"""The pages of speech and audio: previews, devices, the level, and the test recording."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from s2s_desktop.conversation.events import MicLevel, MicrophoneChanged
from s2s_desktop.settings.schema import Settings
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.settings_pages.audio_page import AudioPage
from s2s_desktop.ui.settings_pages.speech_page import SpeechPage
from s2s_desktop.ui.settings_pages.voice_blend import Blend, parse_blend
from saved_conversations_kit import until
from ui.fake_preferences import FakePreferences
from ui.settings_kit import Driver, open_settings


def speech(driver: Driver) -> SpeechPage:
    page = driver.dialog.page
    assert isinstance(page, SpeechPage)
    return page


def audio(driver: Driver) -> AudioPage:
    page = driver.dialog.page
    assert isinstance(page, AudioPage)
    return page


class TestVoice:
    @pytest.mark.parametrize(
        ("stored", "blend"),
        [
            ("af_heart", Blend("af_heart")),
            ("af_heart(2)+bf_emma(1)", Blend("af_heart", "bf_emma", 3)),
            ("af_heart + bf_emma", Blend("af_heart", "bf_emma", 5)),
            ("af_heart(99)+bf_emma(1)", Blend("af_heart", "bf_emma", 1)),
            ("a(1)+b(1)+c(1)", Blend("a(1)+b(1)+c(1)")),
            ("what(", Blend("what(")),
            ("a(0)+b(0)", Blend("a", "b", 5)),
        ],
    )
    def test_a_blend_is_read(self, stored: str, blend: Blend) -> None:
        assert parse_blend(stored) == blend

    def test_a_blend_is_written_as_the_settings_want_it(self) -> None:
        assert str(Blend("af_heart", "bf_emma", 3)) == "af_heart(7)+bf_emma(3)"
        assert str(Blend("af_heart", "af_heart", 3)) == "af_heart"
        assert str(Blend("a(1)+b(1)+c(1)")) == "a(1)+b(1)+c(1)"

    async def test_a_blend_of_three_is_kept_as_it_is(self, qapp: QApplication) -> None:
        settings = Settings()
        settings.speech.voice = "a(1)+b(1)+c(1)"
        async with open_settings("speech", FakePreferences(settings)) as driver:
            assert driver.control("Voice", ChoiceBox).value == "a(1)+b(1)+c(1)"
            assert not driver.controls("Blend with")
            await driver.choose("Voice", "Siwis, French")
            assert driver.preferences.settings.speech.voice == "ff_siwis"

    async def test_the_preview_speaks_the_chosen_voice_and_can_be_stopped(self, qapp: QApplication) -> None:
        preferences = FakePreferences()
        preferences.gate.clear()
        async with open_settings("speech", preferences) as driver:
            driver.press_and_go_on("Listen to this voice")
            await until(lambda: preferences.asked == [("preview_voice", "af_heart", 1.0)])
            driver.press_and_go_on("Stop the voice")
            await driver.settle()
            assert not speech(driver).voice.preview.speaking
            assert driver.controls("Listen to this voice")

    async def test_a_preview_that_fails_says_why_beside_the_voice(self, qapp: QApplication) -> None:
        preferences = FakePreferences()
        preferences.fails["preview_voice"] = "No speaker was found."
        async with open_settings("speech", preferences) as driver:
            await driver.press("Listen to this voice")
            assert speech(driver).voice.voice.problem == "No speaker was found."

    async def test_the_keys_of_two_servers_are_told_apart(self, qapp: QApplication) -> None:
        settings = Settings()
        settings.speech.stt_engine = settings.speech.tts_engine = "remote"
        settings.speech.stt_server.base_url = "https://hear.example/v1"
        settings.speech.tts_server.base_url = "https://speak.example/v1"
        async with open_settings("speech", FakePreferences(settings)) as driver:
            assert speech(driver).hearing.server.key.sentence == "There is no key for hear.example yet."
            assert speech(driver).voice.server.key.sentence == "There is no key for speak.example yet."
            await driver.type("Voice server: API key", "k-1")
            assert driver.preferences.asked[-1] == ("save_key", "speak.example", "k-1", "keyring")


class TestDevices:
    async def test_the_default_names_the_device_it_means(self, qapp: QApplication) -> None:
        async with open_settings("audio") as driver:
            box = driver.control("Microphone", ChoiceBox)
            assert box.currentText() == "The system’s default (Built-in Microphone (ALSA))"
            assert box.values() == ["", "Built-in Microphone (ALSA)", "USB Headset (ALSA)"]

    async def test_a_device_that_is_not_there_stays_chosen(self, qapp: QApplication) -> None:
        settings = Settings()
        settings.audio.input_device = "Studio Mic (ALSA)"
        async with open_settings("audio", FakePreferences(settings)) as driver:
            assert driver.control("Microphone", ChoiceBox).value == "Studio Mic (ALSA)"
            assert driver.preferences.applied == []

    async def test_devices_are_looked_for_again(self, qapp: QApplication) -> None:
        preferences = FakePreferences()
        preferences.microphones = ()
        async with open_settings("audio", preferences) as driver:
            assert audio(driver).devices.sentence.startswith("No microphone was found.")
            preferences.microphones = FakePreferences().microphones
            await driver.press("Look for devices again")
            assert audio(driver).devices.sentence == ""
            preferences.fails["devices"] = "PortAudio is missing: install libportaudio2."
            await driver.press("Look for devices again")
            assert audio(driver).devices.sentence == "PortAudio is missing: install libportaudio2."
            assert driver.control("Look for devices again").isEnabled()

    async def test_the_pause_counts_for_hands_free_only(self, qapp: QApplication) -> None:
        async with open_settings("audio") as driver:
            await driver.choose("How you take your turn", "Push to talk")
            assert not driver.controls("Pause that ends your turn")
            assert not driver.controls("Notice when a sentence is finished")


class TestMicrophone:
    async def test_the_meter_shows_the_level_and_the_microphone_is_switched(self, qapp: QApplication) -> None:
        async with open_settings("audio") as driver:
            await driver.press("Turn the microphone on")
            assert driver.conversation.asked == [("set_microphone", True)]
            driver.dialog.observe(None, MicrophoneChanged(True))
            driver.dialog.observe(None, MicLevel(-30.0, -20.0))
            check = audio(driver).check
            assert check.meter.bar.level == pytest.approx(0.5)
            await driver.press("Turn the microphone off")
            assert driver.conversation.asked[-1] == ("set_microphone", False)
            driver.dialog.observe(None, MicrophoneChanged(False))
            assert check.meter.bar.level == 0.0

    async def test_a_microphone_that_cannot_be_opened_says_why(self, qapp: QApplication) -> None:
        async with open_settings("audio") as driver:
            driver.dialog.observe(None, MicrophoneChanged(False, "Another program uses the microphone."))
            assert audio(driver).check.sentence == "Another program uses the microphone."

    async def test_silence_for_a_while_is_remarked_and_sound_takes_it_back(self, qapp: QApplication) -> None:
        async with open_settings("audio") as driver:
            check = audio(driver).check
            driver.dialog.observe(None, MicLevel(-90.0, -90.0))
            check.quiet.timeout.emit()
            assert check.sentence.startswith("No sound for a while.")
            check.quiet.stop()  # as after its timeout
            driver.dialog.observe(None, MicLevel(-30.0, -20.0))
            assert check.sentence.startswith("Speak:")

    async def test_a_test_recording_is_made_and_its_level_shown(self, qapp: QApplication) -> None:
        preferences = FakePreferences()
        preferences.gate.clear()
        async with open_settings("audio", preferences) as driver:
            check = audio(driver).check
            driver.press_and_go_on("Record a test")
            await until(lambda: preferences.asked == [("test_recording", 4.0)])
            assert check.sentence.startswith("Recording.")
            assert check.meter.bar.level == pytest.approx(0.5)
            check.playing.timeout.emit()
            assert check.sentence == "This is what the microphone heard."
            preferences.gate.set()
            await driver.settle()
            assert check.sentence.startswith("Did you hear yourself?")

    async def test_a_test_recording_can_be_stopped_or_fail(self, qapp: QApplication) -> None:
        preferences = FakePreferences()
        preferences.gate.clear()
        async with open_settings("audio", preferences) as driver:
            driver.press_and_go_on("Record a test")
            await until(lambda: bool(preferences.asked))
            driver.press_and_go_on("Stop the test")
            await driver.settle()
            assert audio(driver).check.sentence.startswith("The microphone is off.")
            preferences.fails["test_recording"] = "The microphone was taken away."
            await driver.press("Record a test")
            assert audio(driver).check.sentence == "The microphone was taken away."
            assert driver.controls("Record a test")
