"""The first start: four short pages, each of which can be skipped. The window can be used meanwhile."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.conversation.commands import Commands
from s2s_desktop.conversation.events import (
    Event,
    MicLevel,
    MicrophoneChanged,
    ModelProgress,
    SettingsChanged,
    TurnId,
)
from s2s_desktop.conversation.preferences import Preferences
from s2s_desktop.settings.schema import Settings
from s2s_desktop.ui.first_run_model import ModelChoicePage
from s2s_desktop.ui.first_run_pages import FirstRunPage, MicrophonePage, VoicePage, WelcomePage
from s2s_desktop.ui.form.button import button
from s2s_desktop.ui.form.dialog import FormDialog
from s2s_desktop.ui.progress_list import ProgressList
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import EDGE

_USUAL = (600, 600)
_SMALLEST = (420, 400)


class FirstRun(FormDialog):
    """Welcome and privacy, microphone, voice, language model.

    However it ends, it does not appear again by itself: `general.welcomed` is set.

    Args:
        preferences: Settings, keys, model files and devices.
        commands: The conversation, for the microphone and for a better model.
        theme: Colors.
        parent: The window it belongs to.
    """

    def __init__(
        self, preferences: Preferences, commands: Commands, theme: Theme, parent: QWidget | None
    ) -> None:
        super().__init__(preferences, theme, parent)
        self.setWindowTitle(self.tr("Welcome"))
        self.setMinimumSize(*_SMALLEST)
        self.resize(*_USUAL)
        context = Context(self.editor, theme, commands)
        self._stack = QStackedWidget(self)
        self.pages: tuple[FirstRunPage, ...] = (
            WelcomePage(context, self._stack),
            MicrophonePage(context, self._stack),
            VoicePage(context, self._stack),
            ModelChoicePage(context, self._stack),
        )
        for page in self.pages:
            self._stack.addWidget(page)
        self._progress = ProgressList(theme, self)
        self._step = QLabel(self)
        self._step.setProperty("role", "muted")
        self._skip = button(self, self.tr("Skip the setup"), self.reject, role="link")
        self._back = button(self, self.tr("Back"), lambda: self._go(-1))
        self._next = button(self, self.tr("Next"), lambda: self._go(1), role="primary")
        self._build()
        self.restyle()
        self.finished.connect(self._remember)
        self._show_step()

    @property
    def page(self) -> FirstRunPage:
        """The page in view."""
        return self.pages[self._stack.currentIndex()]

    @property
    def step(self) -> str:
        """Which page of how many is in view."""
        return self._step.text()

    @property
    def downloads(self) -> list[str]:
        """What is said about the models that are on their way."""
        return self._progress.texts

    def begin(self) -> None:
        """Show the first page."""
        self._stack.setCurrentIndex(0)
        self._show_step()
        self.show()
        self._next.setFocus()

    def observe(self, turn: TurnId | None, event: Event) -> None:
        """Show an event, if it is about something here. Cheap for all others."""
        match event:
            case MicLevel() | MicrophoneChanged():
                microphone = self.pages[1]
                if isinstance(microphone, MicrophonePage) and self.isVisible():
                    microphone.check.observe(event)
            case ModelProgress():
                self._progress.show_progress(event)
            case SettingsChanged():
                self.editor.refresh()
            case _:
                pass

    @override
    def reject(self) -> None:
        """Escape, the cross of the window, and the button to skip."""
        self.page.left()
        super().reject()

    def _go(self, steps: int) -> None:
        if steps > 0 and not self.page.done():
            return  # it says itself what is missing
        self.page.left()
        index = self._stack.currentIndex() + steps
        if index < len(self.pages):
            self._stack.setCurrentIndex(index)
            self._show_step()
            self.page.opened()
            self._next.setFocus()
        else:
            self.accept()

    def _show_step(self) -> None:
        index, count = self._stack.currentIndex(), len(self.pages)
        self._step.setText(self.tr("{number} of {count}").format(number=index + 1, count=count))
        self._back.setEnabled(index > 0)
        last = index == count - 1
        self._next.setText(self.tr("Start talking") if last else self.tr("Next"))
        self._next.setAccessibleName(self._next.text())
        self._skip.setVisible(not last)

    def _remember(self) -> None:
        def welcomed(settings: Settings) -> None:
            settings.general.welcomed = True

        self.editor.flushing.emit()
        self.editor.change(welcomed)

    def _build(self) -> None:
        foot = QFrame(self)
        foot.setProperty("role", "foot")
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for part in (self._skip, self._step):
            buttons.addWidget(part)
        buttons.addStretch(1)
        for part in (self._back, self._next):
            buttons.addWidget(part)
        below = QVBoxLayout(foot)
        below.setContentsMargins(EDGE, 8, EDGE, 16)
        below.setSpacing(4)
        below.addWidget(self._progress)
        below.addWidget(self.remark)
        below.addSpacing(8)
        below.addLayout(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 1)
        layout.addWidget(foot)
        self.setTabOrder(self._skip, self._back)
        self.setTabOrder(self._back, self._next)
        self.setWindowFlag(Qt.WindowType.WindowContextHelpButtonHint, False)
