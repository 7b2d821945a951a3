"""Makes the fields of one table of the settings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from s2s_desktop.ui.form.codecs import TEXT, Codec
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.setting_field import ChoiceSetting, Place, Setting, SwitchSetting
from s2s_desktop.ui.form.slider_setting import Range, SliderSetting
from s2s_desktop.ui.form.text_setting import TextSetting
from s2s_desktop.ui.theme import Theme


class FieldMaker:
    """Makes fields.

    Args:
        editor: Takes the changes.
        theme: Colors.
        place: The table that the settings are in.
        parent: Owner of the fields.
    """

    def __init__(self, editor: SettingsEditor, theme: Theme, place: Place, parent: QWidget) -> None:
        self._editor = editor
        self._theme = theme
        self._place = place
        self._parent = parent

    def switch(self, name: str, label: str, text: str = "") -> SwitchSetting:
        """Make a switch for the setting `name`."""
        return SwitchSetting(self._editor, self._setting(name, label, text), self._theme, self._parent)

    def choice(
        self, name: str, label: str, choices: Sequence[tuple[str, str]] = (), text: str = ""
    ) -> ChoiceSetting:
        """Make a box to choose one of some (value, text for people)."""
        setting = self._setting(name, label, text)
        return ChoiceSetting(self._editor, setting, self._theme, self._parent, choices)

    def slider(self, name: str, label: str, values: Range, text: str = "") -> SliderSetting:
        """Make a slider."""
        return SliderSetting(
            self._editor, self._setting(name, label, text), self._theme, self._parent, values
        )

    def text(
        self,
        name: str,
        label: str,
        text: str = "",
        *,
        codec: Codec = TEXT,
        hint: str = "",
        lines: int = 1,
        suggestions: Sequence[str] | None = None,
        narrow: bool = False,
    ) -> TextSetting:
        """Make a field to type in; see `TextSetting`."""
        setting = self._setting(name, label, text)
        return TextSetting(
            self._editor,
            setting,
            self._theme,
            self._parent,
            codec=codec,
            hint=hint,
            lines=lines,
            suggestions=suggestions,
            narrow=narrow,
        )

    def _setting(self, name: str, label: str, text: str) -> Setting:
        return Setting(self._place, name, label, text)
