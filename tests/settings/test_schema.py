"""Bounds of the settings."""

from __future__ import annotations

import math

import pytest
from pydantic import ValidationError

from s2s_desktop.settings.schema import BUILT_IN, GeneralSettings, Profile, Settings, SpeechSettings


@pytest.mark.parametrize("speed", [0, 0.49, 2.01, -1, math.nan, math.inf, "1,5", "fast", None])
def test_a_speed_the_voice_cannot_have_is_refused(speed: object) -> None:
    with pytest.raises(ValidationError):
        SpeechSettings.model_validate({"speed": speed})
    settings = SpeechSettings()
    with pytest.raises(ValidationError):
        settings.speed = speed  # type: ignore[assignment]
    assert settings.speed == 1.0


@pytest.mark.parametrize("speed", [0.5, 1, 2.0, "1.5"])
def test_good_speeds(speed: object) -> None:
    assert SpeechSettings.model_validate({"speed": speed}).speed == float(str(speed))


@pytest.mark.parametrize(
    "values",
    [
        {"name": " "},
        {"name": "x", "backend": "grpc"},
        {"name": "x", "temperature": 2.1},
        {"name": "x", "temperature": math.nan},
        {"name": "x", "first_token_timeout_s": 0},
        {"name": "x", "first_token_timeout_s": math.inf},
        {"name": "x", "max_output_tokens": 0},
        {"name": "x", "audio_content_type": "mp3"},
    ],
)
def test_profiles_that_make_no_sense(values: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Profile.model_validate(values)


def test_the_built_in_profile_is_always_there() -> None:
    assert [profile.name for profile in Settings(profiles=[]).profiles] == [BUILT_IN]
    assert Settings(profiles=[Profile(name="x")], profile="gone").active_profile().name == BUILT_IN


def test_a_key_of_the_command_line_is_neither_shown_nor_dumped() -> None:
    profile = Profile(name="x")
    profile.give_key("sk-canary")

    assert profile.model_copy(deep=True).given_key == "sk-canary"
    assert "sk-canary" not in repr(profile) + str(profile) + profile.model_dump_json()


def test_the_keys_to_talk_are_none_at_first_and_stay_a_short_text() -> None:
    assert GeneralSettings().talk_shortcut == ""
    assert GeneralSettings(talk_shortcut=" Ctrl+Alt+Space ").talk_shortcut == "Ctrl+Alt+Space"
    with pytest.raises(ValidationError):
        GeneralSettings(talk_shortcut="+" * 101)
