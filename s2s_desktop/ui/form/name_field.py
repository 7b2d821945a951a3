"""The name of something that is mentioned elsewhere by its name."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QWidget

from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.form.field import Field
from s2s_desktop.ui.theme import Theme

MAX_LENGTH = 100


class NameField(Field):
    """Renames when the field is left, not while the name is being typed.

    Args:
        theme: Colors.
        label: What the field is called.
        rename: Gives the new name; returns why that cannot be, "" when it is done.
        parent: Owner.
    """

    def __init__(self, theme: Theme, label: str, rename: Callable[[str], str], parent: QWidget) -> None:
        self.input = QLineEdit(parent)
        self.input.setMaxLength(MAX_LENGTH)
        super().__init__(theme, label, self.input, "", parent)
        self._rename = rename
        self._shown = ""
        self.input.editingFinished.connect(self._hand_in)

    def show_name(self, name: str) -> None:
        """Show the name as it is, unless another one is being typed."""
        if name != self._shown or not self.input.isModified():
            self._shown = name
            self.input.setText(displayable_text(name))
            self.show_problem("")

    def _hand_in(self) -> None:
        if self.input.isModified():
            problem = self._rename(self.input.text().strip())
            self.show_problem(problem)
            if not problem:
                self.input.setModified(False)
