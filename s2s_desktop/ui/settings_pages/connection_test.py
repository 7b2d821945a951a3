"""Tries an endpoint and shows each step as it is taken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from s2s_desktop.conversation.preferences import ConnectionStep
from s2s_desktop.settings.schema import BUILT_IN, Profile
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.field import Remark
from s2s_desktop.ui.form.group import buttons_row
from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.wrapping_label import WrappingLabel

_SIGNS = {True: ("check", "success"), False: ("warning", "danger"), None: ("info", "muted")}
_SIGN = 16


class ConnectionTest(QWidget):
    """A button, and below it what was found.

    Args:
        editor: Runs the test.
        theme: Colors.
        profile: Returns what to test.
        parent: Owner.
    """

    def __init__(
        self, editor: SettingsEditor, theme: Theme, profile: Callable[[], Profile], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._editor = editor
        self._theme = theme
        self._profile = profile
        self._task: asyncio.Task[Any] | None = None
        self._steps: QWidget | None = None
        self.sentences: list[str] = []
        """What was found so far."""
        self._start = button(self, self.tr("Test the connection"), self._toggle)
        self._remark = Remark(theme, self)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self._layout.addLayout(buttons_row(self._start))
        self._layout.addWidget(self._remark)
        self._explain()

    @property
    def running(self) -> bool:
        """Whether a test is under way."""
        return self._task is not None

    def forget(self) -> None:
        """Take the findings away: they are about another endpoint."""
        self.stop()
        if self._steps is not None:
            self._layout.removeWidget(self._steps)
            self._steps.hide()
            self._steps.deleteLater()
            self._steps = None
        self.sentences = []
        self._explain()

    def stop(self) -> None:
        """End a test that is under way."""
        if self._task is not None:
            task = self._task
            task.cancel()
            self._ended(task)

    def _explain(self) -> None:
        free = self._profile().name == BUILT_IN
        self._remark.show_remark(
            self.tr("Asks for one short reply.")
            if free
            else self.tr("Asks for one short reply, which costs a few tokens."),
            "",
        )

    def _toggle(self) -> None:
        if self._task is not None:
            self.stop()
            return
        self._editor.flushing.emit()
        self.forget()
        self._remark.show_remark("")
        steps = self._steps = QWidget(self)
        grid = QGridLayout(steps)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(2, 1)
        self._layout.insertWidget(1, steps)
        self._start.setText(self.tr("Stop the test"))
        self._start.setAccessibleName(self._start.text())
        self._task = self._editor.run(lambda: self._run(steps, grid), self._remark.show_problem)
        if self._task is not None:
            self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        if task is not self._task:
            return
        self._task = None
        self._start.setText(self.tr("Test the connection"))
        self._start.setAccessibleName(self._start.text())

    async def _run(self, parent: QWidget, grid: QGridLayout) -> None:
        async for step in self._editor.preferences.check_connection(self._profile()):
            self._show(step, parent, grid)

    def _show(self, step: ConnectionStep, parent: QWidget, grid: QGridLayout) -> None:
        row, top = grid.rowCount(), Qt.AlignmentFlag.AlignTop
        icon, token = _SIGNS[step.ok]
        name = QLabel(parent)
        name.setTextFormat(Qt.TextFormat.PlainText)
        name.setProperty("role", "small")
        name.setText(step.name)
        found = WrappingLabel(parent, "problem" if step.ok is False else "muted")
        found.show_sentence(step.sentence)
        grid.addWidget(IconLabel(self._theme, icon, token, parent, _SIGN), row, 0, top)
        grid.addWidget(name, row, 1, top)
        grid.addWidget(found, row, 2, top)
        self.sentences.append(f"{step.name}: {step.sentence}")
