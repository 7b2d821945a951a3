"""The one thing to press: a round button whose ring shows what is going on."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from s2s_desktop.conversation.events import State
from s2s_desktop.ui.icons import paint_icon
from s2s_desktop.ui.round_button import RoundButton
from s2s_desktop.ui.state_words import Situation
from s2s_desktop.ui.talk_control import MicrophoneMode
from s2s_desktop.ui.theme import Theme

CORE = 60
"""Diameter of the button itself in px."""
RING = 11
"""Room for the ring around it."""
_FRAME_MS = 33
_BREATH_S = 2.4


@dataclass(frozen=True, slots=True)
class _Look:
    color: str
    icon_color: str
    breathes: bool = False


_LOOKS = {
    State.IDLE: _Look("accent", "accent_text"),
    State.LISTENING: _Look("listening", "on_state"),
    State.HEARING: _Look("listening", "on_state"),
    State.TRANSCRIBING: _Look("thinking", "on_state", breathes=True),
    State.THINKING: _Look("thinking", "on_state", breathes=True),
    State.SPEAKING: _Look("speaking", "accent_text"),
    State.INTERRUPTED: _Look("thinking", "on_state"),
    State.ERROR: _Look("error", "on_state"),
}

_NOT_YET = _Look("raised", "muted")
_TALKING = _Look("listening", "on_state")


class MicButton(RoundButton):
    """Switches the microphone. Its ring shows level, thought and the progress of the voice."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._state = State.IDLE
        self._on = False
        self._available = True
        self._muted = False
        self._talking = False
        self._paused = False
        self._mode: MicrophoneMode = "hands-free"
        self._level = 0.0
        self._peak = 0.0
        self._spoken = 0.0
        self._breath_began = 0.0
        self._breath = QTimer(self)
        self._breath.setInterval(_FRAME_MS)
        self._breath.timeout.connect(self.update)
        side = CORE + 2 * RING
        self.setFixedSize(side, side)
        self._name()
        theme.changed.connect(self.update)

    @property
    def animating(self) -> bool:
        """Whether a timer moves the ring."""
        return self._breath.isActive()

    @property
    def icon_name(self) -> str:
        """The sign on the button: "mic", or "mic-off" for the crossed-out one."""
        if self._on or not self._available:
            return "mic" if self._on else "mic-off"
        at_rest = self._mode != "hands-free" or self._state in (State.IDLE, State.ERROR, State.INTERRUPTED)
        return "mic" if at_rest and not self._muted else "mic-off"

    @property
    def level(self) -> float:
        """The level the ring shows, 0..1."""
        return self._level

    @property
    def spoken(self) -> float:
        """How much of the reply the ring shows as heard, 0..1."""
        return self._spoken

    def set_state(self, state: State) -> None:
        """Show what the assistant is doing."""
        self._state = state
        if state is not State.SPEAKING:
            self._spoken = 0.0
        self._animate()
        self.update()

    def show_situation(self, now: Situation, microphone_on: bool) -> None:
        """Show what the microphone does.

        Args:
            now: What is going on.
            microphone_on: It listens.
        """
        self._on, self._available, self._mode = microphone_on, not now.trouble, now.mode
        self._muted = now.muted and now.mode == "hands-free"
        self._talking, self._paused = now.talking, now.voice_paused
        if not microphone_on:
            self._level = self._peak = 0.0
        self._name()
        self.update()

    def set_level(self, level: float, peak: float) -> None:
        """Show a level and the recent peak, both 0..1."""
        if (round(level * 40), round(peak * 40)) != (round(self._level * 40), round(self._peak * 40)):
            self._level, self._peak = level, peak
            self.update()

    def set_spoken(self, share: float) -> None:
        """Show how much of the reply has been heard, 0..1."""
        if share != self._spoken:
            self._spoken = share
            self.update()

    @override
    def sizeHint(self) -> QSize:
        return self.size()

    @override
    def hitButton(self, pos: QPoint) -> bool:
        center = self.rect().center()
        return math.dist((pos.x(), pos.y()), (center.x(), center.y())) <= CORE / 2 + 2

    @override
    def showEvent(self, event: QShowEvent) -> None:
        self._animate()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        self._breath.stop()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = self._look()
        color = self._theme.color(look.color)
        center = QPointF(self.width() / 2, self.height() / 2)
        self._paint_ring(painter, center, color, look)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(center, CORE / 2, CORE / 2)
        if self.isDown() or self.underMouse():
            shade = QColor(self._theme.color(look.icon_color))
            shade.setAlphaF(0.18 if self.isDown() else 0.10)
            painter.setBrush(shade)
            painter.drawEllipse(center, CORE / 2, CORE / 2)
        if self.hasFocus() and self._focus_by_key:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("text"), 2))
            painter.drawEllipse(center, CORE / 2 + 3, CORE / 2 + 3)
        side = 28.0
        area = QRectF(center.x() - side / 2, center.y() - side / 2, side, side)
        paint_icon(painter, self.icon_name, self._theme.color(look.icon_color), area)

    def _paint_ring(self, painter: QPainter, center: QPointF, color: QColor, look: _Look) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        if look.breathes:
            self._halo(painter, center, color, self._breath_share(), 0.28)
        shows_level = self._on and self._state in (State.IDLE, State.LISTENING, State.HEARING)
        shows_level = shows_level and (self._mode == "hands-free" or self._talking)
        if shows_level and self._level > 0:
            self._halo(painter, center, color, self._level, 0.30)
        if shows_level and self._peak > self._level:
            rim = QColor(color)
            rim.setAlphaF(0.6)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(rim, 1.5))
            radius = CORE / 2 + self._peak * (RING - 1)
            painter.drawEllipse(center, radius, radius)
        if self._state is State.SPEAKING:
            radius = CORE / 2 + 5
            area = QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("line"), 4))
            painter.drawEllipse(area)
            painter.setPen(QPen(color, 4, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawArc(area, 90 * 16, -round(360 * 16 * max(self._spoken, 0.015)))

    def _halo(self, painter: QPainter, center: QPointF, color: QColor, share: float, alpha: float) -> None:
        soft = QColor(color)
        soft.setAlphaF(alpha)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(soft)
        radius = CORE / 2 + share * RING
        painter.drawEllipse(center, radius, radius)

    def _breath_share(self) -> float:
        if not self._breath.isActive():
            return 0.6
        phase = (time.monotonic() - self._breath_began) / _BREATH_S
        return 0.3 + 0.6 * (0.5 - 0.5 * math.cos(2 * math.pi * phase))

    def _animate(self) -> None:
        wanted = _LOOKS[self._state].breathes and not self._theme.reduced_motion and self.isVisible()
        if wanted and not self._breath.isActive():
            self._breath_began = time.monotonic()
            self._breath.start()
        elif not wanted:
            self._breath.stop()

    def _look(self) -> _Look:
        closed = self._muted or not self._available
        if not self.isEnabled() or (closed and self._state is State.IDLE):
            return _NOT_YET
        if self._talking or self._paused:
            return _TALKING
        if self._mode != "hands-free" and self._state is State.LISTENING:
            return _LOOKS[State.IDLE]  # the microphone is open, but waits for the key
        return _LOOKS[self._state]

    def _name(self) -> None:
        match self._mode:
            case "push-to-talk":
                name, tip = self.tr("Hold to talk"), self.tr("Hold to talk (or hold Space)")
            case "toggle":
                name = self.tr("End and send") if self._talking else self.tr("Talk")
                tip = self.tr("{action} (Ctrl+M)").format(action=name)
            case _:
                name = self.tr("Stop listening") if self._on else self.tr("Talk")
                tip = self.tr("{action} (Ctrl+M)").format(action=name)
        if name != self.accessibleName():
            self.setAccessibleName(name)
        self.setToolTip(tip)
