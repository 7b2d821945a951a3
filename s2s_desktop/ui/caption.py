"""What the user is saying, before it is a message."""

from __future__ import annotations

import html

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget
from typing_extensions import override

from s2s_desktop.conversation.events import (
    Event,
    FinalTranscript,
    PartialTranscript,
    SpeechDiscarded,
    SpeechStarted,
    State,
    StateChanged,
    TurnFailed,
    TurnReopened,
    TypedMessage,
)
from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import COLUMN_WIDTH, ROW_AIR
from s2s_desktop.ui.wrapping_label import breakable

_WIDEST_SHARE = 0.8
_PADDING_X = 14
_PADDING_Y = 9
_MAX_CHARACTERS = 600


class Caption(QWidget):
    """A dashed bubble where the message is going to be: first a hint, then the words so far.

    Words that may still change are gray; those that stay are black.
    """

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._certain = self._uncertain = ""
        self._label = _Words(self)
        self._label.setAccessibleName(self.tr("What you are saying"))
        self._bubble = QFrame(self)
        self._bubble.setProperty("role", "caption")
        inside = QHBoxLayout(self._bubble)
        inside.setContentsMargins(_PADDING_X, _PADDING_Y, _PADDING_X, _PADDING_Y)
        inside.addWidget(self._label)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(ROW_AIR, 4, ROW_AIR, 4)
        layout.addStretch(1)
        layout.addWidget(self._bubble, 1000)
        theme.changed.connect(self._write)
        self.hide()

    @property
    def text(self) -> str:
        """What is shown; "" while nothing is being said."""
        return "" if self.isHidden() else self._certain + self._uncertain

    @property
    def certain_text(self) -> str:
        """The part that is shown as certain."""
        return self._certain

    def observe(self, event: Event, said: str) -> bool:
        """Show an event, if it is about what the user is saying. Returns whether it is.

        Args:
            event: Any.
            said: The words that the turn of the event has already; "" when there are none.
        """
        match event:
            case SpeechStarted():
                self.listen()
            case PartialTranscript(text=text, stable=stable):
                self.show_partial(text, stable)
            case TurnReopened():
                self.show_partial(said, len(said))  # it stays in view, and goes on where it stopped
            case FinalTranscript() | SpeechDiscarded() | TypedMessage() | TurnFailed():
                self.clear()
            case StateChanged(state=State.IDLE):
                self.clear()
            case _:
                return False
        return True

    def listen(self) -> None:
        """The user began to speak. Words that are shown already stay: the user goes on with them."""
        if self.isHidden():
            self._show("", self.tr("Listening to you…"))

    def show_partial(self, text: str, stable: int = 0) -> None:
        """Show what the words seem to be; the end of them when they are many.

        Args:
            text: All of it.
            stable: How many characters at the beginning will hardly change any more.
        """
        if not text.strip():
            return
        certain, uncertain = text[:stable].lstrip(), text[stable:].rstrip()
        uncertain = uncertain if certain else uncertain.lstrip()
        if len(certain) + len(uncertain) > _MAX_CHARACTERS:
            kept = max(_MAX_CHARACTERS - len(uncertain), 0)
            certain = "…" + certain[-kept:] if kept and certain else ""
            uncertain = uncertain[-_MAX_CHARACTERS:] if certain else "…" + uncertain[-_MAX_CHARACTERS:]
        self._show(certain, uncertain)

    def clear(self) -> None:
        """The words became a message, or were none."""
        self.hide()

    def _show(self, certain: str, uncertain: str) -> None:
        self._certain, self._uncertain = certain, uncertain
        self._write()
        line = self._label.fontMetrics().horizontalAdvance(certain + uncertain)
        widest = round(self._theme.scale.room(COLUMN_WIDTH) * _WIDEST_SHARE)
        self._bubble.setMaximumWidth(min(line + 4, widest) + 2 * _PADDING_X + 2)
        self.show()

    def _write(self) -> None:
        spans = [(self._certain, "text"), (self._uncertain, "muted")]
        self._label.setText(
            "".join(
                f'<span style="color: {self._theme.color(token).name()}">{_as_html(words)}</span>'
                for words, token in spans
                if words
            )
        )


class _Words(QLabel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


def _as_html(words: str) -> str:
    """Return words as they are: whatever looks like HTML in them is text."""
    return html.escape(breakable(displayable_text(words))).replace("\n", "<br>")
