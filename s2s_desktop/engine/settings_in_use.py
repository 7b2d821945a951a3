"""The settings of this run: what is saved, what the command line gave, what belongs to the conversation."""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple

from s2s_desktop.settings.schema import Profile, Section, Settings


class Choice(NamedTuple):
    """Who answers in a conversation.

    Attributes:
        profile: Name of the profile.
        persona: Name of the persona; "" for none.
    """

    profile: str
    persona: str


class SettingsInUse:
    """Keeps three layers apart: what new conversations begin with, the conversation in use, and this run.

    Args:
        settings: As loaded, with the options of the command line.
    """

    def __init__(self, settings: Settings) -> None:
        self._base = settings.model_copy(deep=True)
        self._given_profile = settings.active_profile().name
        self.choice = first_choice(self._base)

    @property
    def current(self) -> Settings:
        """The settings with profile and persona of the conversation in use. A copy."""
        settings = self._base.model_copy(deep=True)
        settings.profile, settings.assistant.persona = self.choice
        return settings

    @property
    def resolved(self) -> Settings:
        """`current`, with prompt and voice of the persona where the settings have theirs."""
        return with_persona(self.current)

    def begin(self) -> Choice:
        """Begin a new conversation, with what the user chose for new ones."""
        self.choice = first_choice(self._base)
        return self.choice

    def go_on(self, profile: str, persona: str) -> str:
        """Go on with a conversation.

        Args:
            profile: Name of the profile it belongs to; "" when it belongs to none.
            persona: Name of its persona; "" for none.

        Returns:
            What of it is no longer there, in a sentence; "" otherwise.
        """
        default = first_choice(self._base)
        self.choice = Choice(profile or default.profile, persona)
        settings = self.current
        if persona and settings.active_persona() is None:
            self.choice = self.choice._replace(persona="")
            return f"The persona “{persona}” of this conversation is no longer there; it goes on without."
        if settings.active_profile().name != self.choice.profile:
            self.choice = self.choice._replace(profile=default.profile)
            return (
                f"The profile “{profile}” of this conversation is no longer there; “{default.profile}” "
                "answers instead."
            )
        return ""

    def change(self, settings: Settings) -> None:
        """Take other settings.

        Another profile or persona than before is meant for the conversation in use as well as for new ones.
        What the command line gave holds until it is changed here.
        """
        before, after = self.current, settings.model_copy(deep=True)
        for path in self._base.given:
            if _value(after, path, self._given_profile) == _value(before, path, self._given_profile):
                after.mark_given(path, self._base.given_by(path))
            else:
                after.mark_given(path, "")
        profile, persona = self.choice
        profile_changed = after.profile != before.profile
        if after.assistant.persona != before.assistant.persona:
            chosen = after.active_persona()
            persona = chosen.name if chosen else ""
            if chosen and not profile_changed and _has_profile(after, chosen.profile):
                profile = chosen.profile
        else:
            after.assistant.persona = self._base.assistant.persona
        if profile_changed:
            profile = after.profile
        else:
            after.profile = self._base.profile
        self._base = after
        self._repair(profile, persona)

    def keep(self, on: bool) -> None:
        """Note that conversations are saved from now on, or no longer."""
        self._base.history.keep = on

    def for_file(self, saved: Settings) -> Settings:
        """Return what belongs into the file: everything but what the command line gave, which stays as saved.

        Args:
            saved: As the file is now.
        """
        settings = self._base.model_copy(deep=True)
        for path in settings.given:
            section, _, name = path.rpartition(".")
            if path == "profile":
                settings.profile = saved.profile
            elif section == "profile":
                mine, its = (_profile(each, self._given_profile) for each in (settings, saved))
                if mine is not None and its is not None:
                    setattr(mine, name, getattr(its, name))
            else:
                setattr(attrgetter(section)(settings), name, _value(saved, path, ""))
        return settings

    def _repair(self, profile: str, persona: str) -> None:
        """Choose, and let go of a profile or persona that was just removed."""
        self.choice = Choice(profile, persona)
        settings = self.current
        if not _has_profile(settings, profile):
            profile = first_choice(self._base).profile
        self.choice = Choice(profile, persona if settings.active_persona() else "")


def first_choice(settings: Settings) -> Choice:
    """Return what a new conversation begins with; the command line counts more than a persona."""
    persona = settings.active_persona()
    profile = settings.active_profile().name
    if persona is None:
        return Choice(profile, "")
    if _has_profile(settings, persona.profile) and not settings.given_by("profile"):
        profile = persona.profile
    return Choice(profile, persona.name)


def with_persona(settings: Settings) -> Settings:
    """Return settings with the prompt and the voice of the chosen persona; the command line counts more."""
    persona = settings.active_persona()
    if persona is None:
        return settings
    settings = settings.model_copy(deep=True)
    if persona.system_prompt and not settings.given_by("assistant.system_prompt"):
        settings.assistant.system_prompt = persona.system_prompt
    if persona.voice and settings.speech.tts_engine == "remote":
        settings.speech.tts_server.voice = persona.voice
    elif persona.voice and not settings.given_by("speech.voice"):
        settings.speech.voice = persona.voice
    return settings


def with_profile(settings: Settings, profile: Profile) -> Settings:
    """Return settings whose active profile is this one."""
    settings = settings.model_copy(deep=True)
    others = [each for each in settings.profiles if each.name != profile.name]
    settings.profiles = [*others, profile.model_copy(deep=True)]
    settings.profile = profile.name
    return settings


def _has_profile(settings: Settings, name: str) -> bool:
    return _profile(settings, name) is not None


def _profile(settings: Settings, name: str) -> Profile | None:
    return next((each for each in settings.profiles if each.name == name), None)


def _value(settings: Settings, path: str, given_profile: str) -> object:
    """Return the value of a path as `Settings.given_by` takes it; None where its profile is gone."""
    section, _, name = path.rpartition(".")
    holder: Section | None = settings
    if section == "profile":
        holder = _profile(settings, given_profile)
    elif section:
        holder = attrgetter(section)(settings)
    return None if holder is None else getattr(holder, name)
