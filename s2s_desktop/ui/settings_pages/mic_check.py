"""Shows that the microphone hears something, and lets the user hear what it hears."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from s2s_desktop.conversation.commands import Commands
from s2s_desktop.conversation.events import MicLevel, MicrophoneChanged
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.field import Remark
from s2s_desktop.ui.form.group import buttons_row
from s2s_desktop.ui.level_meter import LevelMeter
from s2s_desktop.ui.peak_hold import PeakHold
from s2s_desktop.ui.theme import Theme

RECORDING_S = 4.0
"""Long enough for a sentence."""

QUIET_MS = 5000
"""So long without a sound is worth a remark."""

_QUIET_DBFS = -60.0


class MicCheck(QWidget):
    """A level meter, the microphone switch, and a test recording.

    Args:
        editor: Makes the recording.
        theme: Colors.
        commands: Switches the microphone; None without a conversation.
        parent: Owner.

    Attributes:
        meter: The level.
        quiet: Runs out when nothing was heard for a while.
        playing: Runs out when a recording is as long as it shall be.
    """

    def __init__(
        self, editor: SettingsEditor, theme: Theme, commands: Commands | None, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._commands = commands
        self._on = False
        self._peak = PeakHold()
        self._recording: asyncio.Task[Any] | None = None
        self.meter = LevelMeter(theme, self)
        self.meter.bar.setMaximumWidth(16_777_215)  # QWIDGETSIZE_MAX: as wide as the column
        self._remark = Remark(theme, self)
        self._switch = button(self, self.tr("Turn the microphone on"), self._toggle)
        self._switch.setEnabled(commands is not None)
        self._record = button(self, self.tr("Record a test"), self._toggle_recording)
        self.quiet = _timer(self, QUIET_MS, self._say_quiet)
        self.playing = _timer(self, round(RECORDING_S * 1000), self._say_playing)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self.meter)
        layout.addWidget(self._remark)
        layout.addLayout(buttons_row(self._record, self._switch))
        self._explain()

    @property
    def sentence(self) -> str:
        """What is said below the meter."""
        return self._remark.sentence

    def observe(self, event: MicLevel | MicrophoneChanged) -> None:
        """Show how loud it is, and whether the microphone is on."""
        if isinstance(event, MicrophoneChanged):
            self._set_on(event.on)
            if event.problem:
                self._remark.show_problem(event.problem)
        else:
            self._set_on(True)
            self._show_level(event.rms_dbfs, event.peak_dbfs)

    def stop(self) -> None:
        """End a recording that is under way."""
        if self._recording is not None:
            self._recording.cancel()

    def _set_on(self, on: bool) -> None:
        if on == self._on:
            return
        self._on = on
        text = self.tr("Turn the microphone off") if on else self.tr("Turn the microphone on")
        self._switch.setText(text)
        self._switch.setAccessibleName(text)
        if on:
            self.quiet.start()
        else:
            self.quiet.stop()
            self.meter.clear()
        self._explain()

    def _show_level(self, rms_dbfs: float, peak_dbfs: float) -> None:
        self._peak.take(peak_dbfs)
        self.meter.show_level(MicLevel(rms_dbfs, peak_dbfs), self._peak.dbfs)
        if rms_dbfs > _QUIET_DBFS:
            if self._on and not self.quiet.isActive():
                self._explain()
            if self._on:
                self.quiet.start()

    def _toggle(self) -> None:
        if self._commands is not None:
            self._commands.set_microphone(not self._on)

    def _toggle_recording(self) -> None:
        if self._recording is not None:
            self._recording.cancel()
            return
        self._recording = self._editor.run(self._record_test, self._remark.show_problem)
        if self._recording is not None:
            self._recording.add_done_callback(self._recorded)
            self.quiet.stop()
            self._name_recording(self.tr("Stop the test"))
            self._remark.show_remark(
                self.tr("Recording. Say something, such as: “The quick fox is at home in the woods.”"), "mic"
            )
            self.playing.start()

    async def _record_test(self) -> None:
        await self._editor.preferences.test_recording(RECORDING_S, self._show_level)
        self._remark.show_success(
            self.tr("Did you hear yourself? If not, choose another microphone or speaker.")
        )

    def _recorded(self, task: asyncio.Task[Any]) -> None:
        self._recording = None
        self.playing.stop()
        self._name_recording(self.tr("Record a test"))
        if task.cancelled():
            self._explain()
        if not self._on:
            self.meter.clear()

    def _name_recording(self, text: str) -> None:
        self._record.setText(text)
        self._record.setAccessibleName(text)

    def _explain(self) -> None:
        if self._recording is not None:
            return
        if self._on:
            said = self.tr("Speak: the bar should move well into its right half.")
        else:
            said = self.tr("The microphone is off. A test records a few seconds and plays them back to you.")
        self._remark.show_remark(said)

    def _say_quiet(self) -> None:
        self._remark.show_problem(
            self.tr("No sound for a while. Is the right microphone chosen, and is it not muted?")
        )

    def _say_playing(self) -> None:
        self._remark.show_remark(self.tr("This is what the microphone heard."), "play")


def _timer(parent: MicCheck, interval_ms: int, act: Callable[[], None]) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(interval_ms)
    timer.timeout.connect(act)
    return timer
