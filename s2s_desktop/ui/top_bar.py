"""The bar at the top: which conversation this is, and which model answers."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.elided_label import ElidedLabel
from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import EDGE_NARROW, GAP

_MAX_NAME = 48


class TopBar(QWidget):
    """Button of the sidebar and title at the left, the name of the model as a quiet chip at the right.

    Signals:
        sidebar_toggled: The sidebar is to come or go.
        new_requested: A new conversation is to begin.
    """

    sidebar_toggled = Signal()
    new_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "topbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._menu = IconButton(theme, "menu", self.tr("Hide conversations"), size=34, parent=self)
        self._menu.clicked.connect(self.sidebar_toggled)
        self._new = IconButton(theme, "plus", self.tr("New conversation"), size=34, parent=self)
        self._new.setToolTip(self.tr("New conversation (Ctrl+N)"))
        self._new.clicked.connect(self.new_requested)
        self._new.hide()
        self._title = ElidedLabel(self, "app")
        self._model = QLabel(self)
        self._model.setProperty("role", "chip")
        self._model.setTextFormat(Qt.TextFormat.PlainText)
        self._model.setAccessibleName(self.tr("Language model in use"))
        self._model.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 5, EDGE_NARROW, 5)
        layout.setSpacing(GAP)
        layout.addWidget(self._menu)
        layout.addWidget(self._new)
        layout.addWidget(self._title, 1)
        layout.addWidget(self._model, 0, Qt.AlignmentFlag.AlignVCenter)
        self.show_title("")

    @property
    def title(self) -> str:
        """The title shown."""
        return self._title.whole_text

    @property
    def model_name(self) -> str:
        """The name shown; "" while there is none."""
        return "" if self._model.isHidden() else self._model.text()

    def show_title(self, title: str) -> None:
        """Show the title of the conversation; "" is a new one."""
        self._title.show_text(title or self.tr("New conversation"))

    def set_folded(self, folded: bool) -> None:
        """Say what the button of the sidebar does; without the sidebar, offer the new conversation here."""
        name = self.tr("Show conversations") if folded else self.tr("Hide conversations")
        self._menu.set_icon("menu", name)
        self._new.setVisible(folded)

    def set_model_name(self, name: str) -> None:
        """Show which language model answers."""
        shown = displayable_text(name)
        self._model.setText(shown if len(shown) <= _MAX_NAME else shown[: _MAX_NAME - 1] + "…")
        self._model.setToolTip(self.tr("Language model in use"))
        self._model.setVisible(bool(name))
