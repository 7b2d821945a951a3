"""One row of a form: a label, what it labels, help, and what is wrong with it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.keys_box import KeysBox
from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.wrapping_label import WrappingLabel

_SIGN = 16


class Remark(QWidget):
    """A quiet sentence with a sign in front: a problem, a success, or a fact. Hidden while it is empty."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 2, 0, 0)
        self._layout.setSpacing(6)
        self._sign: IconLabel | None = None
        self._label = WrappingLabel(self, "muted")
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._layout.addWidget(self._label, 1)
        self._look = ("", "")
        self.hide()

    @property
    def sentence(self) -> str:
        """The sentence shown."""
        return self._label.sentence

    def show_problem(self, sentence: str) -> None:
        """Say what is wrong."""
        self.show_remark(sentence, "warning", "problem")

    def show_success(self, sentence: str) -> None:
        """Say what went well."""
        self.show_remark(sentence, "check", "success")

    def show_remark(self, sentence: str, icon: str = "info", tone: str = "muted") -> None:
        """Show a sentence; "" hides all.

        Args:
            sentence: What to say.
            icon: The sign in front; "" for none.
            tone: "muted", "problem" or "success".
        """
        if self._look != (icon, tone):
            self._look = (icon, tone)
            self._set_sign(icon, {"problem": "danger", "success": "success"}.get(tone, "muted"))
            self._label.setProperty("role", tone)
            self._label.style().polish(self._label)
        self._label.show_sentence(sentence)
        self.setVisible(bool(sentence))

    def _set_sign(self, icon: str, token: str) -> None:
        if self._sign is not None:
            self._layout.removeWidget(self._sign)
            self._sign.hide()
            self._sign.deleteLater()
            self._sign = None
        if icon:
            self._sign = IconLabel(self._theme, icon, token, self, _SIGN)
            self._layout.insertWidget(0, self._sign, 0, Qt.AlignmentFlag.AlignTop)


class Field(QWidget):
    """A labeled control.

    Args:
        theme: Colors.
        label: What the control is called, also for screen readers.
        control: The control; a switch stands beside its label, everything else below.
        text: One line of help; "" for none.
        parent: Owner.

    Attributes:
        label: The words; a click on them leads to the control.
        control: As given.
        remark: What is wrong with the value, or who else chose it.
    """

    def __init__(self, theme: Theme, label: str, control: QWidget, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._name, self._text = label, text
        self.control = control
        control.setParent(self)
        self.remark = Remark(theme, self)
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setText(label)
        self.label.setWordWrap(True)
        self.label.setBuddy(control)
        self._help = WrappingLabel(self, "muted")
        self._help.show_sentence(text)
        self._help.setVisible(bool(text))
        self.beside = QHBoxLayout()
        """Room for buttons beside the control."""
        if isinstance(control, QAbstractButton):
            self._arrange_beside()
        else:
            self._arrange_below()
        self._describe()

    @property
    def problem(self) -> str:
        """What is said below the control; "" for nothing."""
        return self.remark.sentence

    def show_help(self, text: str) -> None:
        """Replace the line of help."""
        self._text = text
        self._help.show_sentence(text)
        self._help.setVisible(bool(text))
        self._describe()

    def add_below(self, widget: QWidget) -> None:
        """Add something that belongs to this field below it."""
        layout = self.layout()
        assert layout is not None
        layout.addWidget(widget)

    def show_problem(self, sentence: str) -> None:
        """Say what is wrong with the value; "" when nothing is."""
        self.remark.show_problem(sentence)
        _mark(self.control, bool(sentence))
        self._describe()

    def show_success(self, sentence: str) -> None:
        """Say what the value brought about."""
        self.remark.show_success(sentence)
        self._describe()

    def show_given(self, source: str) -> None:
        """Say that something else chose the value, and let it alone; "" gives it back."""
        self.control.setEnabled(not source)
        if source:
            self.remark.show_remark(
                self.tr("Set by {source} for this run; it cannot be changed here.").format(source=source)
            )
            self._describe()

    def _describe(self) -> None:
        description = " ".join(filter(None, (self._text, self.remark.sentence)))
        if isinstance(self.control, ChoiceBox | KeysBox):
            self.control.set_name(self._name, description)
        else:
            self.control.setAccessibleName(self._name)
            self.control.setAccessibleDescription(description)

    def _arrange_below(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.setSizeConstraint(QLayout.SizeConstraint.SetMinimumSize)
        self.label.setProperty("role", "label")
        self.beside.setSpacing(8)
        self.beside.addWidget(self.control, 1)
        for part in (self.label, self.beside, self._help, self.remark):
            layout.addLayout(part) if isinstance(part, QLayout) else layout.addWidget(part)

    def _arrange_beside(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(2)
        grid.addWidget(self.label, 0, 0)
        grid.addWidget(self.control, 0, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self._help, 1, 0)
        grid.addWidget(self.remark, 2, 0)
        grid.setColumnStretch(0, 1)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the words of a switch switches it, too."""
        control = self.control
        if isinstance(control, QAbstractButton) and control.isCheckable() and control.isEnabled():
            control.click()
        super().mouseReleaseEvent(event)


def _mark(control: QWidget, wrong: bool) -> None:
    """Give the border of a control the color of a failure."""
    inner = control.lineEdit() if isinstance(control, QComboBox) else None
    if isinstance(control, KeysBox):
        inner = control.line
    for part in (control, inner):
        if part is not None and bool(part.property("wrong")) != wrong:
            part.setProperty("wrong", wrong)
            part.style().polish(part)
