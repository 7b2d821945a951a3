"""Models that are being fetched or loaded: one slim row each."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from s2s_desktop.conversation.events import ModelProgress
from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import GAP
from s2s_desktop.ui.wrapping_label import WrappingLabel

_STEPS = 1000
_MB = 1_000_000


class ProgressRow(QWidget):
    """One model: what happens to it, how much is done, or why it stopped.

    Signals:
        dismissed: The user has read why it stopped.
    """

    dismissed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = WrappingLabel(self, "muted")
        self._amount = QLabel(self)
        self._amount.setProperty("role", "muted")
        self._amount.setTextFormat(Qt.TextFormat.PlainText)
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._dismiss = IconButton(theme, "close", self.tr("Dismiss"), size=24, parent=self)
        self._dismiss.clicked.connect(self.dismissed)
        top = QHBoxLayout()
        top.setSpacing(GAP)
        top.addWidget(self._label, 1)
        top.addWidget(self._amount)
        top.addWidget(self._dismiss)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(top)
        layout.addWidget(self._bar)

    @property
    def text(self) -> str:
        """The sentence shown."""
        return f"{self._label.sentence} {self._amount.text()}".strip()

    def show_progress(self, progress: ModelProgress) -> None:
        """Show how far it has come."""
        failed = bool(progress.error)
        known = progress.total_bytes > 0 and not failed
        self._label.setProperty("role", "warning" if failed else "muted")
        self._label.style().polish(self._label)
        self._label.show_sentence(_sentence(progress))
        self._amount.setText(self._amount_of(progress) if known else "")
        self._dismiss.setVisible(failed)
        self._bar.setVisible(known)
        self._bar.setAccessibleName(progress.title)
        self._bar.setRange(0, _STEPS)
        if known:
            self._bar.setValue(min(_STEPS, progress.done_bytes * _STEPS // progress.total_bytes))

    def _amount_of(self, progress: ModelProgress) -> str:
        return self.tr("{done} of {total} MB").format(
            done=round(progress.done_bytes / _MB), total=round(progress.total_bytes / _MB)
        )


def _sentence(progress: ModelProgress) -> str:
    what = progress.error or progress.text
    return what if progress.title.casefold() in what.casefold() else f"{progress.title}: {what}"


class ProgressList(QWidget):
    """All models that are on their way, in the order they began."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: dict[str, ProgressRow] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 8, 0, 14)
        self._layout.setSpacing(GAP)
        self.hide()

    @property
    def texts(self) -> list[str]:
        """The sentences shown."""
        return [row.text for row in self._rows.values()]

    def show_progress(self, progress: ModelProgress) -> None:
        """Show, move or take away the row of a model."""
        title = progress.title
        if not progress.text and not progress.error:
            self._remove(title)
            return
        if title not in self._rows:
            row = self._rows[title] = ProgressRow(self._theme, self)
            row.dismissed.connect(lambda: self._remove(title))
            self._layout.addWidget(row)
        self._rows[title].show_progress(progress)
        self.show()

    def _remove(self, title: str) -> None:
        row = self._rows.pop(title, None)
        if row is not None:
            self._layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.setVisible(bool(self._rows))
