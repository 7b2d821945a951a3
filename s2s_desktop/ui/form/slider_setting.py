"""A number that is judged by feel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QLabel, QSlider, QWidget
from typing_extensions import override

from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.setting_field import PAUSE_MS, Setting, SettingField
from s2s_desktop.ui.theme import Theme


@dataclass(frozen=True, slots=True)
class Range:
    """What a slider goes through.

    Attributes:
        low: Smallest value.
        high: Largest value.
        step: Distance of two values; whole for whole numbers.
        shown: Writes a value for people.
    """

    low: float
    high: float
    step: float
    shown: Callable[[float], str]


class PatientSlider(QSlider):
    """A slider that leaves the wheel to the page."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class NumberLabel(QLabel):
    """The number beside a slider; as wide as the widest, so that the slider keeps its length.

    Args:
        widest: Texts that must fit.
        parent: Owner.
    """

    def __init__(self, widest: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self._widest = tuple(widest)
        self.setProperty("role", "muted-body")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)

    @override
    def sizeHint(self) -> QSize:
        advance = self.fontMetrics().horizontalAdvance
        return QSize(max(map(advance, self._widest)) + 16, super().sizeHint().height())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class SliderSetting(SettingField):
    """A slider with the number beside it."""

    def __init__(
        self, editor: SettingsEditor, setting: Setting, theme: Theme, parent: QWidget, values: Range
    ) -> None:
        self.slider = PatientSlider(parent)
        super().__init__(editor, setting, theme, self.slider, parent)
        self._values = values
        self._number = NumberLabel((values.shown(values.low), values.shown(values.high)), self)
        self.beside.addWidget(self._number)
        self.slider.setRange(round(values.low / values.step), round(values.high / values.step))
        self.slider.setPageStep(max(1, self.slider.maximum() // 10))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._hand_in)
        self.slider.valueChanged.connect(self._moved)
        editor.flushing.connect(self._flush)
        self.refresh()

    @property
    def number(self) -> str:
        """The number shown beside the slider."""
        return self._number.text()

    @override
    def show_value(self, value: Any) -> None:
        if not self._pause.isActive():
            blocked = self.slider.blockSignals(True)
            self.slider.setValue(round(value / self._values.step))
            self.slider.blockSignals(blocked)
            self._write_number()

    def _moved(self) -> None:
        self._write_number()
        self._pause.start()

    def _write_number(self) -> None:
        number = self._values.shown(self._value())
        self._number.setText(number)
        self.slider.setAccessibleDescription(number)

    def _value(self) -> float:
        return self.slider.value() * self._values.step

    def _hand_in(self) -> None:
        whole = float(self._values.step).is_integer()
        self.write(round(self._value()) if whole else round(self._value(), 4))

    def _flush(self) -> None:
        if self._pause.isActive():
            self._pause.stop()
            self._hand_in()
