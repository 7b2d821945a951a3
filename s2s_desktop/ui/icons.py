"""The line icons of `resources/icons`, tinted with a color of the theme."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from s2s_desktop.resources import resource_path

_APP_SIZES = (16, 24, 32, 48, 64, 128, 256)


def paint_icon(painter: QPainter, name: str, color: QColor, area: QRectF) -> None:
    """Draw an icon into the square `area`, sharp at any scale of the screen."""
    scale = painter.device().devicePixelRatioF()
    painter.drawPixmap(area.topLeft(), icon_pixmap(name, color, round(area.width()), scale))


def icon_pixmap(name: str, color: QColor, size: int, scale: float) -> QPixmap:
    """Return an icon of `size` logical px for a screen with `scale` device px per logical px."""
    return _pixmap(name, color.name(), size, scale)


def app_icon() -> QIcon:
    """Return the program's own icon in every size a desktop asks for."""
    icon = QIcon()
    renderer = QSvgRenderer(str(resource_path("icons/app.svg")))
    for size in _APP_SIZES:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        renderer.render(painter, QRectF(0, 0, size, size))
        painter.end()
        icon.addPixmap(pixmap)
    return icon


@lru_cache(maxsize=256)
def _pixmap(name: str, color: str, size: int, scale: float) -> QPixmap:
    """Draw an icon once; a level ring is painted thirty times a second."""
    drawing = resource_path(f"icons/{name}.svg").read_text(encoding="utf-8")
    renderer = QSvgRenderer(QByteArray(drawing.replace("currentColor", color).encode()))
    pixmap = QPixmap(QSize(round(size * scale), round(size * scale)))
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
