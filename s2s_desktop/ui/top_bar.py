"""The bar at the top: which conversation this is, which model answers with which voice, and the settings."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget
from typing_extensions import override

from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.elided_label import ElidedLabel
from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.icons import icon_pixmap
from s2s_desktop.ui.plain_tip import plain_tip
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import EDGE_NARROW, GAP

_MODEL_SHARE = 0.4
"""The name of the model takes so much of the bar at most."""
_MODEL_ROOM = 44
"""Of it for the arrow and the air around."""
_LEAST_TITLE = 76
"""So much of the title stays readable before the name of the model gets any wider."""
_BUTTON = 34
_SPACING = 2
_ARROW = 14


class TopBar(QWidget):
    """Button of the sidebar and title at the left; model, voice and settings at the right.

    Attributes:
        model: The name of the model as a quiet chip; its menu switches profiles.
        voice: Its menu holds voice and speed.

    Signals:
        sidebar_toggled: The sidebar is to come or go.
        new_requested: A new conversation is to begin.
        settings_requested: The settings are to open.
    """

    sidebar_toggled = Signal()
    new_requested = Signal()
    settings_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "topbar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._model_name = ""
        self._menu = IconButton(theme, "menu", self.tr("Hide conversations"), size=_BUTTON, parent=self)
        self._menu.clicked.connect(self.sidebar_toggled)
        self._new = IconButton(theme, "plus", self.tr("New conversation"), size=_BUTTON, parent=self)
        self._new.setToolTip(self.tr("New conversation (Ctrl+N)"))
        self._new.clicked.connect(self.new_requested)
        self._new.hide()
        self._title = ElidedLabel(self, "app")
        self.model = QPushButton(self)
        self.model.setProperty("role", "chip")
        self.model.setCursor(Qt.CursorShape.PointingHandCursor)
        self.model.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow behind the name
        self._theme = theme
        self._tint()
        theme.changed.connect(self._tint)
        self.model.hide()
        self.voice = IconButton(theme, "voice", self.tr("Voice and speed"), size=_BUTTON, parent=self)
        self.voice.hide()
        self._settings = IconButton(theme, "settings", self.tr("Settings"), size=_BUTTON, parent=self)
        self._settings.setToolTip(self.tr("Settings (Ctrl+,)"))
        self._settings.clicked.connect(self.settings_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 5, EDGE_NARROW - 6, 5)
        layout.setSpacing(_SPACING)
        layout.addWidget(self._menu)
        layout.addWidget(self._new)
        layout.addSpacing(GAP - _SPACING)
        layout.addWidget(self._title, 1)
        layout.addWidget(self.model, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.voice)
        layout.addWidget(self._settings)
        self.show_title("")

    @property
    def title(self) -> str:
        """The title shown."""
        return self._title.whole_text

    @property
    def model_name(self) -> str:
        """The name of the model in use; "" while there is none."""
        return self._model_name

    def show_title(self, title: str) -> None:
        """Show the title of the conversation; "" is a new one."""
        self._title.show_text(title or self.tr("New conversation"))
        self._elide()

    def set_folded(self, folded: bool) -> None:
        """Say what the button of the sidebar does; without the sidebar, offer the new conversation here."""
        name = self.tr("Show conversations") if folded else self.tr("Hide conversations")
        self._menu.set_icon("menu", name)
        self._new.setVisible(folded)
        self._elide()

    def set_model_name(self, name: str) -> None:
        """Show which language model answers."""
        self._model_name = displayable_text(name)
        self.model.setAccessibleName(self.tr("Language model: {name}").format(name=self._model_name))
        self.model.setToolTip(plain_tip(self.tr("Language model: {name}").format(name=self._model_name)))
        self.model.setVisible(bool(name))
        self._elide()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _tint(self) -> None:
        side = self._theme.scale.sign(_ARROW)
        self.model.setIconSize(QSize(side, side))
        self.model.setIcon(
            icon_pixmap("chevron-down", self._theme.color("muted"), side, self.devicePixelRatioF())
        )

    def _elide(self) -> None:
        buttons = (self._menu, self._new, self.voice, self._settings)
        taken = sum(button.width() + _SPACING for button in buttons if not button.isHidden())
        title = min(self._title.sizeHint().width(), self._theme.scale.room(_LEAST_TITLE))
        left = self.width() - 2 * EDGE_NARROW - GAP - taken - title
        room = max(min(round(self.width() * _MODEL_SHARE), left) - _MODEL_ROOM, 0)
        self.model.ensurePolished()
        shown = self.model.fontMetrics().elidedText(self._model_name, Qt.TextElideMode.ElideRight, room)
        self.model.setText(shown.replace("&", "&&"))  # else Qt makes the next letter a shortcut
