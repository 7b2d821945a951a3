"""Quiet sentences above the conversation."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from s2s_desktop.ui.action_sentence import ActionSentence
from s2s_desktop.ui.icon_button import IconButton
from s2s_desktop.ui.icon_label import IconLabel
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import GAP

_MAX_NOTICES = 3


class Banner(QFrame):
    """A sentence, perhaps an action, and a button that dismisses it.

    Attributes:
        text: The sentence.

    Signals:
        dismissed: The user has read it.
    """

    dismissed = Signal()

    def __init__(self, theme: Theme, text: str, parent: QWidget, icon: str = "info") -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self.text = text
        self._words = ActionSentence(theme, "small", self)
        self._words.show_sentence(text)
        self._close = IconButton(theme, "close", self.tr("Dismiss"), size=28, parent=self)
        self._close.clicked.connect(self.dismissed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 8, 8, 8)
        layout.setSpacing(12)
        layout.addWidget(IconLabel(theme, icon, "muted", self))
        layout.addWidget(self._words, 1)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignVCenter)

    def add_action(self, text: str, act: Callable[[], None]) -> QPushButton:
        """Add the one button that does what the sentence suggests."""
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.clicked.connect(lambda: act())
        self._words.add_action(button)
        return button


class BannerStack(QWidget):
    """The banner about the trial model, and the latest notices.

    Signals:
        better_model_requested: A better model than the one for trial is wanted.
    """

    better_model_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._compact = False
        self._notices: list[Banner] = []
        self._keys: dict[Banner, tuple[QPushButton, str]] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 12, 0, 8)
        self._layout.setSpacing(GAP)
        self._trial = Banner(
            theme, self.tr("You are talking to the small trial model."), self, icon="download"
        )
        self._trial.dismissed.connect(self._dismiss_trial)
        self._better = self._trial.add_action(self.tr("Get a better one"), self._fetch)
        self._trial_announced = False
        self._trial_wanted = False
        self._layout.addWidget(self._trial)
        self._arrange()

    @property
    def notices(self) -> list[str]:
        """The sentences that are not dismissed, oldest first."""
        return [banner.text for banner in self._notices]

    def show_notice(self, text: str) -> None:
        """Show a sentence until it is dismissed. A sentence that is shown is not shown twice."""
        for banner in [banner for banner in self._notices if banner.text == text]:
            self._remove(banner)
        while len(self._notices) >= _MAX_NOTICES:
            self._remove(self._notices[0])
        banner = Banner(self._theme, text, self)
        banner.dismissed.connect(lambda: self._remove(banner))
        self._notices.append(banner)
        self._layout.addWidget(banner)
        self._arrange()

    def show_offer(
        self, text: str, action: str, act: Callable[[], None], lasts_ms: int, keys: str = ""
    ) -> None:
        """Show a sentence with a button that does something about it, for a while.

        Args:
            text: The sentence.
            action: What the button says.
            act: Called when it is clicked; the sentence goes.
            lasts_ms: How long the offer holds.
            keys: Do the same, for example "Ctrl+Z", as long as no newer offer has them.
        """
        banner = Banner(self._theme, text, self)

        def accept() -> None:
            self._remove(banner)
            act()

        button = banner.add_action(action, accept)
        if keys:
            button.setToolTip(self.tr("{action} ({keys})").format(action=action, keys=keys))
            self._keys[banner] = (button, keys)
        banner.dismissed.connect(lambda: self._remove(banner))
        QTimer.singleShot(lasts_ms, banner, lambda: self._remove(banner))
        self._notices.append(banner)
        self._layout.addWidget(banner)
        self._arrange()

    def set_trial_model(self, trial: bool) -> None:
        """Say once that the model in use is the trial model, or that it no longer is."""
        if trial != self._trial_announced:
            self._trial_announced = self._trial_wanted = trial
            self._arrange()

    def set_compact(self, compact: bool) -> None:
        """Show only the newest banner, in a window that has no room for more."""
        self._compact = compact
        self._arrange()

    def fetching_ended(self) -> None:
        """Offer the better model again: it did not come."""
        self._better.setEnabled(True)
        self._better.setText(self.tr("Get a better one"))

    def _fetch(self) -> None:
        self._better.setEnabled(False)
        self._better.setText(self.tr("Getting a better one…"))
        self.better_model_requested.emit()

    def _dismiss_trial(self) -> None:
        self._trial_wanted = False
        self._arrange()

    def _remove(self, banner: Banner) -> None:
        if banner not in self._notices:
            return
        self._notices.remove(banner)
        self._keys.pop(banner, None)
        self._layout.removeWidget(banner)
        banner.hide()
        banner.deleteLater()
        self._arrange()

    def _arrange(self) -> None:
        wanted = [*([self._trial] if self._trial_wanted else []), *self._notices]
        shown = wanted[-1:] if self._compact else wanted
        for banner in (self._trial, *self._notices):
            banner.setVisible(banner in shown)
        self.setVisible(bool(shown))
        lent: set[str] = set()
        for button, keys in reversed(self._keys.values()):  # the newest offer has them
            button.setShortcut("" if keys in lent else keys)
            lent.add(keys)
