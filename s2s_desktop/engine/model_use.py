"""Which models the settings ask for, and what suits this computer."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import psutil

from s2s_desktop.engine.part import Component, Part, components_of
from s2s_desktop.models.catalog import CATALOG, recommend
from s2s_desktop.settings.schema import BUILT_IN, Profile, Settings

TRIAL_MODEL = "smollm2-135m"
VOICE_MODEL = "kokoro-82m"
TURN_MODEL = "smart-turn-v3.2"


def is_builtin(profile: Profile) -> bool:
    """Return whether a profile runs its model on this computer."""
    return profile.name == BUILT_IN


def is_trial(profile: Profile) -> bool:
    """Return whether a profile runs the small trial model."""
    return is_builtin(profile) and profile.model == TRIAL_MODEL


def builtin_profile(settings: Settings) -> Profile:
    """Return the profile that runs its model on this computer; `settings` always have it."""
    return next(profile for profile in settings.profiles if is_builtin(profile))


def model_title(profile: Profile) -> str:
    """Return what answers with a profile, for people: "Built-in · SmolLM2 135M"."""
    if not is_builtin(profile):
        return f"{profile.name} · {profile.model}"
    title = next((model.title for model in CATALOG if model.name == profile.model), profile.model)
    return f"Built-in · {title}"


def hears(profile: Profile) -> bool:
    """Return whether the model of a profile is sent speech as sound; only chat-completions can carry it."""
    return profile.audio_input and profile.backend == "chat-completions" and not is_builtin(profile)


def model_names(settings: Settings, parts: Iterable[Part]) -> list[str]:
    """Return the catalog names of the model files that `parts` use, the language model first."""
    parts = set(parts)
    names = [name for component in components_of(parts) for name in model_files(component, settings)]
    return [*names, TURN_MODEL] if Part.HEARING in parts and judges(settings) else names


def model_files(component: Component, settings: Settings) -> list[str]:
    """Return the catalog names of the model files that a component cannot do without."""
    speech = settings.speech
    profile = settings.active_profile()
    local_hearing = speech.stt_engine == "faster-whisper" and not hears(profile)
    match component:
        case Component.LLM if is_builtin(profile):
            return [profile.model]
        case Component.TRANSCRIBER if local_hearing and not is_folder(speech.stt_model):
            return [speech.stt_model]
        case Component.VOICE if speech.tts_engine == "kokoro-onnx":
            return [VOICE_MODEL]
        case _:
            return []


def judges(settings: Settings) -> bool:
    """Return whether the melody of a sentence says when a turn ends."""
    return settings.audio.smart_turn and settings.audio.microphone_mode == "hands-free"


def machine() -> tuple[int, int]:
    """Return the memory of this computer in bytes, and its cores."""
    return psutil.virtual_memory().total, psutil.cpu_count(logical=False) or os.cpu_count() or 1


def better_model(settings: Settings) -> str | None:
    """Return the language model that this machine should run, or None when it runs it already."""
    recommended = recommend("llm", *machine()).name
    profile = settings.active_profile()
    return None if is_builtin(profile) and profile.model == recommended else recommended


def is_folder(name: str) -> bool:
    """Return whether a model is named by a folder (or a repository of the Hub) and not by the catalog."""
    return os.sep in name or Path(name).expanduser().is_dir()
