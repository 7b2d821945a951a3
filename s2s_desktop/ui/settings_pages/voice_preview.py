"""A button that lets a voice speak."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QWidget

from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.editor import SettingsEditor, Told


class VoicePreview(QWidget):
    """Listen, and Stop while it speaks.

    Args:
        editor: Lets the voice speak.
        voice: Returns the voice to listen to.
        tell: Shows why it cannot be heard.
        parent: Owner.
    """

    def __init__(self, editor: SettingsEditor, voice: Callable[[], str], tell: Told, parent: QWidget) -> None:
        super().__init__(parent)
        self._editor = editor
        self._voice = voice
        self._tell = tell
        self._task: asyncio.Task[Any] | None = None
        self._button = button(self, "", self._toggle)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._button)
        self._name()

    @property
    def speaking(self) -> bool:
        """Whether a voice is being listened to."""
        return self._task is not None

    def stop(self) -> None:
        """End the preview, if one is under way."""
        if self._task is not None:
            self._task.cancel()

    def _toggle(self) -> None:
        if self._task is not None:
            self.stop()
            return
        self._editor.flushing.emit()  # the speed may just have been moved
        self._tell("")
        self._task = self._editor.run(self._speak, self._tell)
        if self._task is not None:
            self._task.add_done_callback(self._ended)
        self._name()

    async def _speak(self) -> None:
        await self._editor.preferences.preview_voice(self._voice(), self._editor.settings.speech.speed)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._task = None
        self._name()

    def _name(self) -> None:
        speaking = self._task is not None
        self._button.setText(self.tr("Stop") if speaking else self.tr("Listen"))
        self._button.setAccessibleName(
            self.tr("Stop the voice") if speaking else self.tr("Listen to this voice")
        )
