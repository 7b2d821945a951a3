"""Which profile is being edited, and what can be done to a profile as a whole."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QObject, Signal

from s2s_desktop.settings.presets import Preset
from s2s_desktop.settings.schema import BUILT_IN, Profile, Settings
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.setting_field import Finder, Place


class ProfileSelection(QObject):
    """One profile of the settings, by its name.

    Attributes:
        name: Of the profile that is being edited.
        place: Where fields find it.

    Signals:
        changed: Another profile is being edited from now on.
    """

    changed = Signal()

    def __init__(self, editor: SettingsEditor, parent: QObject) -> None:
        super().__init__(parent)
        self._editor = editor
        self.name = editor.settings.active_profile().name
        self.place = Place(self._finder, self._path)
        editor.changed.connect(self._still_there)

    @property
    def profile(self) -> Profile:
        """The profile that is being edited."""
        return self.find(self._editor.settings) or self._editor.settings.active_profile()

    @property
    def is_built_in(self) -> bool:
        """Whether it is the profile of the model on this computer, which always exists."""
        return self.name == BUILT_IN

    @property
    def in_use(self) -> bool:
        """Whether it is the profile that answers."""
        return self._editor.settings.active_profile().name == self.name

    def find(self, settings: Settings) -> Profile | None:
        """Return the profile in some settings; None when it is gone."""
        return next((profile for profile in settings.profiles if profile.name == self.name), None)

    def _finder(self) -> Finder:
        name = self.name
        return lambda settings: next((each for each in settings.profiles if each.name == name), None)

    def select(self, name: str) -> None:
        """Edit another profile."""
        if name != self.name:
            self._editor.flushing.emit()  # what was typed belongs to the profile before
            self.name = name
            self.changed.emit()

    def use(self) -> str:
        """Let this profile answer from now on; returns why not, "" when it does."""
        name = self.name

        def change(settings: Settings) -> None:
            settings.profile = name

        return self._editor.change(change)

    def add(self, preset: Preset) -> str:
        """Add a profile made from a preset and edit it."""
        return self._add(preset.profile(self._free_name(preset.title)))

    def duplicate(self) -> str:
        """Add a copy of this profile and edit that."""
        copy = self.profile.model_copy(deep=True)
        copy.name = self._free_name(self.tr("{name} copy").format(name=copy.name)[:90])
        return self._add(copy)

    def rename(self, name: str) -> str:
        """Give this profile another name, wherever it is mentioned."""
        before, name = self.name, name.strip()
        if name == before:
            return ""
        if name in self._names():
            return self.tr("There is a profile with this name already.")

        def change(settings: Settings) -> None:
            for profile in settings.profiles:
                if profile.name == before:
                    profile.name = name
            _mention(settings, before, name)

        self.name = name
        problem = self._editor.change(change)
        if problem:
            self.name = before
        self.changed.emit()
        return problem

    def delete(self) -> str:
        """Delete this profile; the built-in one answers where it answered."""
        gone = self.name

        def change(settings: Settings) -> None:
            settings.profiles = [profile for profile in settings.profiles if profile.name != gone]
            _mention(settings, gone, "")

        return self._editor.change(change)

    def _add(self, profile: Profile) -> str:
        self._editor.flushing.emit()
        problem = self._editor.change(
            lambda settings: settings.profiles.append(profile.model_copy(deep=True))
        )
        if not problem:
            self.select(profile.name)
        return problem

    def _free_name(self, wanted: str) -> str:
        return free_name(wanted, self._names())

    def _names(self) -> set[str]:
        return {profile.name for profile in self._editor.settings.profiles}

    def _path(self) -> str:
        return "profile" if self.in_use else ""

    def _still_there(self) -> None:
        if self.find(self._editor.settings) is None:
            self.name = self._editor.settings.active_profile().name
            self.changed.emit()


def free_name(wanted: str, taken: Collection[str]) -> str:
    """Return a name that is not taken yet: as wanted, or with a number behind."""
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def _mention(settings: Settings, before: str, after: str) -> None:
    if settings.profile == before:
        settings.profile = after or BUILT_IN
    for persona in settings.assistant.personas:
        if persona.profile == before:
            persona.profile = after
