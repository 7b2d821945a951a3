"""Which variable wins, and which host gets which key."""

from __future__ import annotations

import logging

import pytest

from s2s_desktop.settings.environment import Environment
from s2s_desktop.settings.schema import BUILT_IN, Profile

ALL_KEYS = {
    "OPENAI_API_KEY": "openai",
    "HF_TOKEN": "hf",
    "OPENROUTER_API_KEY": "openrouter",
    "GROQ_API_KEY": "groq",
    "TOGETHER_API_KEY": "together",
    "AZURE_OPENAI_API_KEY": "azure",
    "GOOGLE_API_KEY": "google",
}


@pytest.mark.parametrize(
    ("host", "key"),
    [
        ("api.openai.com", "openai"),
        ("API.OpenAI.com", "openai"),
        ("router.huggingface.co", "hf"),
        ("openrouter.ai", "openrouter"),
        ("api.groq.com", "groq"),
        ("api.together.xyz", "together"),
        ("my-resource.openai.azure.com", "azure"),
        ("generativelanguage.googleapis.com", "google"),
        ("127.0.0.1:8000", None),
        ("localhost", None),
        ("evil.example", None),
        ("api.openai.com.evil.example", None),
        ("evil-api.openai.com", None),
        ("openai.azure.com.evil.example", None),
        ("api.openai.com:8443", None),
    ],
)
def test_a_key_goes_to_the_host_of_its_provider_and_to_no_other(host: str, key: str | None) -> None:
    found = Environment(ALL_KEYS).key_for(host)

    assert (found.value if found else None) == key


def test_an_empty_variable_is_no_key_and_line_breaks_are_no_part_of_one() -> None:
    assert Environment({"OPENAI_API_KEY": " \n"}).key_for("api.openai.com") is None
    found = Environment({"OPENAI_API_KEY": "sk-1\n"}).key_for("api.openai.com")
    assert found is not None
    assert found.value == "sk-1"


def test_the_first_of_several_variables_counts() -> None:
    environment = Environment({"GEMINI_API_KEY": "a", "GOOGLE_API_KEY": "b"})
    found = environment.key_for("generativelanguage.googleapis.com")
    assert found is not None
    assert (found.variable, found.value) == ("GEMINI_API_KEY", "a")


class TestBaseUrl:
    ENVIRONMENT = Environment({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "openai"})

    def test_the_variable_speaks_for_profiles_without_a_url(self) -> None:
        assert self.ENVIRONMENT.base_url(Profile(name="x")) == ("http://127.0.0.1:9/v1", "OPENAI_BASE_URL")

    @pytest.mark.parametrize(
        "profile", [Profile(name="x", base_url="http://other/v1"), Profile(name=BUILT_IN)]
    )
    def test_it_does_not_speak_for_others(self, profile: Profile) -> None:
        assert self.ENVIRONMENT.base_url(profile) == (profile.base_url, "")

    def test_whoever_sets_url_and_key_means_both(self) -> None:
        found = self.ENVIRONMENT.key(Profile(name="x"), "127.0.0.1:9")
        assert found is not None
        assert found.value == "openai"

    def test_a_url_of_the_profile_gets_no_key_of_openai(self) -> None:
        profile = Profile(name="x", base_url="http://127.0.0.1:9/v1")
        assert self.ENVIRONMENT.key(profile, "127.0.0.1:9") is None

    def test_the_key_of_the_provider_at_that_url_goes_first(self) -> None:
        environment = Environment(
            {"OPENAI_BASE_URL": "https://api.groq.com/openai/v1", "OPENAI_API_KEY": "o", "GROQ_API_KEY": "g"}
        )
        found = environment.key(Profile(name="x"), "api.groq.com")
        assert found is not None
        assert found.value == "g"


def test_the_variable_that_a_profile_names_goes_before_all_others() -> None:
    environment = Environment({"MINE": "mine", "OPENAI_API_KEY": "openai"})

    found = environment.key(Profile(name="x", api_key_env=" MINE "), "anything.example")
    assert found is not None
    assert (found.variable, found.value) == ("MINE", "mine")
    assert environment.key(Profile(name="x", api_key_env="UNSET"), "api.openai.com") is None


def test_the_built_in_profile_has_no_key() -> None:
    assert Environment(ALL_KEYS).key(Profile(name=BUILT_IN), "api.openai.com") is None


@pytest.mark.parametrize(
    ("value", "level", "complains"),
    [
        ("", logging.INFO, False),
        ("debug", logging.DEBUG, False),
        (" WARNING ", logging.WARNING, False),
        ("loud", logging.INFO, True),
        ("10", logging.INFO, True),
    ],
)
def test_the_log_level(value: str, level: int, complains: bool) -> None:
    found, problem = Environment({"S2S_DESKTOP_LOG": value}).log_level()

    assert found == level
    assert bool(problem) is complains


def test_the_variables_of_the_process_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "sk-canary")

    found = Environment().key_for("api.groq.com")

    assert found is not None
    assert found.value == "sk-canary"
    assert "sk-canary" not in repr(found) + repr(Environment())
