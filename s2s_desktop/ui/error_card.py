"""A turn that failed: what happened, what to do, and the technical text for who wants it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from s2s_desktop.conversation.events import AssistantError
from s2s_desktop.errors import ErrorKind
from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.form.flow_layout import FlowLayout
from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.text_view import TextView
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import BLOCK_GAP
from s2s_desktop.ui.wrapping_label import WrappingLabel

_MENDED_ON = {
    ErrorKind.AUTH: "model",
    ErrorKind.PERMISSION: "model",
    ErrorKind.NOT_FOUND: "model",
    ErrorKind.BAD_REQUEST: "model",
    ErrorKind.CONNECTION: "model",
    ErrorKind.DNS: "model",
    ErrorKind.TLS: "model",
    ErrorKind.MODEL_MISSING: "models",
    ErrorKind.DEVICE: "audio",
}
"""The page of the settings where such a failure can be mended."""


class ErrorCard(QFrame):
    """A calm card with the sentence, "Try again", the settings where they can mend it, and "Details".

    Signals:
        retry_requested: The user wants to ask again.
        settings_requested: The settings are to open on this page.
    """

    retry_requested = Signal()
    settings_requested = Signal(str)

    def __init__(self, theme: Theme, error: AssistantError, can_retry: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        sentence = WrappingLabel(self, "body")
        sentence.show_sentence(error.message)
        retry = QPushButton(self.tr("Try again"), self)
        retry.setAccessibleName(self.tr("Try again"))
        retry.setVisible(can_retry)
        retry.clicked.connect(self.retry_requested)
        page = _MENDED_ON.get(error.kind, "")
        settings = QPushButton(self.tr("Open the settings"), self)
        settings.setProperty("role", "link")
        settings.setAccessibleName(self.tr("Open the settings"))
        settings.setVisible(bool(page))
        settings.clicked.connect(lambda: self.settings_requested.emit(page))
        self._toggle = QPushButton(self.tr("Details"), self)
        self._toggle.setProperty("role", "link")
        self._toggle.setAccessibleName(self.tr("Details of the error"))
        self._toggle.setCheckable(True)
        self._toggle.toggled.connect(self._show_details)
        self._details = TextView(theme, self.tr("Technical details"), self)
        self._details.setProperty("role", "details")
        self._details.show_plain(displayable_text(f"[{error.kind.value}] {error.details}".strip()))
        self._details.hide()

        buttons = FlowLayout()
        buttons.addWidget(retry)
        buttons.addWidget(settings)
        buttons.addWidget(self._toggle)
        text = QVBoxLayout()
        text.setSpacing(12)
        text.addWidget(sentence)
        text.addLayout(buttons)
        text.addWidget(self._details)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(BLOCK_GAP, 14, BLOCK_GAP, 14)
        layout.setSpacing(12)
        layout.addWidget(IconLabel(theme, "warning", "danger", self, size=20), 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(text, 1)

    def _show_details(self, shown: bool) -> None:
        self._details.setVisible(shown)
        self._toggle.setText(self.tr("Hide details") if shown else self.tr("Details"))
