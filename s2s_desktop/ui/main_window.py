"""The window: puts its parts together, and hands what the user does to the conversation."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.conversation.commands import Commands, Conversations
from s2s_desktop.conversation.events import Event, TurnId
from s2s_desktop.conversation.preferences import Preferences
from s2s_desktop.settings.schema import Settings
from s2s_desktop.ui.banner import BannerStack
from s2s_desktop.ui.centered import centered
from s2s_desktop.ui.conversation_view import ConversationView
from s2s_desktop.ui.conversations_controller import ConversationsController
from s2s_desktop.ui.dock import Dock
from s2s_desktop.ui.event_dispatcher import EventDispatcher
from s2s_desktop.ui.folding_body import FoldingBody
from s2s_desktop.ui.form.tab_order import order_tabs
from s2s_desktop.ui.icons import app_icon
from s2s_desktop.ui.message_actions import MessageActions
from s2s_desktop.ui.progress_list import ProgressList
from s2s_desktop.ui.quick_settings import QuickSettings
from s2s_desktop.ui.sidebar import Sidebar
from s2s_desktop.ui.summary_bar import SummaryBar
from s2s_desktop.ui.talk_actions import TalkActions
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.top_bar import TopBar
from s2s_desktop.ui.tray import Tray
from s2s_desktop.ui.window_keys import WindowKeys
from s2s_desktop.ui.window_place import WindowPlace

SMALLEST = (360, 480)
"""Least size at the usual size of text, px."""
_USUAL = (1000, 720)
_LOW = 600
_LEAST_HIGH = 600
"""With large text; every screen has so much."""


class MainWindow(QMainWindow):
    """The one window.

    It can be shown before there is a conversation to talk to: `connect_to` brings it to life. Everything here
    happens on the GUI thread, which is also the thread of the event loop.

    Signals:
        close_requested: The user closed the window. It is hidden already; the program ends when it has
            cleaned up.
        settings_requested: The settings are to open on a page: "model", "assistant", "speech", "audio",
            "models", "general", or "" for the page that was open last.
    """

    close_requested = Signal()
    settings_requested = Signal(str)

    def __init__(self, commands: Commands | None = None, state_file: Path | None = None) -> None:
        """Build the window.

        Args:
            commands: A conversation that is there already.
            state_file: Where place and size are remembered; None remembers nothing.
        """
        super().__init__()
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            raise RuntimeError("a QApplication must exist before the window")
        self._preferences: Preferences | None = None
        self.theme = Theme(app, self)
        self.setWindowTitle(self.tr("S2S Desktop"))
        self.setWindowIcon(app_icon())
        self.resize(*_USUAL)
        self._build()
        self._connect_parts()
        self._add_shortcuts()
        self.theme.changed.connect(self._restyle)
        self._restyle()
        self._place = WindowPlace(self, self.body, state_file) if state_file is not None else None
        if self._place is not None:
            self._place.restore()
        self.dock.set_connected(False)
        self.dock.field.input.setFocus()
        if commands is not None:
            self.connect_to(commands)

    def _build(self) -> None:
        page = QWidget(self)
        page.setProperty("role", "window")
        self.top_bar = TopBar(self.theme, page)
        self.sidebar = Sidebar(self.theme, page)
        self.conversation = ConversationView(self.theme, page)
        self.banners = BannerStack(self.theme, page)
        self.progress = ProgressList(self.theme, page)
        self.dock = Dock(self.theme, page)
        self.summary = SummaryBar(self.theme, page)
        content = self._content = QWidget(page)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(centered(self.banners, self.theme))
        column.addLayout(centered(self.summary, self.theme))
        column.addWidget(self.conversation, 1)
        column.addLayout(centered(self.progress, self.theme))
        self.body = FoldingBody(self.theme, self.sidebar, content, page)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.top_bar)
        layout.addWidget(self.body, 1)
        layout.addWidget(self.dock)
        self.setCentralWidget(page)
        self.tray = Tray(self.theme, self)
        self._keys = WindowKeys(self, self.dock.talk, self.dock.field.input)

    def _connect_parts(self) -> None:
        self.conversation.settings_requested.connect(self.settings_requested)
        self.turns = MessageActions(self.conversation, self)
        self._talking = TalkActions(self.conversation, self.dock, self)
        self.banners.better_model_requested.connect(self._talking.fetch_better_model)
        self.dock.settings_requested.connect(lambda: self.settings_requested.emit("audio"))
        self.dock.words_changed.connect(self._show_in_tray)
        self.library = ConversationsController(
            self.sidebar, self.conversation, self.top_bar, self.summary, self.banners, self
        )
        self.library.opened.connect(self._conversation_opened)
        self._dispatcher = EventDispatcher(
            self.conversation,
            self.dock,
            self.top_bar,
            self.banners,
            self.progress,
            self.library,
            self._talking,
            self._settings_changed,
        )
        self.top_bar.sidebar_toggled.connect(self.body.toggle)
        self.top_bar.settings_requested.connect(lambda: self.settings_requested.emit(""))
        self.body.folded_changed.connect(self.top_bar.set_folded)
        self.body.content_moved.connect(self.dock.set_inset)
        self.quick_settings = QuickSettings(self.top_bar, self)
        self.quick_settings.problem.connect(self.banners.show_notice)
        self.quick_settings.settings_requested.connect(self.settings_requested)
        self.tray.show_requested.connect(self.come_to_front)
        self.tray.hide_requested.connect(self.hide)
        self.tray.talk_requested.connect(self.dock.toggle_microphone)
        self.tray.stop_requested.connect(self._talking.stop)
        self.tray.settings_requested.connect(lambda: self.settings_requested.emit(""))
        self.tray.quit_requested.connect(self.close)

    def _add_shortcuts(self) -> None:
        for keys, act in (
            ("Ctrl+N", self.library.new),
            ("Ctrl+F", self._search),
            ("Ctrl+B", self.body.toggle),
            ("Esc", self._escape),
            ("Ctrl+M", self.dock.toggle_microphone),
            ("Ctrl+L", self.dock.field.input.setFocus),
            ("Ctrl+,", lambda: self.settings_requested.emit("")),
            ("Ctrl+Q", self.close),
        ):
            self._keys.add_shortcut(keys, act)

    def connect_to(
        self,
        commands: Commands,
        conversations: Conversations | None = None,
        preferences: Preferences | None = None,
    ) -> None:
        """Show this conversation from now on, and send it what the user does.

        Args:
            commands: The conversation that is going on.
            conversations: The saved ones; None leaves the sidebar empty. Needs the running event loop.
            preferences: The settings; None leaves the menus of the top bar away. Needs the running event
                loop.
        """
        commands.add_observer(self.observe)
        self.turns.connect_to(commands)
        self._talking.connect_to(commands)
        if conversations is not None:
            self.library.connect_to(conversations)
        if preferences is not None:
            self._preferences = preferences
            self.quick_settings.connect_to(preferences)
            self.use_settings(preferences.settings)
        self.dock.set_connected(True)

    def use_settings(self, settings: Settings) -> None:
        """Look and behave as the settings say."""
        self.theme.choose(settings.general.theme, settings.general.text_scale)
        self.dock.set_mode(settings.audio.microphone_mode)
        self.tray.set_wanted(settings.general.tray)

    def observe(self, turn: TurnId | None, event: Event) -> None:
        """Show an event. The observer of `Commands.add_observer`."""
        self._dispatcher.dispatch(turn, event)

    def come_to_front(self) -> None:
        """Show the window and give it the keyboard, wherever it was."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def obey(self, command: str) -> None:
        """Do what another start of the program asks for: "show" or "toggle-mic"."""
        if command == "show":
            self.come_to_front()
        elif command == "toggle-mic":
            self.dock.toggle_microphone()

    async def end_work(self) -> None:
        """Remember the place, and end what was asked for and is not there yet; nothing more is begun."""
        if self._place is not None:
            self._place.remember()
        self.tray.set_wanted(False)
        await self.library.close()
        await self.quick_settings.close()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._keys.press(event):
            super().keyPressEvent(event)

    @override
    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self._keys.release(event)
        super().keyReleaseEvent(event)

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        # Rows and banners come and go: Tab goes through what is there from top to bottom.
        order_tabs(self.top_bar, self.sidebar, self._content, self.dock)
        return super().focusNextPrevChild(next)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.dock.talk.release()  # the key may come up where we do not hear of it

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        low = self.height() < self.theme.scale.sign(_LOW)
        self.banners.set_compact(low)
        self.summary.set_compact(low)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # cleaning up takes a moment and needs the running loop
        self.hide()
        self.tray.set_wanted(False)
        self.close_requested.emit()

    def _escape(self) -> None:
        if self.body.overlaid:
            self.body.close_overlay()
        else:
            self._talking.stop()

    def _search(self) -> None:
        self.body.unfold()
        self.sidebar.focus_search()

    def _conversation_opened(self) -> None:
        self.body.close_overlay()
        self.dock.field.input.setFocus()

    def _settings_changed(self) -> None:
        if self._preferences is not None:
            self.use_settings(self._preferences.settings)

    def _show_in_tray(self, word: str, token: str) -> None:
        self.tray.show_state(word, token, self.dock.mic_button.accessibleName(), self.dock.can_stop)

    def _restyle(self) -> None:
        sign = self.theme.scale.sign
        self.setMinimumSize(sign(SMALLEST[0]), min(sign(SMALLEST[1]), _LEAST_HIGH))
        self.setStyleSheet(self.theme.stylesheet())
