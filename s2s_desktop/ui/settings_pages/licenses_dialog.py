"""The licenses of this program and of the work of others in it, to read, search and copy."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

import s2s_desktop
from s2s_desktop.ui.document_view import DocumentView
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.group import buttons_row
from s2s_desktop.ui.search_field import SearchField
from s2s_desktop.ui.theme import Theme

DISTRIBUTION = "s2s-desktop"
"""The name under which the program is installed."""


def license_text() -> str:
    """Return the notices about the work of others and our own license as Markdown; "" without both."""
    notices, own = _read("THIRD_PARTY.md"), _read("LICENSE")
    if own:
        own = f"# Apache License\n\n```\n{own}\n```"
    return "\n\n".join(part for part in (notices, own) if part)


def _read(name: str) -> str:
    return _installed(name) or _in_sources(name)


def _installed(name: str) -> str:
    try:
        return metadata.distribution(DISTRIBUTION).read_text(f"licenses/{name}") or ""
    except metadata.PackageNotFoundError:
        return ""


def _in_sources(name: str) -> str:
    path = Path(s2s_desktop.__file__).resolve().parents[1] / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


class LicensesDialog(QDialog):
    """The license texts.

    Attributes:
        text: Shows them.
        search: Finds words in them.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Licenses"))
        self.resize(theme.scale.room(720), theme.scale.room(560))
        missing = self.tr("The license texts are missing from this installation.")
        self.text = DocumentView(theme, self.tr("License texts"), license_text() or missing, self)
        self.search = SearchField(theme, self)
        self.search.setAccessibleName(self.tr("Find in the licenses"))
        self.search.setToolTip(self.tr("Find in the licenses (Ctrl+F)"))
        self.search.query_changed.connect(self._find)
        self.search.left.connect(self._find_next)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._begin_search)
        QShortcut(QKeySequence(QKeySequence.StandardKey.FindNext), self, self._find_next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(self.search)
        layout.addWidget(self.text)
        layout.addLayout(buttons_row(button(self, self.tr("Close"), self.accept)))
        self.text.setFocus()

    def _begin_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _find(self, words: str) -> None:
        self._show_found(self.text.find_from(words, beyond=False))

    def _find_next(self) -> None:
        self._show_found(self.text.find_from(self.search.text().strip(), beyond=True))

    def _show_found(self, found: bool) -> None:
        self.search.setProperty("wrong", not found and bool(self.search.text().strip()))
        self.search.style().polish(self.search)
