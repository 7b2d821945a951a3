"""Export, import and the end of all conversations: asks for the file or once more, and says what was done."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.conversation.store.records import Conversation
from s2s_desktop.ui.banner import BannerStack
from s2s_desktop.ui.file_choices import choose_export, choose_import
from s2s_desktop.ui.form.question import ask
from s2s_desktop.ui.library_tasks import LibraryTasks
from s2s_desktop.ui.sidebar import Sidebar


class LibraryFiles(QObject):
    """Does what the menus of the sidebar ask for.

    Attributes:
        dialog: The file dialog or question that is open, or was last.
    """

    def __init__(self, tasks: LibraryTasks, sidebar: Sidebar, banners: BannerStack, window: QWidget) -> None:
        super().__init__(window)
        self._tasks = tasks
        self._banners = banners
        self._window = window
        self.dialog: QFileDialog | QMessageBox | None = None
        sidebar.export_requested.connect(self._choose_export)
        sidebar.import_requested.connect(self._choose_import)
        sidebar.wipe_requested.connect(self._confirm_wipe)

    def _choose_export(self, conversation: Conversation | None, export_format: ExportFormat) -> None:
        self.dialog = choose_export(
            self._window,
            conversation,
            export_format,
            lambda target: self._tasks.start(self._export, conversation, export_format, target),
        )

    async def _export(
        self, conversation: Conversation | None, export_format: ExportFormat, target: Path
    ) -> None:
        one = conversation.id if conversation else None
        count = await self._tasks.library.export(one, export_format, target)
        if count == 1:
            sentence = self.tr("The conversation was written to “{target}”.")
        else:
            sentence = self.tr("{count} conversations were written to “{target}”.")
        self._banners.show_notice(sentence.format(count=count, target=target))

    def _choose_import(self) -> None:
        self.dialog = choose_import(self._window, lambda source: self._tasks.start(self._import, source))

    async def _import(self, source: Path) -> None:
        count = await self._tasks.library.import_file(source)
        if count == 0:
            sentence = self.tr("Everything in this file is here already.")
        elif count == 1:
            sentence = self.tr("One conversation was added.")
        else:
            sentence = self.tr("{count} conversations were added.").format(count=count)
        self._banners.show_notice(sentence)

    def _confirm_wipe(self) -> None:
        self.dialog = ask(
            self._window,
            self.tr("Delete all conversations and recordings for good?"),
            self.tr("This cannot be undone. Files that you exported stay."),
            self.tr("Delete everything"),
            lambda: self._tasks.start(self._wipe),
        )

    async def _wipe(self) -> None:
        await self._tasks.library.wipe()
        self._banners.show_notice(self.tr("All conversations and recordings were deleted."))
