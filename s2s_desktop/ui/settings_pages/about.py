"""What this program is, and under which licenses."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QVBoxLayout, QWidget

import s2s_desktop
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.group import Group, buttons_row

_DISTRIBUTION = "s2s-desktop"
_NOTICES = ("THIRD_PARTY.md", "LICENSE")


def version() -> str:
    """Return the version of the program; "" when it runs from its sources without being installed."""
    try:
        return metadata.version(_DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return ""


def license_text() -> str:
    """Return the notices about the work of others, and our own license."""
    texts = [_installed(name) or _in_sources(name) for name in _NOTICES]
    return "\n\n".join(text for text in texts if text)


def _installed(name: str) -> str:
    try:
        return metadata.distribution(_DISTRIBUTION).read_text(f"licenses/{name}") or ""
    except metadata.PackageNotFoundError:
        return ""


def _in_sources(name: str) -> str:
    path = Path(s2s_desktop.__file__).resolve().parents[1] / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


class AboutGroup(Group):
    """Name, version and licenses."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.set_title(
            self.tr("About S2S Desktop {version}").format(version=version()).strip(),
            self.tr(
                "Free software under the Apache License 2.0. It uses the work of others, some of it under "
                "the GPL and LGPL. Models have licenses of their own: see the page Models."
            ),
        )
        self.dialog: LicensesDialog | None = None
        self.add_layout(buttons_row(button(self, self.tr("Show licenses"), self._show)))

    def _show(self) -> None:
        self.dialog = LicensesDialog(self.window())
        self.dialog.open()


class LicensesDialog(QDialog):
    """The license texts, to read and to copy."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Licenses"))
        self.resize(640, 520)
        text = QPlainTextEdit(self)
        text.setReadOnly(True)
        text.setTabChangesFocus(True)
        text.setProperty("role", "code")
        text.setAccessibleName(self.tr("License texts"))
        text.setPlainText(license_text() or self.tr("The license texts are missing from this installation."))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 16, 16, 16)
        layout.setSpacing(12)
        layout.addWidget(text)
        layout.addLayout(buttons_row(button(self, self.tr("Close"), self.accept)))
