"""Which environment variables are read, and what they win over.

The order everywhere: command line, environment, settings file, default. What comes from the environment is
used and shown, and never written to the file or the key store. The openai SDK would read OPENAI_API_KEY and
OPENAI_BASE_URL by itself and use them for any host; every value is passed to it explicitly instead.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from s2s_desktop.settings.schema import BUILT_IN, Profile

OPENAI_HOST = "api.openai.com"
BASE_URL_VARIABLE = "OPENAI_BASE_URL"
LOG_VARIABLE = "S2S_DESKTOP_LOG"

_KEY_VARIABLES: Mapping[str, tuple[str, ...]] = {
    OPENAI_HOST: ("OPENAI_API_KEY",),
    "router.huggingface.co": ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"),
    "openrouter.ai": ("OPENROUTER_API_KEY",),
    "api.groq.com": ("GROQ_API_KEY",),
    "api.together.xyz": ("TOGETHER_API_KEY",),
    "api.together.ai": ("TOGETHER_API_KEY",),
    "api.mistral.ai": ("MISTRAL_API_KEY",),
    "api.cerebras.ai": ("CEREBRAS_API_KEY",),
    "api.deepseek.com": ("DEEPSEEK_API_KEY",),
    "api.fireworks.ai": ("FIREWORKS_API_KEY",),
    "generativelanguage.googleapis.com": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
}
"""The variables that providers document for their own host; the first that is set counts."""

_AZURE_HOSTS = (".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com")
_AZURE_VARIABLES = ("AZURE_OPENAI_API_KEY",)

_LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


@dataclass(frozen=True, slots=True)
class EnvironmentKey:
    """A key and the variable it came from."""

    variable: str
    value: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Environment:
    """The environment variables of this process that mean something here.

    Args:
        variables: `os.environ` unless a test brings its own.
    """

    variables: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)

    def base_url(self, profile: Profile) -> tuple[str, str]:
        """Return the base URL of a profile, and the variable it came from ("" when the profile names it).

        OPENAI_BASE_URL speaks for profiles that name no URL, which are OpenAI's. A URL in the profile is a
        choice of another provider, which the variable says nothing about.
        """
        named = profile.base_url.strip()
        if named or profile.name == BUILT_IN:
            return named, ""
        found = self._get(BASE_URL_VARIABLE)
        return found, BASE_URL_VARIABLE if found else ""

    def key(self, profile: Profile, host: str) -> EnvironmentKey | None:
        """Return the key that the environment holds for a profile whose requests go to `host`.

        That is the variable that the profile names; else the one of the host's provider; else, where
        OPENAI_BASE_URL chose the host, OPENAI_API_KEY, because whoever sets both means both.

        Args:
            profile: The profile.
            host: The host of the endpoint, with its port unless it is the usual one.
        """
        if profile.name == BUILT_IN:
            return None
        if profile.api_key_env.strip():
            return self._first((profile.api_key_env.strip(),))
        chosen_by_variable = bool(self.base_url(profile)[1])
        return self.key_for(host) or (self.key_for(OPENAI_HOST) if chosen_by_variable else None)

    def key_for(self, host: str) -> EnvironmentKey | None:
        """Return the key that the environment holds for a provider's host; None for hosts of nobody's."""
        return self._first(key_variables(host))

    def log_level(self) -> tuple[int, str]:
        """Return the level that S2S_DESKTOP_LOG asks for (INFO when it asks for none), and what is wrong.

        Returns:
            A level of `logging`, and a sentence when the variable holds no level, else "".
        """
        wanted = self._get(LOG_VARIABLE).upper()
        if not wanted:
            return logging.INFO, ""
        if wanted in _LOG_LEVELS:
            return logging.getLevelNamesMapping()[wanted], ""
        return logging.INFO, f"{LOG_VARIABLE} must be one of {', '.join(_LOG_LEVELS).lower()}; info is used."

    def _first(self, names: tuple[str, ...]) -> EnvironmentKey | None:
        return next((EnvironmentKey(name, value) for name in names if (value := self._get(name))), None)

    def _get(self, name: str) -> str:
        return self.variables.get(name, "").strip()


def key_variables(host: str) -> tuple[str, ...]:
    """Return the names of the variables that may hold the key of a host, for hints in the window."""
    host = host.lower().rstrip(".")
    return _AZURE_VARIABLES if host.endswith(_AZURE_HOSTS) else _KEY_VARIABLES.get(host, ())
