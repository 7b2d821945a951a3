"""The list of pages at the side of a dialog."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFocusEvent, QIcon
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget
from typing_extensions import override

from s2s_desktop.ui.icons import icon_pixmap
from s2s_desktop.ui.theme import Theme


class PageList(QListWidget):
    """Names of pages, each with an icon.

    Args:
        theme: Colors.
        name: For screen readers.
        parent: Owner.
    """

    def __init__(self, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons: list[str] = []
        self.setProperty("role", "pages")
        self.setAccessibleName(name)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def add_page(self, title: str, icon: str) -> None:
        """Add a page at the end."""
        self._icons.append(icon)
        self.addItem(QListWidgetItem(title))

    def restyle(self) -> None:
        """Draw the icons anew and be as wide as the widest title. After a change of the stylesheet."""
        size = self._theme.scale.body + 3
        self.setIconSize(QSize(size, size))
        color, scale = self._theme.color("muted"), self.devicePixelRatioF()
        for row, icon in enumerate(self._icons):
            self.item(row).setIcon(QIcon(icon_pixmap(icon, color, size, scale)))
        self.ensurePolished()
        self.setFixedWidth(self.sizeHintForColumn(0) + 36)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_focus(event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason))

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_focus(False)

    def _show_focus(self, shown: bool) -> None:
        """Qt's stylesheets do not tell whether the list of an item has the focus."""
        self.setProperty("focused", shown)
        self.style().polish(self)
