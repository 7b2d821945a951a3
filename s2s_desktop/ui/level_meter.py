"""How loud the microphone is, as a bar and in dB."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget
from typing_extensions import override

from s2s_desktop.conversation.events import MicLevel
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.thin_bar import ThinBar

FLOOR_DB = -60.0
"""Left end of the bar: the noise of a quiet room."""

_NUMBER_MS = 200
"""A number that changes more often cannot be read."""


def level_share(dbfs: float) -> float:
    """Return where a level lies between the floor and full scale, 0..1."""
    return min(max(1.0 - dbfs / FLOOR_DB, 0.0), 1.0)


class LevelBar(ThinBar):
    """The bar with a mark at the recent peak. It is painted only when it changes."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._level = 0.0
        self._peak = 0.0
        self.setFixedHeight(6)
        self.setMinimumWidth(72)
        self.setMaximumWidth(240)

    @property
    def level(self) -> float:
        """The level shown, 0..1."""
        return self._level

    def set_level(self, level: float, peak: float) -> None:
        """Show a level and the recent peak, both 0..1."""
        steps = max(self.width(), 1)
        if (round(level * steps), round(peak * steps)) != (
            round(self._level * steps),
            round(self._peak * steps),
        ):
            self._level, self._peak = level, peak
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(112, 6)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = self.paint_track("line")
        width, height = float(self.width()), float(self.height())
        if self._level > 0:
            self.paint_part(painter, "listening", 0, max(height, width * self._level))
        if self._peak > self._level:
            self.paint_part(painter, "muted", min(width - 2, width * self._peak), 2)


class LevelMeter(QWidget):
    """The bar and the number beside it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.bar = LevelBar(theme, self)
        self._loudest = FLOOR_DB
        self._number_pause = QTimer(self)
        self._number_pause.setSingleShot(True)
        self._number_pause.setInterval(_NUMBER_MS)
        self._number = QLabel(self)
        self._number.setProperty("role", "muted")
        self._number.setTextFormat(Qt.TextFormat.PlainText)
        self._number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._number.setAccessibleName(self.tr("Microphone level"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.bar, 1)
        layout.addWidget(self._number)
        layout.addStretch(0)
        self.clear()

    @property
    def text(self) -> str:
        """The number shown."""
        return self._number.text()

    def show_level(self, level: MicLevel, peak_dbfs: float) -> None:
        """Show the level of a block and the recent peak."""
        self.bar.set_level(level_share(level.rms_dbfs), level_share(peak_dbfs))
        self._loudest = max(self._loudest, level.rms_dbfs)
        if not self._number_pause.isActive():
            number = max(round(self._loudest), round(FLOOR_DB))
            self._write(self.tr("{number} dB").format(number=f"{number}".replace("-", "−")))
            self._loudest = level.rms_dbfs
            self._number_pause.start()

    def clear(self) -> None:
        """Nothing is being heard."""
        self.bar.set_level(0.0, 0.0)
        self._loudest = FLOOR_DB
        self._number_pause.stop()
        self._write(self.tr("− dB"))

    def _write(self, text: str) -> None:
        if text != self._number.text():
            self._number.setText(text)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        # Wide enough for every number, so that the bar does not change its length with the level.
        widest = self._number.fontMetrics().horizontalAdvance(self.tr("{number} dB").format(number="−60"))
        self._number.setFixedWidth(widest + 4)
        super().showEvent(event)
