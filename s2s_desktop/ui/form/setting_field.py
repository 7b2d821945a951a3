"""Fields that show a setting and change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from s2s_desktop.settings.schema import Section, Settings
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.field import Field
from s2s_desktop.ui.form.switch import Switch
from s2s_desktop.ui.theme import Theme

PAUSE_MS = 500
"""What is typed is handed in after so long a pause, or when the field is left."""


Finder = Callable[[Settings], Section | None]
"""Finds a table in settings; None when it is gone."""


@dataclass(frozen=True, slots=True)
class Place:
    """The table that settings are in.

    Attributes:
        finder: Returns what finds the table that is edited now, also when another one is edited by then: a
            change is applied a little later than it is made.
        path: Names the table for `Preferences.given_by`; "" when nothing can override it.
    """

    finder: Callable[[], Finder]
    path: Callable[[], str]


def section(path: str) -> Place:
    """Return the place of the table at a path such as "speech.stt_server"."""

    def find(settings: Settings) -> Section:
        found: Any = settings
        for name in path.split("."):
            found = getattr(found, name)
        table: Section = found
        return table

    return Place(lambda: find, lambda: path)


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting and how it is presented.

    Attributes:
        place: The table it is in.
        name: Its name there.
        label: What it is called.
        text: One line of help; "" for none.
    """

    place: Place
    name: str
    label: str
    text: str = ""


class SettingField(Field):
    """A field of one setting.

    Args:
        editor: Takes the changes.
        setting: The setting.
        theme: Colors.
        control: Shows it.
        parent: Owner.
    """

    def __init__(
        self, editor: SettingsEditor, setting: Setting, theme: Theme, control: QWidget, parent: QWidget
    ) -> None:
        super().__init__(theme, setting.label, control, setting.text, parent)
        self.editor = editor
        self._setting = setting
        self._wrong = False
        editor.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the setting as it is."""
        table = self._setting.place.finder()(self.editor.settings)
        if table is None:
            return
        path = self._setting.place.path()
        given = self.editor.preferences.given_by(f"{path}.{self._setting.name}") if path else ""
        self.show_value(getattr(table, self._setting.name))
        self.show_problem("")
        self.show_given(given)

    def show_value(self, value: Any) -> None:
        """Show a value."""
        raise NotImplementedError

    def write(self, value: Any) -> None:
        """Change the setting; what is wrong with the value stands below."""
        find, name = self._setting.place.finder(), self._setting.name

        def change(settings: Settings) -> None:
            table = find(settings)
            if table is not None:
                setattr(table, name, value)

        problem = self.editor.change(change)
        self._wrong = bool(problem)
        self.show_problem(problem)


class SwitchSetting(SettingField):
    """A setting that is on or off."""

    def __init__(self, editor: SettingsEditor, setting: Setting, theme: Theme, parent: QWidget) -> None:
        self.switch = Switch(theme, parent)
        super().__init__(editor, setting, theme, self.switch, parent)
        self.switch.clicked.connect(self.write)
        self.refresh()

    @override
    def show_value(self, value: Any) -> None:
        self.switch.setChecked(bool(value))


class ChoiceSetting(SettingField):
    """A setting with few values, each with a text for people."""

    def __init__(
        self,
        editor: SettingsEditor,
        setting: Setting,
        theme: Theme,
        parent: QWidget,
        choices: Sequence[tuple[str, str]] = (),
    ) -> None:
        self.box = ChoiceBox(theme, parent)
        self.box.offer(choices)
        super().__init__(editor, setting, theme, self.box, parent)
        self.box.activated.connect(lambda: self.write(self.box.value))
        self.refresh()

    @override
    def show_value(self, value: Any) -> None:
        self.box.show_value(str(value))
