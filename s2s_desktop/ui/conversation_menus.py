"""The menus of the sidebar."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.conversation.store.records import Conversation


class ConversationMenu(QMenu):
    """What can be done with one conversation."""

    def __init__(
        self,
        parent: QWidget,
        conversation: Conversation,
        *,
        rename: Callable[[], None],
        pin: Callable[[bool], None],
        export: Callable[[ExportFormat], None],
        delete: Callable[[], None],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.addAction(self.tr("Rename\tF2"), rename)
        text = self.tr("Unpin") if conversation.pinned else self.tr("Pin")
        self.addAction(text, lambda: pin(not conversation.pinned))
        formats = (
            (self.tr("Markdown…"), ExportFormat.MARKDOWN),
            (self.tr("Plain text…"), ExportFormat.TEXT),
            (self.tr("JSON…"), ExportFormat.JSON),
            (self.tr("Subtitles (SRT)…"), ExportFormat.SRT),
            (self.tr("Subtitles (WebVTT)…"), ExportFormat.VTT),
        )
        _add_formats(self.addMenu(self.tr("Export")), formats, export)
        self.addSeparator()
        self.addAction(self.tr("Delete\tDel"), delete)


class LibraryMenu(QMenu):
    """What can be done with all conversations."""

    def __init__(
        self,
        parent: QWidget,
        *,
        total: str,
        keeps: bool,
        export: Callable[[ExportFormat], None],
        import_file: Callable[[], None],
        keep: Callable[[bool], None],
        wipe: Callable[[], None],
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        formats = (
            (self.tr("JSON (can be imported)…"), ExportFormat.JSON),
            (self.tr("Markdown files (ZIP)…"), ExportFormat.MARKDOWN),
            (self.tr("Plain text files (ZIP)…"), ExportFormat.TEXT),
            (self.tr("SRT subtitles (ZIP)…"), ExportFormat.SRT),
            (self.tr("WebVTT subtitles (ZIP)…"), ExportFormat.VTT),
        )
        _add_formats(self.addMenu(self.tr("Export all")), formats, export)
        self.addAction(self.tr("Import…"), import_file)
        self.addSeparator()
        saving = self.addAction(self.tr("Save conversations"))
        saving.setCheckable(True)
        saving.setChecked(keeps)
        saving.toggled.connect(keep)
        self.addAction(self.tr("Delete everything…"), wipe)
        if total:
            self.addSeparator()
            self.addAction(total).setEnabled(False)


def _add_formats(
    menu: QMenu, formats: tuple[tuple[str, ExportFormat], ...], export: Callable[[ExportFormat], None]
) -> None:
    for text, export_format in formats:
        menu.addAction(text, partial(export, export_format))
