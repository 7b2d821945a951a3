"""One quiet line about a tool the assistant used."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.turn_record import ToolUse
from s2s_desktop.ui.wrapping_label import WrappingLabel

_MAX_NAME = 60
_MAX_TIP = 600


class ToolLine(QWidget):
    """Names the tool; its arguments and its answer are in the tool tip."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = WrappingLabel(self, "muted")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(IconLabel(theme, "tool", "muted", self, size=16))
        layout.addWidget(self._label, 1)

    @property
    def text(self) -> str:
        """The sentence shown."""
        return self._label.sentence

    def show_use(self, use: ToolUse, abandoned: bool) -> None:
        """Show how far the tool has come.

        Args:
            use: The call and, when it ran, its output.
            abandoned: The turn is over, so an answer will not come any more.
        """
        name = _short(use.name, _MAX_NAME)
        if use.output is not None:
            sentence = self.tr("Used {tool}")
        elif abandoned:
            sentence = self.tr("Did not use {tool}")
        else:
            sentence = self.tr("Using {tool}…")
        self._label.show_sentence(sentence.format(tool=name))
        tip = use.arguments if use.output is None else f"{use.arguments}\n→ {use.output}"
        # Qt takes a tool tip for HTML when it looks like it: a `<` from the model must stay a `<`.
        escaped = _short(tip, _MAX_TIP).replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
        self.setToolTip(f"<p>{escaped}</p>")


def _short(text: str, length: int) -> str:
    shown = displayable_text(text)
    return shown if len(shown) <= length else shown[: length - 1] + "…"
