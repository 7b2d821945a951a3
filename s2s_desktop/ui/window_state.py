"""Remembers where the window was, and puts it where it can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRect, QSettings

_VISIBLE = 80
"""So many px of the window's top edge must be on a screen, else it cannot be moved back."""


@dataclass(frozen=True, slots=True)
class WindowState:
    """What is remembered.

    Attributes:
        area: Of the window while it is not maximized; None on the first start.
        maximized: It filled the screen.
        sidebar: The sidebar was beside the conversation.
    """

    area: QRect | None = None
    maximized: bool = False
    sidebar: bool = True


class WindowStateFile:
    """Keeps the state in an ini file beside the settings: it is no choice of the user."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def load(self) -> WindowState:
        """Return what was saved; what is not there or not understood is as on the first start."""
        values = self._open()
        numbers = [_number(values, f"window/{name}") for name in ("x", "y", "width", "height")]
        x, y, width, height = numbers
        area = None
        if x is not None and y is not None and width and height and width > 0 and height > 0:
            area = QRect(x, y, width, height)
        return WindowState(
            area, _truth(values, "window/maximized", False), _truth(values, "window/sidebar", True)
        )

    def save(self, state: WindowState) -> None:
        """Write the state. A folder that cannot be written is no reason to complain about a window."""
        values = self._open()
        if state.area is not None:
            for name in ("x", "y", "width", "height"):
                values.setValue(f"window/{name}", getattr(state.area, name)())
        values.setValue("window/maximized", state.maximized)
        values.setValue("window/sidebar", state.sidebar)
        values.sync()

    def _open(self) -> QSettings:
        return QSettings(str(self._file), QSettings.Format.IniFormat)


def fit_to_screens(area: QRect, screens: Sequence[QRect], smallest: tuple[int, int]) -> QRect:
    """Return `area` so that the window can be seen and moved.

    Args:
        area: Where the window was.
        screens: The usable parts of the screens, the main one first; not empty.
        smallest: Least width and height in px.
    """
    top_edge = QRect(area.x(), area.y(), area.width(), 1)
    shared = [top_edge.intersected(screen).width() for screen in screens]
    best = max(range(len(screens)), key=lambda index: shared[index])
    screen = screens[best] if shared[best] else screens[0]
    width = max(min(area.width(), screen.width()), smallest[0])
    height = max(min(area.height(), screen.height()), smallest[1])
    if shared[best] >= min(_VISIBLE, area.width()) and (width, height) == (area.width(), area.height()):
        return area
    x = min(max(area.x(), screen.left()), max(screen.right() + 1 - width, screen.left()))
    y = min(max(area.y(), screen.top()), max(screen.bottom() + 1 - height, screen.top()))
    return QRect(x, y, width, height)


def _number(values: QSettings, key: str) -> int | None:
    # An ini file gives text back, whatever was put in.
    try:
        return int(str(values.value(key)))
    except ValueError:
        return None


def _truth(values: QSettings, key: str, otherwise: bool) -> bool:
    return {"true": True, "false": False}.get(str(values.value(key)).lower(), otherwise)
