"""All voices to choose from, in view at once."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget
from typing_extensions import override

from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.form.setting_field import Setting, SettingField, section
from s2s_desktop.ui.settings_pages.context import Context

_HEIGHT = 240


class VoiceList(SettingField):
    """The setting `speech.voice` as a list."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        self.list = QListWidget(parent)
        self.list.setProperty("role", "list")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for voice in context.preferences.voices():
            item = QListWidgetItem(displayable_text(voice.title))
            item.setData(Qt.ItemDataRole.UserRole, voice.name)
            self.list.addItem(item)
        super().__init__(
            context.editor,
            Setting(section("speech"), "voice", QCoreApplication.translate("VoiceList", "Voice")),
            context.theme,
            self.list,
            parent,
        )
        self.list.setMinimumHeight(_HEIGHT)
        self.list.currentItemChanged.connect(lambda: self.write(self.chosen))
        self.refresh()

    @property
    def chosen(self) -> str:
        """The voice that is chosen; a blend of several is in no list."""
        item = self.list.currentItem()
        return str(item.data(Qt.ItemDataRole.UserRole)) if item else self.editor.settings.speech.voice

    @override
    def show_value(self, value: Any) -> None:
        blocked = self.list.blockSignals(True)
        for row in range(self.list.count()):
            if self.list.item(row).data(Qt.ItemDataRole.UserRole) == value:
                self.list.setCurrentRow(row)
        self.list.blockSignals(blocked)
