"""The command line over the settings: options of this program and of the upstream project."""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from s2s_desktop.errors import AssistantError, ErrorKind
from s2s_desktop.settings.argument_parser import ArgumentParser
from s2s_desktop.settings.backend_names import backend_name
from s2s_desktop.settings.option_table import (
    HEARING_ENGINES,
    HEARING_NAMES,
    IGNORED_OPTIONS,
    IGNORED_SWITCHES,
    INSTEAD,
    KEY_NAMES,
    OPTIONS,
    VOICE_ENGINES,
    VOICE_NAMES,
    Option,
    SectionName,
)
from s2s_desktop.settings.presets import PRESETS
from s2s_desktop.settings.schema import (
    BUILT_IN,
    AssistantSettings,
    AudioSettings,
    HistorySettings,
    Profile,
    Section,
    Settings,
    SpeechServer,
    SpeechSettings,
)

__all__ = ["TEMPORARY_PROFILE", "ArgumentParser", "add_arguments", "apply"]

TEMPORARY_PROFILE = "command line"
"""Name of the profile that `--base-url` makes. It is not saved."""

_SECTIONS: dict[SectionName, type[Section]] = {
    "profile": Profile,
    "assistant": AssistantSettings,
    "speech": SpeechSettings,
    "speech.stt_server": SpeechServer,
    "speech.tts_server": SpeechServer,
    "audio": AudioSettings,
    "history": HistorySettings,
}
_NOTHING = ("auto", "null", "none", "default")
_WHISPER_SIZE = re.compile(r"(tiny|base|small|medium|large)([.-].+)?")
_SETTING, _NOTICE, _PROFILE, _KEY = "setting:", "notice:", "chosen profile", "given key"
_GIVEN = "given by:"
"""Attributes of the namespace, one for each option: what stands in front of a command and what stands behind
are parsed into two namespaces, which argparse joins attribute by attribute."""


class _Override(argparse.Action):
    """Stores the value of a setting after checking it as the settings file would."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Take one option."""
        option: Option = self.const
        try:
            value, notice = _convert(option, str(values))
        except ValueError as error:
            parser.error(f"{option_string}: {error}")
        _set(namespace, f"{option.section}.{option.field}", value, option_string)
        if notice:
            _note(namespace, option_string, f": {notice}")


class _Special(argparse.Action):
    """Takes an option that is no setting."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Take one option."""
        name = (option_string or "").lstrip("-")
        if name == "profile":
            setattr(namespace, _PROFILE, values)
            setattr(namespace, f"{_GIVEN}profile", option_string)
        elif name in KEY_NAMES:
            setattr(namespace, _KEY, values)
            _note(
                namespace,
                option_string,
                ": other programs can read a key on the command line. Put it into an environment variable "
                "and name that with --api-key-env, or save it in the settings.",
            )
        elif name in HEARING_NAMES:
            self._choose_hearing(namespace, str(values), option_string)
        elif name in VOICE_NAMES:
            engine = VOICE_ENGINES.get(str(values).strip().lower().replace("_", "-"))
            if engine is None:
                _note(namespace, option_string, f" {values}: Kokoro is used here.")
            else:
                _set(namespace, "speech.tts_engine", engine, option_string)
        else:
            instead = next((text for key, text in INSTEAD.items() if name.endswith(key)), "")
            _note(namespace, option_string, f" means nothing here{f': {instead}' if instead else ''}.")

    def _choose_hearing(self, namespace: argparse.Namespace, value: str, option_string: str | None) -> None:
        """Choose who hears: the language model itself ("none"), or an engine."""
        name = value.strip().lower().replace("_", "-")
        engine = HEARING_ENGINES.get(name)
        _set(namespace, "profile.audio_input", name == "none", option_string)
        if engine is not None:
            _set(namespace, "speech.stt_engine", engine, option_string)
        elif name != "none":
            _note(namespace, option_string, f" {value}: faster-whisper is used here.")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that stand for settings. Only those of this program appear in the help.

    Args:
        parser: A parser, or the parent of several; what is not given leaves no trace in the namespace.
    """
    group = parser.add_argument_group("settings for this run")
    group.add_argument(
        "--profile", action=_Special, dest=_NOTICE, default=argparse.SUPPRESS, metavar="NAME",
        help="a profile of the settings, or a provider such as ollama",
    )  # fmt: skip
    for option in OPTIONS:
        _add(group, option.names[:1], _Override, option, option.help, option.metavar or "true|false")
        _add(group, option.names[1:], _Override, option)
    for names in (KEY_NAMES, HEARING_NAMES, VOICE_NAMES, IGNORED_OPTIONS, IGNORED_SWITCHES):
        _add(group, names, _Special, None)


def apply(settings: Settings, namespace: argparse.Namespace) -> tuple[Settings, list[str]]:
    """Return the settings with the options of the command line, and sentences about them.

    Args:
        settings: As loaded; not changed.
        namespace: What a parser with `add_arguments` returned.

    Raises:
        AssistantError: BAD_REQUEST; there is no such profile or persona.
    """
    options = vars(namespace)
    settings = settings.model_copy(deep=True)
    if _PROFILE in options:
        _choose_profile(settings, options[_PROFILE])
    values = {
        name.removeprefix(_SETTING): value for name, value in options.items() if name.startswith(_SETTING)
    }
    profile = _profile_for(settings, values, chosen=_PROFILE in options)
    for path, value in values.items():
        section, _, name = path.rpartition(".")
        setattr(profile if section == "profile" else attrgetter(section)(settings), name, value)
    if settings.assistant.persona and settings.active_persona() is None and "assistant.persona" in values:
        known = ", ".join(persona.name for persona in settings.assistant.personas) or "none yet"
        raise AssistantError(
            ErrorKind.BAD_REQUEST,
            f"There is no persona {settings.assistant.persona!r}. Those of the settings are: {known}.",
        )
    if _KEY in options:
        profile.give_key(options[_KEY])
    given = {name.removeprefix(_GIVEN): by for name, by in options.items() if name.startswith(_GIVEN)}
    if profile.is_temporary and "profile" not in given:
        given["profile"] = given.get("profile.base_url", given.get("profile.backend", ""))
    for path, by in given.items():
        settings.mark_given(path, by)
    return settings, [value for name, value in options.items() if name.startswith(_NOTICE)]


def _choose_profile(settings: Settings, wanted: str) -> None:
    folded = wanted.strip().casefold()
    for profile in settings.profiles:
        if profile.name.casefold() == folded:
            settings.profile = profile.name
            return
    preset = next((preset for preset in PRESETS if preset.title.casefold() == folded), None)
    if preset is None:
        names = list(
            dict.fromkeys([*(profile.name for profile in settings.profiles), *(p.title for p in PRESETS)])
        )
        similar = difflib.get_close_matches(wanted, names, n=1)
        hint = f"Did you mean {similar[0]}?" if similar else f"Choose one of: {', '.join(names)}."
        raise AssistantError(ErrorKind.BAD_REQUEST, f"There is no profile {wanted!r}. {hint}")
    _use_temporary(settings, preset.profile())


def _profile_for(settings: Settings, values: Mapping[str, object], chosen: bool) -> Profile:
    """Return the profile that the options change: the active one, or a temporary one for another server.

    A temporary profile takes no key, no header and no query of the active one, because those belong to its
    server. A backend and a model without a server mean OpenAI where the active profile is the built-in one,
    which has models of its own.
    """
    active = settings.active_profile()
    base_url = values.get("profile.base_url")
    other_server = isinstance(base_url, str) and base_url.strip() != active.base_url.strip()
    model = values.get("profile.model", active.model)
    means_openai = (
        active.name == BUILT_IN and not chosen and "profile.backend" in values and model != active.model
    )
    if not other_server and not means_openai:
        return active
    temporary = Profile(name=TEMPORARY_PROFILE, backend=_backend_at(str(base_url or ""), active))
    if active.name != BUILT_IN:
        kept = ("model", "stream", "disable_thinking", "reasoning_effort", "temperature", "max_output_tokens")
        timeouts = ("connect_timeout_s", "first_token_timeout_s", "idle_timeout_s")
        audio = [name for name in Profile.model_fields if name.startswith("audio_")]
        for name in (*kept, *timeouts, *audio):
            setattr(temporary, name, getattr(active, name))
    _use_temporary(settings, temporary)
    return temporary


def _use_temporary(settings: Settings, profile: Profile) -> None:
    profile.mark_temporary()
    settings.profiles = [old for old in settings.profiles if old.name != profile.name] + [profile]
    settings.profile = profile.name


def _backend_at(base_url: str, active: Profile) -> Any:
    """Return the backend of a server that was named without one: more servers speak chat-completions."""
    path = urlsplit(base_url.strip()).path.rstrip("/")
    if active.name != BUILT_IN and not path.endswith(("/responses", "/chat/completions")):
        return active.backend
    openai = not base_url.strip() or "api.openai.com" in base_url
    return "responses-api" if path.endswith("/responses") or openai else "chat-completions"


def _convert(option: Option, text: str) -> tuple[object, str]:
    """Return the value of a setting and what is to be said about it.

    Raises:
        ValueError: The text is no such value; the message says why.
    """
    if option.field == "backend":
        name = backend_name(text)
        return name, "" if text.strip() == name else f"{text} is called {name} here."
    if option.field in ("reasoning_effort", "audio_content_type") and text.strip().lower() in _NOTHING[:2]:
        text = ""
    if option.field == "stt_model" and _WHISPER_SIZE.fullmatch(text.strip()):
        text = f"whisper-{text.strip()}"
    if option.section == "audio" and option.field.endswith("_device") and text.strip().isdigit():
        return "", "numbers of devices change; the default device is used. Give its name instead."
    try:
        return _adapter(option.section, option.field).validate_python(text), ""
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False, include_context=False)[0]["msg"]
        raise ValueError(f"{text!r} does not fit: {problem.removeprefix('Value error, ')}") from None


@cache
def _adapter(section: SectionName, name: str) -> TypeAdapter[Any]:
    info = _SECTIONS[section].model_fields[name]
    checked: Any = Annotated[info.annotation, info]
    return TypeAdapter(checked)


def _add(
    group: argparse._ArgumentGroup,
    names: Sequence[str],
    action: type[argparse.Action],
    const: Option | None,
    text: str = argparse.SUPPRESS,
    metavar: str = "VALUE",
) -> None:
    if names:
        group.add_argument(
            *(f"--{name}" for name in names), action=action, const=const, dest=_NOTICE,
            default=argparse.SUPPRESS, metavar=metavar, help=text,
        )  # fmt: skip


def _set(namespace: argparse.Namespace, path: str, value: object, option_string: str | None) -> None:
    """Note the value of a setting and the option it came from."""
    setattr(namespace, f"{_SETTING}{path}", value)
    setattr(namespace, f"{_GIVEN}{path}", option_string)


def _note(namespace: argparse.Namespace, option_string: str | None, text: str) -> None:
    setattr(namespace, f"{_NOTICE}{option_string}", f"{option_string}{text}")
