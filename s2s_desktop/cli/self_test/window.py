"""The step of the self-test that shows the window."""

from __future__ import annotations

import asyncio
from pathlib import Path

_LEAST_COLORS = 16
"""An empty or all-black picture has one or two; the window's texts and buttons have hundreds."""


def show_window(screenshot: Path | None = None) -> str:
    """Show the window on the Qt loop, and look at it.

    Args:
        screenshot: Where the picture goes (PNG).

    Raises:
        RuntimeError: Nothing was drawn.
        OSError: The picture cannot be written.
    """
    from PySide6.QtWidgets import QApplication

    from s2s_desktop.runtime import qt_loop

    application = QApplication.instance() or QApplication(["s2s-desktop"])
    assert isinstance(application, QApplication)
    colors: list[int] = []

    async def look() -> int:
        from s2s_desktop.ui.main_window import MainWindow

        window = MainWindow()
        window.show()
        await asyncio.sleep(0.1)  # the first paint
        picture = window.grab()
        window.hide()
        window.deleteLater()
        if screenshot is not None and not picture.save(str(screenshot), "PNG"):
            raise OSError(f"{screenshot} cannot be written")
        image = picture.toImage()
        step = max(1, image.height() // 200)
        found = {
            image.pixel(x, y) for y in range(0, image.height(), step) for x in range(0, image.width(), step)
        }
        colors.append(len(found))
        return 0

    qt_loop.run(look, application)
    if not colors or colors[0] < _LEAST_COLORS:
        raise RuntimeError(f"the window has only {colors} colors")
    return f"{colors[0]} colors, platform {application.platformName()}"
