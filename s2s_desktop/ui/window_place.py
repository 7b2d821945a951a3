"""Puts the window where it was the last time."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from s2s_desktop.ui.folding_body import FoldingBody
from s2s_desktop.ui.window_state import WindowState, WindowStateFile, fit_to_screens


class WindowPlace:
    """Restores and remembers place, size and sidebar of a window.

    Args:
        window: The window, with its least size set.
        body: Holds the sidebar.
        file: Where the state is kept.
    """

    def __init__(self, window: QMainWindow, body: FoldingBody, file: Path) -> None:
        self._window = window
        self._body = body
        self._file = WindowStateFile(file)

    def restore(self) -> None:
        """Put the window where it was, as far as the screens of today allow."""
        state = self._file.load()
        self._body.want_when_wide(state.sidebar)
        if state.area is not None:
            main = QGuiApplication.primaryScreen()
            others = [screen for screen in QGuiApplication.screens() if screen is not main]
            screens = [screen.availableGeometry() for screen in (main, *others)]
            smallest = self._window.minimumSize().width(), self._window.minimumSize().height()
            self._window.setGeometry(fit_to_screens(state.area, screens, smallest))
        if state.maximized:
            self._window.setWindowState(Qt.WindowState.WindowMaximized)

    def remember(self) -> None:
        """Keep where the window is now."""
        maximized = self._window.isMaximized() or self._window.isFullScreen()
        area = self._window.normalGeometry() if maximized else self._window.geometry()
        kept = QRect(area) if area.isValid() else None
        self._file.save(WindowState(kept, maximized, self._body.wanted_when_wide))
