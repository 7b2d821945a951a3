"""Says that the language model is sent a summary of the older part, and takes it back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from s2s_desktop.conversation.store.records import Compaction
from s2s_desktop.ui.action_sentence import ActionSentence
from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.plain_tip import plain_tip
from s2s_desktop.ui.theme import Theme

_MAX_TIP = 1200


class SummaryBar(QWidget):
    """One quiet line; the summary itself is in the tool tip.

    Signals:
        undo_requested: The model is to be sent the turns again.
    """

    undo_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        bar = QFrame(self)
        bar.setProperty("role", "banner")
        words = ActionSentence(theme, "muted", bar)
        words.show_sentence(self.tr("The model is sent a summary of the earlier part."))
        undo = QPushButton(self.tr("Undo"), bar)
        undo.setProperty("role", "link")
        undo.setAccessibleName(self.tr("Undo the summary"))
        undo.clicked.connect(self.undo_requested)
        words.add_action(undo)
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(14, 2, 4, 2)
        layout.setSpacing(10)
        layout.addWidget(IconLabel(theme, "info", "muted", bar, size=16), 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(words, 1)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 12, 0, 0)
        around.addWidget(bar)
        self._in_force = self._compact = False
        self.hide()

    def set_compact(self, compact: bool) -> None:
        """Leave the room to the conversation, in a window that has little."""
        self._compact = compact
        self.setVisible(self._in_force and not compact)

    def show_summary(self, summary: Compaction | None) -> None:
        """Show that a summary is in force, or (None) that none is."""
        self._in_force = summary is not None
        self.setVisible(self._in_force and not self._compact)
        if summary is not None:
            text = self.tr("You: {user}\nAssistant: {assistant}").format(
                user=summary.user_summary, assistant=summary.assistant_summary
            )
            self.setToolTip(plain_tip(text if len(text) <= _MAX_TIP else text[:_MAX_TIP] + "…"))
