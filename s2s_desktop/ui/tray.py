"""The icon in the tray of the desktop: shows the state and has the few things one wants from there."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from s2s_desktop.resources import resource_path
from s2s_desktop.ui.plain_tip import plain_tip
from s2s_desktop.ui.theme import Theme

_SIDE = 64


class Tray(QWidget):
    """Owns the icon while it is wanted and the desktop has a place for it.

    Closing the window ends the program, also with an icon: no microphone stays open behind a window that
    seems closed. The menu hides the window for who wants the assistant to go on in the background.

    Signals:
        show_requested: The window is to come to the front.
        hide_requested: The window is to go, the program goes on.
        talk_requested: The microphone button is to be pressed.
        stop_requested: The reply is to end.
        settings_requested: The settings are to open.
        quit_requested: The program is to end.
    """

    show_requested = Signal()
    hide_requested = Signal()
    talk_requested = Signal()
    stop_requested = Signal()
    settings_requested = Signal()
    quit_requested = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self.hide()
        self._theme = theme
        self._window = window
        self._icon: QSystemTrayIcon | None = None
        self._word, self._token = "", ""
        self._menu = QMenu(window)
        self._state = self._add("", lambda: None)
        self._state.setEnabled(False)
        self._menu.addSeparator()
        self._talk = self._add(self.tr("Talk"), self.talk_requested.emit)
        self._stop = self._add(self.tr("Stop"), self.stop_requested.emit)
        self._menu.addSeparator()
        self._toggle = self._add("", self._toggle_window)
        self._add(self.tr("Settings…"), self.settings_requested.emit)
        self._add(self.tr("Quit"), self.quit_requested.emit)
        self._menu.aboutToShow.connect(self._name_toggle)
        theme.changed.connect(self._paint)

    @property
    def menu(self) -> QMenu:
        """The menu of the icon."""
        return self._menu

    @property
    def shown(self) -> bool:
        """Whether there is an icon."""
        return self._icon is not None

    def set_wanted(self, wanted: bool) -> None:
        """Show or take away the icon; nothing happens where the desktop has no tray."""
        if wanted and self._icon is None and QSystemTrayIcon.isSystemTrayAvailable():
            self._icon = QSystemTrayIcon(self)
            self._icon.setContextMenu(self._menu)
            self._icon.activated.connect(self._activated)
            self._paint()
            self._icon.show()
        elif not wanted and self._icon is not None:
            self._icon.hide()
            self._icon.deleteLater()
            self._icon = None

    def show_state(self, word: str, token: str, action: str, can_stop: bool) -> None:
        """Show what the assistant is doing.

        Args:
            word: The state for people.
            token: Its color; "" for none.
            action: What pressing the microphone button would do.
            can_stop: A reply is under way.
        """
        self._talk.setText(action)
        self._stop.setEnabled(can_stop)
        if (word, token) != (self._word, self._token):
            self._word, self._token = word, token
            self._state.setText(word)
            self._paint()

    def _add(self, text: str, act: object) -> QAction:
        action = self._menu.addAction(text)
        action.triggered.connect(lambda: act())  # type: ignore[operator]
        return action

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason in (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick):
            self.show_requested.emit()

    def _name_toggle(self) -> None:
        text = self.tr("Hide the window") if self._window.isVisible() else self.tr("Show the window")
        self._toggle.setText(text)

    def _toggle_window(self) -> None:
        (self.hide_requested if self._window.isVisible() else self.show_requested).emit()

    def _paint(self) -> None:
        if self._icon is None:
            return
        pixmap = QPixmap(_SIDE, _SIDE)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        QSvgRenderer(str(resource_path("icons/app.svg"))).render(painter, QRectF(0, 0, _SIDE, _SIDE))
        if self._token:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("background"))
            painter.drawEllipse(QPointF(48, 48), 15, 15)
            painter.setBrush(self._theme.color(self._token))
            painter.drawEllipse(QPointF(48, 48), 12, 12)
        painter.end()
        self._icon.setIcon(QIcon(pixmap))
        self._icon.setToolTip(plain_tip(self.tr("S2S Desktop: {state}").format(state=self._word)))
