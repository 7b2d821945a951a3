"""Every control of the settings, driven by its name, changes the setting it stands for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QSlider

from s2s_desktop.settings.schema import Profile, Section, Settings
from s2s_desktop.ui.form.keys_box import KeysBox
from ui.fake_preferences import FakePreferences
from ui.settings_kit import Driver, open_settings

Change = tuple[str, Any, str, Any]
"""Name of the control, what is done to it, path of the setting, its value afterwards."""

ASSISTANT: list[Change] = [
    ("Instructions", "Be kind.", "assistant.system_prompt", "Be kind."),
    ("Answer in the language that was heard", None, "assistant.language_prompt", True),
    ("Let the model use tools", None, "assistant.tools", False),
    ("Turns that are sent along", "12", "assistant.chat_size", 12),
    ("Summarize older turns", None, "assistant.compact_history", True),
]
SPEECH: list[Change] = [
    ("Voice", "Emma, British English", "speech.voice", "bf_emma"),
    ("Blend with", "Siwis, French", "speech.voice", "bf_emma(5)+ff_siwis(5)"),
    ("Share of the second voice", 2, "speech.voice", "bf_emma(3)+ff_siwis(7)"),
    ("Blend with", "No second voice", "speech.voice", "bf_emma"),
    ("Speed", 2, "speech.speed", 1.1),
    ("Recognition model", "whisper-small", "speech.stt_model", "whisper-small"),
    ("Language you speak", "Welsh", "speech.stt_language", "cy"),
    ("Names and special words", "Øresund, Kubernetes", "speech.hotwords", "Øresund, Kubernetes"),
    ("Captions while you speak", None, "speech.captions", False),
    ("Advanced hearing", None, "speech.captions", False),
    ("Compute on", "Processor", "speech.stt_device", "cpu"),
    ("Number format", "int8", "speech.stt_compute_type", "int8"),
    ("Speech detector", "Silero with PyTorch (extra)", "speech.vad_engine", "silero-torch"),
    ("Replies are spoken by", "A server", "speech.tts_engine", "remote"),
    ("Voice server: base URL", "http://127.0.0.1:8880/v1", "speech.tts_server.base_url", "http://127.0.0.1:8880/v1"),
    ("Voice server: model", "kokoro", "speech.tts_server.model", "kokoro"),
    ("Voice server: voice", "alloy", "speech.tts_server.voice", "alloy"),
    ("Voice server: environment variable of the key", "KEY_1", "speech.tts_server.api_key_env", "KEY_1"),
    ("Speech is understood by", "A server", "speech.stt_engine", "remote"),
    ("Hearing server: base URL", "http://127.0.0.1:8000/v1", "speech.stt_server.base_url", "http://127.0.0.1:8000/v1"),
    ("Hearing server: model", "whisper-1", "speech.stt_server.model", "whisper-1"),
    ("Hearing server: environment variable of the key", "KEY_2", "speech.stt_server.api_key_env", "KEY_2"),
]  # fmt: skip
AUDIO: list[Change] = [
    ("Microphone", "USB Headset (ALSA)", "audio.input_device", "USB Headset (ALSA)"),
    ("Speaker", "USB Headset (ALSA)", "audio.output_device", "USB Headset (ALSA)"),
    ("Pause that ends your turn", -2, "audio.pause_ms", 500),
    ("Notice when a sentence is finished", None, "audio.smart_turn", False),
    ("How you take your turn", "Push to talk", "audio.microphone_mode", "push-to-talk"),
    ("When you speak while it answers", "Stop at once", "audio.barge_in", "immediate"),
    ("Remove the echo of the speaker", None, "audio.echo_cancelling", False),
    ("Advanced", None, "audio.echo_cancelling", False),
    ("How sure it must be that it hears speech", 2, "audio.vad_threshold", 0.6),
    ("Shortest speech", 1, "audio.min_speech_ms", 300),
    ("Sound kept from before the first word", -1, "audio.pre_roll_ms", 350),
]
GENERAL: list[Change] = [
    ("Colors", "Dark", "general.theme", "dark"),
    ("Text size", 2, "general.text_scale", 1.1),
    ("Show in the system tray", None, "general.tray", False),
    ("Keys to talk from any program", "Ctrl+Alt+Space", "general.talk_shortcut", "Ctrl+Alt+Space"),
    ("Clear the keys to talk from any program", None, "general.talk_shortcut", ""),
    ("Start at login", None, "general.start_with_login", True),
    ("Save recordings too", None, "history.keep_audio", True),
    ("Room for recordings (MB)", "250", "history.audio_limit_mb", 250),
    ("Save conversations", None, "history.keep", False),
]
PROFILE: list[Change] = [
    ("Base URL", "http://127.0.0.1:11434/v1", "base_url", "http://127.0.0.1:11434/v1"),
    ("Protocol", "Chat Completions", "backend", "chat-completions"),
    ("Model", "llama3.2", "model", "llama3.2"),
    ("Stream replies", None, "stream", False),
    ("No thinking before the reply", None, "disable_thinking", True),
    ("Send speech as sound", None, "audio_input", True),
    ("Reasoning effort", "low", "reasoning_effort", "low"),
    ("Temperature", "0,7", "temperature", 0.7),
    ("Temperature", "", "temperature", None),
    ("Longest reply (tokens)", "400", "max_output_tokens", 400),
    ("Advanced", None, "stream", False),
    ("Wait to connect (s)", "5", "connect_timeout_s", 5.0),
    ("Wait for first word (s)", "20", "first_token_timeout_s", 20.0),
    ("Longest silence (s)", "9.5", "idle_timeout_s", 9.5),
    ("Ask before the turn is decided", "Never", "preemptive_generation", "off"),
    ("HTTP headers", "X-Team: voice\nX-Trace: 1", "headers", {"X-Team": "voice", "X-Trace": "1"}),
    ("Query parameters", "api-version: 1", "query", {"api-version": "1"}),
    ("Environment variable of the key", "MY_KEY", "api_key_env", "MY_KEY"),
    ("Sound is sent as", "audio_url", "audio_content_type", "audio_url"),
    ("Turns sent as sound", "3", "audio_history_turns", 3),
    ("Longest reply to sound", "99", "audio_max_tokens", 99),
    ("Temperature for sound", "0.2", "audio_temperature", 0.2),
]


async def do(driver: Driver, name: str, act: Any) -> None:
    """Do to a control what its kind allows."""
    control = driver.control(name)
    if isinstance(control, QAbstractButton):
        await driver.press(name)
    elif isinstance(control, QSlider):
        await driver.slide(name, act)
    elif isinstance(control, KeysBox):
        await driver.press_keys(name, act)
    elif isinstance(control, QComboBox) and not control.isEditable():
        await driver.choose(name, act)
    else:
        await driver.type(name, act)


def value(settings: object, path: str) -> object:
    return reduce(getattr, path.split("."), settings)


@pytest.mark.parametrize(
    ("page", "changes"),
    [("assistant", ASSISTANT), ("speech", SPEECH), ("audio", AUDIO), ("general", GENERAL)],
    ids=["assistant", "speech", "audio", "general"],
)
async def test_every_control_of_a_page_changes_its_setting(
    qapp: QApplication, page: str, changes: list[Change]
) -> None:
    async with open_settings(page, login_offered=True) as driver:
        for name, act, path, expected in changes:
            await do(driver, name, act)
            found = value(driver.preferences.settings, path)
            assert (
                found == expected if not isinstance(expected, float) else found == pytest.approx(expected)
            ), name


async def test_every_control_of_a_profile_changes_it(qapp: QApplication) -> None:
    settings = Settings()
    async with open_settings("model", FakePreferences(settings)) as driver:
        driver.press_and_go_on("Add a profile")
        await driver.choose_from_menu("OpenAI")
        for name, act, field, expected in PROFILE:
            await do(driver, name, act)
            profile = driver.preferences.settings.profiles[-1]
            assert getattr(profile, field) == expected, name
        assert driver.preferences.settings.profiles[0] == settings.profiles[0]  # the built-in one


def test_no_setting_is_without_a_control() -> None:
    """A new setting must get a control, or a reason here why it has none."""
    elsewhere = {
        "schema_version",
        "profile",  # chosen in the list of profiles
        "profiles",  # below
        "assistant.personas",  # test_settings_personas.py
        "assistant.persona",
        "general.welcomed",
        "speech.stt_server.voice",  # a server that hears has no voice
    }
    driven = {path for change in (ASSISTANT, SPEECH, AUDIO, GENERAL) for _, _, path, _ in change}
    assert set(paths(Settings())) - driven - elsewhere == set()
    assert set(Profile.model_fields) - {field for _, _, field, _ in PROFILE} - {"name"} == set()


def paths(table: Section, prefix: str = "") -> Iterator[str]:
    for name in type(table).model_fields:
        inner = getattr(table, name)
        if isinstance(inner, Section):
            yield from paths(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"
