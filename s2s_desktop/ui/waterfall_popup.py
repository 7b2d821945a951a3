"""A small card with one bar for each part of the wait."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.conversation.events import TurnMetrics, Usage
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.thin_bar import ThinBar
from s2s_desktop.ui.tokens import GAP
from s2s_desktop.ui.waterfall import Step, advice, steps_of
from s2s_desktop.ui.wrapping_label import WrappingLabel

_WIDTH = 348
_AIR = 4


class WaterfallPopup(QFrame):
    """Where the time of a turn went. Escape or a click elsewhere closes it."""

    def __init__(self, theme: Theme, metrics: TurnMetrics, usage: Usage | None, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "popup")
        self.setAccessibleName(self.tr("Where the time went"))
        steps = steps_of(self, metrics)
        title = QLabel(self.tr("Where the time went"), self)
        title.setProperty("role", "heading")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 14)
        layout.setSpacing(GAP)
        layout.addWidget(title)
        layout.addLayout(self._rows(theme, steps))
        sentence = advice(self, steps)
        self._add(layout, sentence, "small")
        if usage is not None:
            tokens = self.tr("{input} tokens in, {output} out").format(
                input=usage.input_tokens, output=usage.output_tokens
            )
            self._add(layout, tokens, "muted")
        self._width = round(_WIDTH * theme.scale.factor)

    def show_above(self, anchor: QWidget) -> None:
        """Open beside `anchor`, above it where there is room, and inside the screen."""
        self.ensurePolished()
        self.setFixedSize(self._width, self.heightForWidth(self._width))
        top = anchor.mapToGlobal(QPoint(0, 0))
        screen = self.screen().availableGeometry()
        above = top.y() - self.height() - _AIR
        y = above if above >= screen.top() else top.y() + anchor.height() + _AIR
        window = anchor.window().geometry()
        right = min(screen.right(), max(window.right(), window.left() + self.width()))
        x = max(min(top.x(), right - self.width()), screen.left())
        self.move(x, y)
        self.show()

    def _rows(self, theme: Theme, steps: list[Step]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        whole = max((step.end for step in steps), default=0.0)
        for row, step in enumerate(steps):
            grid.addWidget(_label(self, step.name, "small"), row, 0)
            grid.addWidget(_Bar(theme, step, whole, self), row, 1)
            if step.seconds:
                value = self.tr("{seconds} s").format(seconds=f"{step.seconds:.2f}")
            else:
                value = self.tr("meanwhile")
            number = _label(self, value, "warning" if step.is_slow else "muted")
            number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(number, row, 2)
        last = len(steps)
        grid.addWidget(_label(self, self.tr("Total"), "small"), last, 0)
        together = _label(self, self.tr("{seconds} s").format(seconds=f"{whole:.2f}"), "strong")
        together.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(together, last, 2)
        return grid

    def _add(self, layout: QVBoxLayout, sentence: str, role: str) -> None:
        if sentence:
            label = WrappingLabel(self, role)
            label.show_sentence(sentence)
            layout.addWidget(label)


class _Bar(ThinBar):
    """A step as a piece of the whole wait."""

    def __init__(self, theme: Theme, step: Step, whole: float, parent: QWidget) -> None:
        super().__init__(theme, parent)
        self._step = step
        self._whole = whole
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @override
    def sizeHint(self) -> QSize:
        return QSize(120, 10)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = self.paint_track("raised")
        if self._whole > 0:
            width = float(self.width())
            begin = width * self._step.start / self._whole
            length = max(width * self._step.seconds / self._whole, 2.0)
            token = "warning" if self._step.is_slow else "accent"
            self.paint_part(painter, token, min(begin, width - length), length)


def _label(parent: QWidget, text: str, role: str) -> QLabel:
    label = QLabel(text, parent)
    label.setProperty("role", role)
    return label
