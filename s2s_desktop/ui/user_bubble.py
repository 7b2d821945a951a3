"""What the user said or typed: a tinted bubble at the right, with quiet actions beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.ui.copy_button import CopyButton
from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.text_view import TextView
from s2s_desktop.ui.theme import Theme

_PADDING_X = 14
_PADDING_Y = 9
_WIDEST_SHARE = 0.8
_ACTION = 28
_ROOM_FOR_ALL = 640
"""Below this width only the menu and the copy button stand beside the bubble."""


class UserBubble(QWidget):
    """A bubble as wide as its text, up to four fifths of the column.

    Signals:
        edit_requested: The message is to be changed and sent again.
        delete_requested: The turn is to be deleted.
        menu_requested: Everything that can be done with the turn is to be shown.
    """

    edit_requested = Signal()
    delete_requested = Signal()
    menu_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        self._bubble = QFrame(self)
        self._bubble.setProperty("role", "bubble")
        self._view = TextView(theme, self.tr("Your message"), self._bubble)
        inside = QVBoxLayout(self._bubble)
        inside.setContentsMargins(_PADDING_X, _PADDING_Y, _PADDING_X, _PADDING_Y)
        inside.addWidget(self._view)
        self._time = QLabel(self)
        self._time.setProperty("role", "muted")
        self._delete = IconButton(theme, "trash", self.tr("Delete this turn"), size=_ACTION, parent=self)
        self._delete.clicked.connect(self.delete_requested)
        self._edit = IconButton(theme, "edit", self.tr("Edit and send again"), size=_ACTION, parent=self)
        self._edit.clicked.connect(self.edit_requested)
        self._menu = IconButton(theme, "more", self.tr("More about this turn"), size=_ACTION, parent=self)
        self._menu.clicked.connect(self.menu_requested)
        self._copy = CopyButton(theme, self.tr("Copy your message"), lambda: self._text, self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addStretch(1)
        for widget in (self._time, self._menu, self._delete, self._edit, self._copy):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addSpacing(2)
        layout.addWidget(self._bubble, 1000)
        theme.changed.connect(self._fit)  # the text itself has heard of it before
        self._arrange()
        self.reveal(False)

    @property
    def text(self) -> str:
        """What the bubble says."""
        return self._text

    def show_text(self, text: str) -> None:
        """Show `text` as it is."""
        if text != self._text:
            self._text = text
            self._view.show_plain(displayable_text(text))
            self._fit()

    def show_time(self, time: str) -> None:
        """Show when the turn began, while the actions are shown."""
        self._time.setText(time)

    def reveal(self, shown: bool) -> None:
        """Show the actions, or only leave their place."""
        for button in self._buttons():
            button.set_concealed(not shown)
        self._time.setVisible(shown and self.width() >= _ROOM_FOR_ALL)

    def set_reachable(self, reachable: bool) -> None:
        """Let Tab stop at the actions."""
        focus = Qt.FocusPolicy.StrongFocus if reachable else Qt.FocusPolicy.ClickFocus
        for button in self._buttons():
            button.setFocusPolicy(focus)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()
            self._fit()

    def _buttons(self) -> tuple[IconButton, ...]:
        return self._menu, self._delete, self._edit, self._copy

    def _arrange(self) -> None:
        wide = self.width() >= _ROOM_FOR_ALL
        self._menu.setVisible(not wide)
        for widget in (self._edit, self._delete):
            widget.setVisible(wide)
        # The place of what is hidden stays: the bubble must not move under the pointer.
        policy = self._time.sizePolicy()
        policy.setRetainSizeWhenHidden(wide)
        self._time.setSizePolicy(policy)
        if not wide:
            self._time.hide()

    def _fit(self) -> None:
        widest = round(self.width() * _WIDEST_SHARE) - 2 * _PADDING_X
        document = self._view.document()
        document.setTextWidth(max(widest, 1))
        width = min(self._view.ideal_width() + 1, widest)
        self._bubble.setMaximumWidth(width + 2 * _PADDING_X)
