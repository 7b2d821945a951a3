"""Which microphone and which speaker."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from s2s_desktop.conversation.preferences import DeviceChoice
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.field import Remark
from s2s_desktop.ui.form.group import buttons_row
from s2s_desktop.ui.form.setting_field import ChoiceSetting
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.tokens import BLOCK_GAP


class DeviceFields(QWidget):
    """Two boxes and a button that looks for devices anew."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        make = context.fields("audio", self)
        default = (("", self.tr("The system’s default")),)
        self.microphone = make.choice("input_device", self.tr("Microphone"), default)
        self.speaker = make.choice("output_device", self.tr("Speaker"), default)
        self._look = button(self, self.tr("Look for devices again"), self.look)
        self._remark = Remark(context.theme, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(BLOCK_GAP)
        for part in (self.microphone, self.speaker):
            layout.addWidget(part)
        layout.addLayout(buttons_row(self._look))
        layout.addWidget(self._remark)

    @property
    def sentence(self) -> str:
        """What is said about the devices."""
        return self._remark.sentence

    def look(self) -> None:
        """List the devices that are there now."""
        self._look.setEnabled(False)
        self._context.editor.run(self._list, self._remark.show_problem)

    async def _list(self) -> None:
        try:
            microphones, speakers = await self._context.preferences.devices()
        finally:
            self._look.setEnabled(True)
        self._offer(self.microphone, microphones)
        self._offer(self.speaker, speakers)
        missing = self.tr("No microphone was found. Connect one, then look again. Typing works without.")
        self._remark.show_problem("" if microphones else missing)

    def _offer(self, field: ChoiceSetting, devices: tuple[DeviceChoice, ...]) -> None:
        default = next((each.label for each in devices if each.is_default), "")
        name = self.tr("The system’s default")
        # Behind a sound server, ALSA calls it "default": that says nothing more.
        if default and not default.lower().startswith("default"):
            name = self.tr("The system’s default ({device})").format(device=default)
        field.box.offer((("", name), *((each.label, each.label) for each in devices)))
        field.refresh()
