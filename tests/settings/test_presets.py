"""Presets: complete, and usable with the rest of the program."""

from __future__ import annotations

import pytest

from s2s_desktop.errors import AssistantError
from s2s_desktop.llm.http.endpoint import normalize_base_url
from s2s_desktop.settings.environment import key_variables
from s2s_desktop.settings.presets import PRESETS, Preset, find_preset
from s2s_desktop.settings.schema import BUILT_IN


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.title)
def test_a_preset_makes_a_profile_that_says_how_to_begin(preset: Preset) -> None:
    profile = preset.profile()

    assert profile.name == preset.title
    assert (profile.base_url, profile.backend) == (preset.base_url, preset.backend)
    assert preset.key_hint
    assert preset.help
    assert bool(preset.key_url) is preset.needs_key
    assert preset.profile("mine").name == "mine"


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.title)
def test_base_urls_are_what_the_endpoint_makes_of_them(preset: Preset) -> None:
    if "<" in preset.base_url:
        with pytest.raises(AssistantError):
            normalize_base_url(preset.base_url, preset.backend)
        filled = preset.base_url.replace("<resource>", "mine")
        assert normalize_base_url(filled, preset.backend).base_url == filled
        return
    endpoint = normalize_base_url(preset.base_url, preset.backend)
    assert preset.base_url in ("", endpoint.base_url)
    assert endpoint.warning == ""
    if preset.title != BUILT_IN:
        assert endpoint.is_local is not preset.needs_key


@pytest.mark.parametrize("preset", [p for p in PRESETS if p.needs_key], ids=lambda preset: preset.title)
def test_every_provider_has_a_variable_for_its_key(preset: Preset) -> None:
    base_url = preset.base_url.replace("<resource>", "mine")

    assert key_variables(normalize_base_url(base_url, preset.backend).host)


def test_presets_are_found_by_title_and_the_last_is_for_everything_else() -> None:
    assert find_preset("ollama ").title == "Ollama"
    assert find_preset("nobody").title == "Custom"
