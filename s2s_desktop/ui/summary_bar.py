"""Says that the language model is sent a summary of the older part, and takes it back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from s2s_desktop.conversation.store.records import Compaction
from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.plain_tip import plain_tip
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.wrapping_label import WrappingLabel

_MAX_TIP = 1200


class SummaryBar(QFrame):
    """One quiet line; the summary itself is in the tool tip.

    Signals:
        undo_requested: The model is to be sent the turns again.
    """

    undo_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self._label = WrappingLabel(self, "muted")
        self._label.show_sentence(self.tr("The model is sent a summary of the earlier part."))
        undo = QPushButton(self.tr("Undo"), self)
        undo.setProperty("role", "link")
        undo.setAccessibleName(self.tr("Undo the summary"))
        undo.clicked.connect(self.undo_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 2, 4, 2)
        layout.setSpacing(10)
        layout.addWidget(IconLabel(theme, "info", "muted", self, size=16), 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self._label, 1)
        layout.addWidget(undo)
        self.hide()

    def show_summary(self, summary: Compaction | None) -> None:
        """Show that a summary is in force, or (None) that none is."""
        self.setVisible(summary is not None)
        if summary is not None:
            text = self.tr("You: {user}\nAssistant: {assistant}").format(
                user=summary.user_summary, assistant=summary.assistant_summary
            )
            self.setToolTip(plain_tip(text if len(text) <= _MAX_TIP else text[:_MAX_TIP] + "…"))
