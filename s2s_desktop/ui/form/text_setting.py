"""A setting that is typed: on one line, on several, or with suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.codecs import TEXT, Codec
from s2s_desktop.ui.form.editor import SettingsEditor
from s2s_desktop.ui.form.setting_field import PAUSE_MS, Setting, SettingField
from s2s_desktop.ui.form.text_box import TextBox
from s2s_desktop.ui.theme import Theme

_NARROW = 8
"""Width of a field for a short number, as a multiple of the text size."""


class TextSetting(SettingField):
    """Hands in what was typed when the typing pauses, and at once when the field is left.

    Args:
        editor: Takes the changes.
        setting: The setting.
        theme: Colors.
        parent: Owner.
        codec: Reads what was typed.
        hint: Shown while the field is empty.
        lines: Height in lines.
        suggestions: Offered below the field; None for a field without any.
        narrow: For short numbers.
    """

    def __init__(
        self,
        editor: SettingsEditor,
        setting: Setting,
        theme: Theme,
        parent: QWidget,
        *,
        codec: Codec = TEXT,
        hint: str = "",
        lines: int = 1,
        suggestions: Sequence[str] | None = None,
        narrow: bool = False,
    ) -> None:
        self._codec = codec
        self._pause = QTimer()
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._hand_in)
        self.box: QLineEdit | TextBox | ChoiceBox
        if suggestions is not None:
            self.box = self._suggesting_box(theme, parent, suggestions, hint)
        elif lines > 1:
            self.box = self._tall_box(parent, lines, hint)
        else:
            self.box = QLineEdit(parent)
            self.box.setPlaceholderText(hint)
            self.box.textEdited.connect(self._pause.start)
            self.box.editingFinished.connect(self.flush)
        super().__init__(editor, setting, theme, self.box, parent)
        self._pause.setParent(self)
        if narrow:
            self.box.setFixedWidth(_NARROW * theme.scale.body)
            self.beside.addStretch(1)
        editor.flushing.connect(self.flush)
        self.refresh()

    @property
    def typed(self) -> str:
        """The text as it stands in the field."""
        match self.box:
            case ChoiceBox():
                return self.box.currentText()
            case TextBox():
                return self.box.toPlainText()
            case _:
                return self.box.text()

    @override
    def refresh(self) -> None:
        if (
            not self._pause.isActive() and not self._wrong
        ):  # what is being typed stays, also until it is right
            super().refresh()

    @override
    def show_value(self, value: Any) -> None:
        text = displayable_text(self._codec.write(value))
        if text == self.typed:
            return
        blocked = self.box.blockSignals(True)
        match self.box:
            case ChoiceBox():
                self.box.show_value(text)
            case TextBox():
                self.box.setPlainText(text)
            case _:
                self.box.setText(text)
        self.box.blockSignals(blocked)

    def flush(self) -> None:
        """Hand in what was typed, if anything was."""
        if self._pause.isActive():
            self._pause.stop()
            self._hand_in()

    def forget(self) -> None:
        """Show the setting whatever was typed: another table is being edited."""
        self._pause.stop()
        self._wrong = False
        self.refresh()

    def _hand_in(self) -> None:
        try:
            value = self._codec.read(self.typed)
        except ValueError as error:
            self._wrong = True
            self.show_problem(str(error))
        else:
            self.write(value)

    def _suggesting_box(
        self, theme: Theme, parent: QWidget, suggestions: Sequence[str], hint: str
    ) -> ChoiceBox:
        box = ChoiceBox(theme, parent, editable=True)
        box.offer((each, each) for each in suggestions)
        box.line.setPlaceholderText(hint)
        box.editTextChanged.connect(self._pause.start)
        box.line.editingFinished.connect(self.flush)
        box.activated.connect(self.flush)
        return box

    def _tall_box(self, parent: QWidget, lines: int, hint: str) -> TextBox:
        box = TextBox(lines, parent)
        box.setPlaceholderText(hint)
        box.textChanged.connect(self._pause.start)
        box.left.connect(self.flush)
        return box
