"""What is changed often, at hand in the top bar: who answers, with which voice, how fast."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from s2s_desktop.conversation.events import AssistantError
from s2s_desktop.conversation.preferences import Preferences, VoiceChoice
from s2s_desktop.runtime.tasks import TaskGroup
from s2s_desktop.settings.schema import BUILT_IN, Settings
from s2s_desktop.ui.displayable import displayable_text
from s2s_desktop.ui.top_bar import TopBar

SPEEDS = (0.75, 0.9, 1.0, 1.1, 1.25, 1.5)


class QuickSettings(QObject):
    """The menus of the top bar; a choice is saved at once and holds from the next turn on.

    Signals:
        problem: A sentence for the user: a choice could not be saved.
        settings_requested: A page of the settings is to open: "model" or "speech".
    """

    problem = Signal(str)
    settings_requested = Signal(str)

    def __init__(self, top_bar: TopBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._top_bar = top_bar
        self._preferences: Preferences | None = None
        self._tasks = TaskGroup()
        top_bar.model.clicked.connect(self._show_profiles)
        top_bar.voice.clicked.connect(self._show_voices)

    def connect_to(self, preferences: Preferences) -> None:
        """Change these settings from now on. Needs the running event loop."""
        self._preferences = preferences
        self._top_bar.voice.show()

    async def settled(self) -> None:
        """Return when every choice is saved."""
        await self._tasks.wait()

    async def close(self) -> None:
        """End what is under way."""
        await self._tasks.cancel_all()

    def _show_profiles(self) -> None:
        preferences = self._preferences
        if preferences is None:
            return
        menu = _Menu(self.tr("Language model"), self._top_bar)
        settings = preferences.settings
        fixed = preferences.given_by("profile")
        menu.note(self.tr("Chosen by {source}").format(source=fixed) if fixed else "")
        for profile in settings.profiles:
            name = self.tr("Built-in") if profile.name == BUILT_IN else profile.name
            menu.choose(
                name,
                profile.name == settings.active_profile().name,
                partial(self._use_profile, profile.name),
                enabled=not fixed,
            )
        menu.addSeparator()
        menu.do(self.tr("Model settings…"), lambda: self.settings_requested.emit("model"))
        menu.open_below(self._top_bar.model)

    def _show_voices(self) -> None:
        preferences = self._preferences
        if preferences is None:
            return
        menu = _Menu(self.tr("Voice and speed"), self._top_bar)
        speech = preferences.settings.speech
        voices = preferences.voices()
        fixed = preferences.given_by("speech.voice")
        in_use = next((voice for voice in voices if voice.name == speech.voice), None)
        menu.note(self.tr("Chosen by {source}").format(source=fixed) if fixed else "")
        # The voices of the language that is spoken are at hand, the others one step further.
        near = [voice for voice in voices if in_use is None or voice.language == in_use.language]
        far = [voice for voice in voices if voice not in near]
        for voice in near:
            self._offer_voice(menu, voice, speech.voice, enabled=not fixed)
        if far:
            others = _Menu(self.tr("Other languages"), menu)
            for voice in far:
                self._offer_voice(others, voice, speech.voice, enabled=not fixed)
            menu.addMenu(others)
        menu.addSeparator()
        speeds = _Menu(self.tr("Speed: {speed}×").format(speed=f"{speech.speed:g}"), menu)
        for speed in SPEEDS:
            speeds.choose(
                self.tr("{speed}×").format(speed=f"{speed:g}"),
                speed == speech.speed,
                partial(self._use_speed, speed),
                enabled=not preferences.given_by("speech.speed"),
            )
        menu.addMenu(speeds)
        menu.addSeparator()
        menu.do(self.tr("Voice settings…"), lambda: self.settings_requested.emit("speech"))
        menu.open_below(self._top_bar.voice)

    def _offer_voice(self, menu: _Menu, voice: VoiceChoice, chosen: str, *, enabled: bool) -> None:
        menu.choose(voice.title, voice.name == chosen, partial(self._use_voice, voice.name), enabled=enabled)

    def _use_profile(self, name: str) -> None:
        def change(settings: Settings) -> None:
            settings.profile = name

        self._change(change)

    def _use_voice(self, name: str) -> None:
        def change(settings: Settings) -> None:
            settings.speech.voice = name

        self._change(change)

    def _use_speed(self, speed: float) -> None:
        def change(settings: Settings) -> None:
            settings.speech.speed = speed

        self._change(change)

    def _change(self, change: Callable[[Settings], None]) -> None:
        self._tasks.start(self._apply(change), "quick settings")

    async def _apply(self, change: Callable[[Settings], None]) -> None:
        preferences = self._preferences
        if preferences is None:
            return
        settings = preferences.settings
        change(settings)
        try:
            await preferences.apply(settings)
        except AssistantError as error:
            self.problem.emit(error.message)


class _Menu(QMenu):
    """A menu of which one entry is in use; it goes away when it was used."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent)
        self.setAccessibleName(title)
        self._group = QActionGroup(self)

    def choose(self, text: str, chosen: bool, act: Callable[[], None], *, enabled: bool) -> None:
        """Add an entry of which only one is in use."""
        action = self.do(text, act)
        action.setCheckable(True)
        action.setChecked(chosen)
        action.setEnabled(enabled)
        self._group.addAction(action)

    def do(self, text: str, act: Callable[[], None]) -> QAction:
        """Add an entry that does something."""
        action = QAction(displayable_text(text).replace("&", "&&"), self)
        action.triggered.connect(lambda: act())
        self.addAction(action)
        return action

    def note(self, text: str) -> None:
        """Add a line that only says something; none for ""."""
        if text:
            self.do(text, lambda: None).setEnabled(False)

    def open_below(self, anchor: QWidget) -> None:
        """Show the menu under a button, its right edges above each other."""
        self.aboutToHide.connect(self.deleteLater)
        right = anchor.mapToGlobal(QPoint(anchor.width(), anchor.height() + 4))
        self.popup(QPoint(right.x() - self.sizeHint().width(), right.y()))
