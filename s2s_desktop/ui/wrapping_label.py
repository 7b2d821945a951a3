"""A label for sentences from anywhere: plain text that always finds a place to wrap."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from s2s_desktop.ui.displayable import displayable_text

_LONG_RUN = re.compile(r"\S{24,}")
_EVERY = re.compile(r"(.{12})")
_ZERO_WIDTH_SPACE = "\u200b"


class WrappingLabel(QLabel):
    """Shows a sentence as it is: no HTML, and no long word (a path, a URL) that widens the window."""

    def __init__(self, parent: QWidget, role: str) -> None:
        super().__init__(parent)
        self._sentence = ""
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    @property
    def sentence(self) -> str:
        """The sentence as it was given."""
        return self._sentence

    def show_sentence(self, sentence: str) -> None:
        """Show `sentence`."""
        if sentence != self._sentence:
            self._sentence = sentence
            self.setText(breakable(displayable_text(sentence)))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


def breakable(text: str) -> str:
    """Return `text` with a place to wrap every dozen characters of a long word.

    Qt breaks lines between words only.
    """
    return _LONG_RUN.sub(lambda run: _EVERY.sub(r"\1" + _ZERO_WIDTH_SPACE, run.group()), text)
