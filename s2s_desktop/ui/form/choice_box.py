"""A box to choose from, in the look of the window."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)
from typing_extensions import override

from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.icons import paint_icon
from s2s_desktop.ui.theme import Theme

_EDGE = 10
_WIDEST = 60


class ChoiceBox(QComboBox):
    """Values, each with a text for people. The wheel scrolls the page and never the choice.

    Args:
        theme: Colors.
        parent: Owner.
        editable: Any text can be typed; the choices are suggestions.
    """

    def __init__(self, theme: Theme, parent: QWidget, *, editable: bool = False) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setEditable(editable)
        if editable:
            self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            completer = QCompleter(self.model(), self)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            self.setCompleter(completer)
        # A long name from a server must not widen the page.
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaxVisibleItems(14)
        self.setItemDelegate(QStyledItemDelegate(self))  # the one of Qt's own boxes ignores stylesheets
        self._mirror()
        theme.changed.connect(self.update)

    @property
    def line(self) -> QLineEdit:
        """What is typed into; of editable boxes only."""
        line = self.lineEdit()
        assert line is not None
        return line

    @property
    def value(self) -> str:
        """The value chosen or typed."""
        if self.isEditable():
            return self.currentText().strip()
        return str(self.currentData() or "")

    def values(self) -> list[str]:
        """Return the values on offer."""
        return [str(self.itemData(index) or "") for index in range(self.count())]

    def offer(self, choices: Iterable[tuple[str, str]]) -> None:
        """Offer these values with their texts. What is typed stays, what is chosen if it is among them."""
        before = self.value
        blocked = self.blockSignals(True)
        self.clear()
        for value, text in choices:
            self.addItem(displayable_text(value if self.isEditable() else text), value)
        if self.isEditable():
            self.setEditText(before)
        else:
            self.setCurrentIndex(self.findData(before))
        self.blockSignals(blocked)

    def show_value(self, value: str) -> None:
        """Choose a value; one that is not on offer is added, for it is what the settings say."""
        if value == self.value and (self.isEditable() or self.currentIndex() >= 0):
            return
        blocked = self.blockSignals(True)
        if self.isEditable():
            self.setEditText(displayable_text(value))
        else:
            index = self.findData(value)
            if index < 0 and value:
                self.addItem(displayable_text(value)[:_WIDEST], value)
                index = self.count() - 1
            self.setCurrentIndex(index)
        self.blockSignals(blocked)

    def set_name(self, name: str, description: str = "") -> None:
        """Tell screen readers what is chosen here."""
        for part in (self, self.lineEdit(), self.view()):
            if part is not None:
                part.setAccessibleName(name)
                part.setAccessibleDescription(description)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        if not self.isEditable():  # Qt cuts off in the middle of a letter
            field = self.style().subControlRect(
                QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
            )
            option.currentText = self.fontMetrics().elidedText(
                self.currentText(), Qt.TextElideMode.ElideRight, field.width()
            )
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        ink = self._theme.color("muted" if self.isEnabled() else "outline")
        side = self._theme.scale.body + 1
        left = _EDGE if self.isRightToLeft() else self.width() - side - _EDGE
        paint_icon(painter, "chevron-down", ink, QRectF(left, (self.height() - side) / 2, side, side))

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._mirror()

    def _mirror(self) -> None:
        """Stylesheets know no direction: choose the rule that leaves room for the arrow at the other side."""
        if bool(self.property("mirrored")) != self.isRightToLeft():
            self.setProperty("mirrored", self.isRightToLeft())
            self.style().polish(self)
