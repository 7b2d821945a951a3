"""The settings: pages at the left, fields at the right. Every change takes effect at the next turn."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from s2s_desktop.conversation.commands import Commands, Conversations
from s2s_desktop.conversation.events import (
    Event,
    MicLevel,
    MicrophoneChanged,
    ModelProgress,
    SettingsChanged,
    TurnId,
)
from s2s_desktop.conversation.preferences import Preferences
from s2s_desktop.ui.form.choice_box import ChoiceBox
from s2s_desktop.ui.form.dialog import FormDialog
from s2s_desktop.ui.form.page import Page
from s2s_desktop.ui.form.page_list import PageList
from s2s_desktop.ui.settings_pages.assistant_page import AssistantPage
from s2s_desktop.ui.settings_pages.audio_page import AudioPage
from s2s_desktop.ui.settings_pages.context import Context
from s2s_desktop.ui.settings_pages.general_page import GeneralPage
from s2s_desktop.ui.settings_pages.model_page import ModelPage
from s2s_desktop.ui.settings_pages.models_page import ModelsPage
from s2s_desktop.ui.settings_pages.speech_page import SpeechPage
from s2s_desktop.ui.talk_shortcut import TalkShortcut
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import EDGE, EDGE_NARROW, GAP

_USUAL = (860, 660)
_SMALLEST = (400, 380)
_LINE = 26
"""Least width of a page beside the list, as a multiple of the text size."""

MakePage = Callable[[Context, QWidget], Page]


class SettingsDialog(FormDialog):
    """Made once, shown as often as wanted.

    Args:
        preferences: Settings, keys, model files and devices.
        commands: The conversation, for the microphone; None while there is none.
        conversations: The saved ones, to export and to delete; None when nothing can be saved.
        theme: Colors.
        parent: The window it belongs to.
        login_offered: The program can start with the login on this system.
        talk_shortcut: The keys that talk from any program; None where nobody could talk.
    """

    def __init__(
        self,
        preferences: Preferences,
        commands: Commands | None,
        conversations: Conversations | None,
        theme: Theme,
        parent: QWidget | None,
        *,
        login_offered: bool = False,
        talk_shortcut: TalkShortcut | None = None,
    ) -> None:
        super().__init__(preferences, theme, parent)
        self.setWindowTitle(self.tr("Settings"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.setMinimumSize(*_SMALLEST)
        self.resize(*_USUAL)
        self.remark.setContentsMargins(EDGE, 8, EDGE, 8)
        self._context = Context(self.editor, theme, commands, conversations, login_offered, talk_shortcut)
        self._makers: dict[str, tuple[str, str, MakePage]] = {
            "model": (self.tr("Language model"), "model", ModelPage),
            "assistant": (self.tr("Assistant"), "assistant", AssistantPage),
            "speech": (self.tr("Speech"), "speech", SpeechPage),
            "audio": (self.tr("Audio"), "audio", AudioPage),
            "models": (self.tr("Models"), "download", ModelsPage),
            "general": (self.tr("General"), "settings", GeneralPage),
        }
        self._pages: dict[str, Page] = {}
        self._names = list(self._makers)
        self.list = PageList(theme, self.tr("Pages"), self)
        self._stack = QStackedWidget(self)
        self._above = QWidget(self)
        self._box = ChoiceBox(theme, self._above)
        self._box.set_name(self.tr("Page"))
        self._side = QFrame(self)
        self._build()
        self.restyle()
        self.list.setCurrentRow(0)
        self.list.currentRowChanged.connect(self._show_row)

    @property
    def page_names(self) -> tuple[str, ...]:
        """What `open_page` takes."""
        return tuple(self._names)

    @property
    def page(self) -> Page:
        """The page in view, after the dialog was opened."""
        return self._pages[self._names[self.list.currentRow()]]

    def open_page(self, name: str = "") -> None:
        """Show the settings, at the page of that name; "" shows the page that was shown last."""
        if name in self._names:
            self.list.setCurrentRow(self._names.index(name))
        self._make_page(self.list.currentRow())
        self.show()
        self.raise_()
        self.activateWindow()

    def observe(self, turn: TurnId | None, event: Event) -> None:
        """Show an event, if it is about something here. Cheap for all others."""
        match event:
            case MicLevel() | MicrophoneChanged():
                audio = self._pages.get("audio")
                if isinstance(audio, AudioPage) and (
                    self.isVisible() or isinstance(event, MicrophoneChanged)
                ):
                    audio.observe(event)
            case ModelProgress():
                models = self._pages.get("models")
                if isinstance(models, ModelsPage):
                    models.observe(event)
            case SettingsChanged():
                self.editor.refresh()
            case _:
                pass

    def _build(self) -> None:
        for title, icon, _ in self._makers.values():
            self.list.add_page(title, icon)
            self._box.addItem(title, title)
        self._box.activated.connect(self.list.setCurrentRow)
        self._side.setProperty("role", "side")
        beside = QVBoxLayout(self._side)
        beside.setContentsMargins(0, 0, 1, 0)
        beside.addWidget(self.list)
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        above = QVBoxLayout(self._above)
        above.setContentsMargins(EDGE, EDGE_NARROW, EDGE, GAP)
        above.addWidget(self._box)
        column.addWidget(self._above)
        column.addWidget(self.remark)
        column.addWidget(self._stack, 1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._side)
        layout.addLayout(column, 1)

    def _show_row(self, row: int) -> None:
        self._make_page(row)
        if self.isVisible():
            self.page.opened()

    def _make_page(self, row: int) -> None:
        name = self._names[row]
        if name not in self._pages:  # a page is made when it is first looked at: opening stays fast
            # Made outside of the dialog, so that the stylesheet is applied once and not with every part.
            outside = QWidget()
            page = self._pages[name] = self._makers[name][2](self._context, outside)
            self._stack.addWidget(page)
        self._stack.setCurrentWidget(self._pages[name])
        self._box.setCurrentIndex(row)

    @override
    def restyle(self) -> None:
        super().restyle()
        self.list.restyle()
        self._arrange()

    def _arrange(self) -> None:
        """Put the pages into a box above where a list beside would leave too little room."""
        compact = self.width() < self.list.width() + _LINE * self.theme.scale.body
        self._side.setVisible(not compact)
        self._above.setVisible(compact)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.editor.refresh()
        self.page.opened()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        self.editor.flushing.emit()
        super().hideEvent(event)
