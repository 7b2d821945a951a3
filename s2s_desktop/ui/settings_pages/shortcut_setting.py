"""Chooses the keys that talk from any program."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from s2s_desktop.runtime.global_shortcut.combination import objection, read_combination
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.keys_box import KeysBox
from s2s_desktop.ui.form.setting_field import Setting, SettingField
from s2s_desktop.ui.talk_shortcut import TalkShortcut
from s2s_desktop.ui.theme import Theme


class ShortcutSetting(SettingField):
    """A field for the keys, and below it whether they work.

    Args:
        editor: Takes the changes.
        setting: The setting.
        theme: Colors.
        talk_shortcut: Says whether the keys work.
        parent: Owner.
    """

    def __init__(
        self,
        editor: SettingsEditor,
        setting: Setting,
        theme: Theme,
        talk_shortcut: TalkShortcut,
        parent: QWidget,
    ) -> None:
        self.box = KeysBox(parent)
        self._talk_shortcut = talk_shortcut
        super().__init__(editor, setting, theme, self.box, parent)
        self._clear = button(
            self, self.tr("Clear"), self.box.clear, name=self.tr("Clear the keys to talk from any program")
        )
        self.beside.addWidget(self._clear)
        self.box.chosen.connect(self._choose)
        self.box.waiting_changed.connect(talk_shortcut.set_paused)
        talk_shortcut.changed.connect(self.refresh)
        if talk_shortcut.impossible:
            self.show_help(talk_shortcut.impossible)
            self.box.line.setPlaceholderText("")
        self.refresh()

    @override
    def refresh(self) -> None:
        if self._wrong:  # what was pressed stands there with what is wrong about it
            return
        super().refresh()
        if self._talk_shortcut.impossible:
            self.box.setEnabled(False)
        elif self._talk_shortcut.problem:
            self.show_problem(self._talk_shortcut.problem)
        elif self._talk_shortcut.success:
            self.show_success(self._talk_shortcut.success)

    @override
    def show_value(self, value: Any) -> None:
        keys = QKeySequence(str(value), QKeySequence.SequenceFormat.PortableText)
        if keys != self.box.keySequence():
            self.box.show_keys(keys)
        self._clear.setEnabled(not keys.isEmpty())

    def _choose(self, keys: QKeySequence) -> None:
        combination = read_combination(keys.toString())
        problem = objection(combination) if combination is not None else ""
        self._wrong = bool(problem)
        if problem:
            self._clear.setEnabled(True)
            self.show_problem(problem)
        else:
            self.write(keys.toString())
