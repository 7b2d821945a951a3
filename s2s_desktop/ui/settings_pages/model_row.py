"""One model of the catalog: what it is, what state its files are in, and what can be done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QMessageBox,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from s2s_desktop.conversation.events import ModelProgress
from s2s_desktop.conversation.preferences import ModelChoice
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.field import Remark
from s2s_desktop.ui.form.group import buttons_row
from s2s_desktop.ui.form.question import ask
from s2s_desktop.ui.form.side_by_side import SideBySide
from s2s_desktop.ui.settings_pages.model_words import size_in_words
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.wrapping_label import WrappingLabel

_STEPS = 1000
_LETTERS = 26
"""Room for the words and for the buttons, below which they stand below each other."""


class ModelRow(QWidget):
    """Title, facts, state and buttons of a model.

    Args:
        model: The model.
        editor: Downloads, checks and deletes.
        theme: Colors.
        parent: Owner.

    Attributes:
        question: The question that is open, or was last.

    Signals:
        changed: Its files are others now; ask for the catalog anew.
    """

    changed = Signal()

    def __init__(self, model: ModelChoice, editor: SettingsEditor, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._editor = editor
        self._download: asyncio.Task[Any] | None = None
        self._loading = False
        self.question: QMessageBox | None = None
        title = WrappingLabel(self, "label")
        title.show_sentence(model.title)
        self._summary = WrappingLabel(self, "small")
        self._facts = WrappingLabel(self, "muted")
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setRange(0, _STEPS)
        self._bar.setAccessibleName(self.tr("Download of {model}").format(model=model.title))
        self.remark = Remark(theme, self)
        self._get = self._button(self.tr("Download"), self._start, self.tr("Download {model}"))
        self._cancel = self._button(self.tr("Cancel"), self._stop, self.tr("Cancel the download of {model}"))
        self._verify = self._button(self.tr("Check"), self._check, self.tr("Check the files of {model}"))
        self._remove = self._button(
            self.tr("Delete"), self._confirm, self.tr("Delete the files of {model}"), "danger"
        )
        words = QWidget(self)
        column = QVBoxLayout(words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for part in (title, self._summary, self._facts):
            column.addWidget(part)
        buttons = QWidget(self)
        buttons.setLayout(buttons_row(self._get, self._cancel, self._verify, self._remove))
        row = SideBySide(self, 8, _LETTERS)
        row.add(words)
        row.add(buttons, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(row)
        layout.addWidget(self._bar)
        layout.addWidget(self.remark)
        self.show_model(model)

    @property
    def facts(self) -> str:
        """Size, license and state as they are shown."""
        return self._facts.sentence

    def show_model(self, model: ModelChoice) -> None:
        """Show what is known about the model now."""
        self._model = model
        self._summary.show_sentence(model.summary)
        status = {
            "present": self.tr("on this computer"),
            "missing": self.tr("not downloaded"),
            "incomplete": self.tr("partly downloaded"),
            "damaged": self.tr("damaged"),
        }.get(model.status, model.status)
        facts = [size_in_words(model.size), model.license, status]
        if model.in_use:
            facts.append(self.tr("in use"))
        if model.recommended:
            facts.append(self.tr("best for this computer"))
        self._facts.show_sentence(" · ".join(facts))
        self._arrange()

    def show_progress(self, progress: ModelProgress) -> None:
        """Show how far a download has come, whoever began it."""
        loading = bool(progress.text) and progress.total_bytes > 0
        if loading:
            self._bar.setValue(min(_STEPS, progress.done_bytes * _STEPS // progress.total_bytes))
            self.remark.show_remark(
                self.tr("{done} of {total}. {text}").format(
                    done=size_in_words(progress.done_bytes),
                    total=size_in_words(progress.total_bytes),
                    text=progress.text,
                ),
                "download",
            )
        elif progress.error:
            self.remark.show_problem(progress.error)
        else:
            self.remark.show_remark("")
        ended = not loading and self._loading
        self._loading = loading
        self._arrange()
        if ended:
            self.changed.emit()

    def _arrange(self) -> None:
        status = self._model.status
        running = self._download is not None or self._loading
        resumed = {"incomplete": self.tr("Resume"), "damaged": self.tr("Repair")}
        self._get.setText(resumed.get(status, self.tr("Download")))
        self._get.setVisible(not running and status != "present")
        self._cancel.setVisible(self._download is not None)
        self._verify.setVisible(not running and status in ("present", "damaged"))
        self._remove.setVisible(not running and status != "missing" and not self._model.in_use)
        self._bar.setVisible(running)

    def _start(self) -> None:
        self._download = self._editor.run(self._fetch, self.remark.show_problem)
        if self._download is not None:
            self._download.add_done_callback(self._ended)
            self._bar.setValue(0)
            self.remark.show_remark(self.tr("Beginning…"), "download")
        self._arrange()

    def _stop(self) -> None:
        if self._download is not None:
            self._download.cancel()

    async def _fetch(self) -> None:
        await self._editor.preferences.get_model(self._model.name)
        self.remark.show_success(self.tr("The model is on this computer."))

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._download = None
        self._loading = False
        if task.cancelled():
            self.remark.show_remark(self.tr("Stopped. What was received is kept for the next time."))
        self._arrange()
        self.changed.emit()

    def _check(self) -> None:
        async def check() -> None:
            self.remark.show_remark(self.tr("Checking the files…"))
            self._verify.setEnabled(False)
            try:
                self.remark.show_remark(await self._editor.preferences.verify_model(self._model.name))
            finally:
                self._verify.setEnabled(True)
            self.changed.emit()

        self._editor.run(check, self.remark.show_problem)

    def _confirm(self) -> None:
        self.question = ask(
            self.window(),
            self.tr("Delete the files of {model} ({size})?").format(
                model=self._model.title, size=size_in_words(self._model.size)
            ),
            self.tr("It can be downloaded again."),
            self.tr("Delete model"),
            self._delete,
        )

    def _delete(self) -> None:
        async def delete() -> None:
            freed = await self._editor.preferences.remove_model(self._model.name)
            self.remark.show_success(self.tr("{size} were freed.").format(size=size_in_words(freed)))
            self.changed.emit()

        self._editor.run(delete, self.remark.show_problem)

    def _button(self, text: str, act: Callable[[], None], name: str, role: str = "") -> QPushButton:
        return button(self, text, act, role=role, name=name.format(model=self._model.title))
