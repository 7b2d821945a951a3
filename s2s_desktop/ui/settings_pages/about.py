"""What this program is, and under which licenses."""

from __future__ import annotations

from importlib import metadata

from PySide6.QtWidgets import QWidget

from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.group import Group, buttons_row
from s2s_desktop.ui.settings_pages.licenses_dialog import DISTRIBUTION, LicensesDialog
from s2s_desktop.ui.theme import Theme


def version() -> str:
    """Return the version of the program; "" when it runs from its sources without being installed."""
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return ""


class AboutGroup(Group):
    """Name, version and licenses."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
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
        self.dialog = LicensesDialog(self._theme, self.window())
        self.dialog.open()
