"""Asks where to write an export and which file to import."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from s2s_desktop.conversation.export.file_names import safe_name
from s2s_desktop.conversation.export.formats import ExportFormat
from s2s_desktop.conversation.store.records import Conversation


def choose_export(
    parent: QWidget,
    conversation: Conversation | None,
    export_format: ExportFormat,
    chosen: Callable[[Path], None],
) -> QFileDialog:
    """Ask where to write a conversation, or all (None); `chosen` is called with the answer."""
    kinds = {
        ExportFormat.MARKDOWN: parent.tr("Markdown"),
        ExportFormat.TEXT: parent.tr("Plain text"),
        ExportFormat.JSON: parent.tr("JSON"),
        ExportFormat.SRT: parent.tr("SRT subtitles"),
        ExportFormat.VTT: parent.tr("WebVTT subtitles"),
    }
    kind = kinds[export_format]
    if conversation is None:
        ending = "json" if export_format is ExportFormat.JSON else "zip"
        kind = kind if ending == "json" else parent.tr("ZIP archive")
        name, title = parent.tr("Conversations"), parent.tr("Export all conversations")
    else:
        ending = str(export_format)
        name, title = safe_name(conversation.title, parent.tr("Conversation")), parent.tr("Export")
    dialog = QFileDialog(parent, title, _folder(), f"{kind} (*.{ending})")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(ending)
    dialog.selectFile(f"{name}.{ending}")
    return _ask(dialog, chosen)


def choose_import(parent: QWidget, chosen: Callable[[Path], None]) -> QFileDialog:
    """Ask for a JSON export; `chosen` is called with the answer."""
    dialog = QFileDialog(parent, parent.tr("Import conversations"), _folder(), parent.tr("JSON (*.json)"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return _ask(dialog, chosen)


def _ask(dialog: QFileDialog, chosen: Callable[[Path], None]) -> QFileDialog:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()
    return dialog


def _folder() -> str:
    return QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
