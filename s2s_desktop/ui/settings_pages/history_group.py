"""What is kept of conversations."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox, QWidget

from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.ui.file_choices import choose_export
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.codecs import WHOLE_NUMBER
from s2s_desktop.ui.form.field import Remark
from s2s_desktop.ui.form.group import Group, buttons_row
from s2s_desktop.ui.form.question import ask
from s2s_desktop.ui.settings_pages.context import Context


class HistoryGroup(Group):
    """Saving on or off, export, and deleting everything.

    Attributes:
        dialog: The file dialog or question that is open, or was last.
    """

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self.set_title(self.tr("Conversations"), self.tr("They are kept on this computer only."))
        self._context = context
        self.dialog: QFileDialog | QMessageBox | None = None
        make = context.fields("history", self)
        keep = make.switch(
            "keep",
            self.tr("Save conversations"),
            self.tr("Off saves nothing from now on; what was saved stays until you delete it."),
        )
        self._sound = make.switch(
            "keep_audio", self.tr("Save recordings too"), self.tr("To listen again to what was said.")
        )
        self._limit = make.text(
            "audio_limit_mb",
            self.tr("Room for recordings (MB)"),
            self.tr("The oldest recordings go first."),
            codec=WHOLE_NUMBER,
            narrow=True,
        )
        self._usage = Remark(context.theme, self)
        self._export = button(self, self.tr("Export all…"), self._show_formats)
        self._wipe = button(self, self.tr("Delete everything…"), self._confirm_wipe, role="danger")
        self.remark = Remark(context.theme, self)
        self.add(keep, self._sound, self._limit, self._usage)
        self.add_layout(buttons_row(self._export, self._wipe))
        self.add(self.remark)
        for made in (self._export, self._wipe):
            made.setEnabled(context.conversations is not None)
        context.editor.changed.connect(self._show)
        self._show()

    @property
    def usage(self) -> str:
        """How much was used, as it is shown."""
        return self._usage.sentence

    def opened(self) -> None:
        """Ask how much was used."""

        async def show() -> None:
            self._usage.show_remark(await self._context.preferences.usage())

        self._context.editor.run(show, self._usage.show_problem)

    def _show(self) -> None:
        history = self._context.editor.settings.history
        self._sound.setVisible(history.keep)
        self._limit.setVisible(history.keep and history.keep_audio)

    def _show_formats(self) -> None:
        menu = QMenu(self)
        for export_format, text in (
            (ExportFormat.MARKDOWN, self.tr("Markdown")),
            (ExportFormat.JSON, self.tr("JSON, to import again")),
            (ExportFormat.TEXT, self.tr("Plain text")),
        ):
            action = menu.addAction(text)
            action.triggered.connect(lambda _=False, chosen=export_format: self._choose_file(chosen))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._export.mapToGlobal(QPoint(0, self._export.height() + 4)))

    def _choose_file(self, export_format: ExportFormat) -> None:
        self.dialog = choose_export(
            self.window(), None, export_format, lambda target: self._write(export_format, target)
        )

    def _write(self, export_format: ExportFormat, target: Path) -> None:
        conversations = self._context.conversations
        if conversations is None:
            return

        async def write() -> None:
            count = await conversations.export(None, export_format, target)
            said = self.tr("{count} conversations were written to “{target}”.")
            self.remark.show_success(said.format(count=count, target=target))

        self._context.editor.run(write, self.remark.show_problem)

    def _confirm_wipe(self) -> None:
        self.dialog = ask(
            self.window(),
            self.tr("Delete all conversations and recordings for good?"),
            self.tr("This cannot be undone. Files that you exported stay."),
            self.tr("Delete everything"),
            self._wipe_all,
        )

    def _wipe_all(self) -> None:
        conversations = self._context.conversations
        if conversations is None:
            return

        async def wipe() -> None:
            await conversations.wipe()
            self.remark.show_success(self.tr("All conversations and recordings were deleted."))

        self._context.editor.run(wipe, self.remark.show_problem)
