"""The window: hands events to its parts and what the user does to the conversation."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget
from typing_extensions import override

from s2s_desktop.conversation.commands import Commands, Conversations
from s2s_desktop.conversation.events import (
    ConversationOpened,
    ConversationsChanged,
    Event,
    MicLevel,
    MicrophoneChanged,
    ModelProgress,
    Notice,
    Readiness,
    SettingsChanged,
    SpokenProgress,
    StateChanged,
    SummaryChanged,
    TurnId,
    VoicePaused,
)
from s2s_desktop.conversation.preferences import Preferences
from s2s_desktop.settings.schema import Settings
from s2s_desktop.ui.banner import BannerStack
from s2s_desktop.ui.centred import centred
from s2s_desktop.ui.conversation_view import ConversationView
from s2s_desktop.ui.conversations_controller import ConversationsController
from s2s_desktop.ui.dock import Dock
from s2s_desktop.ui.folding_body import FoldingBody
from s2s_desktop.ui.icons import app_icon
from s2s_desktop.ui.message_actions import MessageActions
from s2s_desktop.ui.progress_list import ProgressList
from s2s_desktop.ui.quick_settings import QuickSettings
from s2s_desktop.ui.sidebar import Sidebar
from s2s_desktop.ui.summary_bar import SummaryBar
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.top_bar import TopBar
from s2s_desktop.ui.tray import Tray
from s2s_desktop.ui.window_place import WindowPlace

SMALLEST = (360, 480)
_USUAL = (1000, 720)
_LOW = 600


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
        self._commands: Commands | None = None
        self._preferences: Preferences | None = None
        self.theme = Theme(app, self)
        self.setWindowTitle(self.tr("S2S Desktop"))
        self.setWindowIcon(app_icon())
        self.setMinimumSize(*SMALLEST)
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
        self.banners = BannerStack(self.theme, self._fetch_better_model, page)
        self.progress = ProgressList(self.theme, page)
        self.dock = Dock(self.theme, page)
        self.summary = SummaryBar(self.theme, page)
        content = QWidget(page)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(centred(self.banners))
        column.addLayout(centred(self.summary))
        column.addWidget(self.conversation, 1)
        column.addLayout(centred(self.progress))
        self.body = FoldingBody(self.sidebar, content, page)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.top_bar)
        layout.addWidget(self.body, 1)
        layout.addWidget(self.dock)
        self.setCentralWidget(page)
        self.tray = Tray(self.theme, self)

    def _connect_parts(self) -> None:
        self.conversation.question_chosen.connect(self._send)
        self.conversation.retry_requested.connect(self._send)
        self.conversation.settings_requested.connect(self.settings_requested)
        self.turns = MessageActions(self.conversation, self)
        self.dock.text_submitted.connect(self._send)
        self.dock.stop_requested.connect(self._stop)
        self.dock.settings_requested.connect(lambda: self.settings_requested.emit("audio"))
        self.dock.talk.microphone_requested.connect(self._set_microphone)
        self.dock.talk.talk_requested.connect(self._push_to_talk)
        self.dock.words_changed.connect(self._show_in_tray)
        self.library = ConversationsController(
            self.sidebar, self.conversation, self.top_bar, self.summary, self.banners, self
        )
        self.library.opened.connect(self._conversation_opened)
        self.top_bar.sidebar_toggled.connect(self.body.toggle)
        self.top_bar.settings_requested.connect(lambda: self.settings_requested.emit(""))
        self.body.folded_changed.connect(self.top_bar.set_folded)
        self.quick_settings = QuickSettings(self.top_bar, self)
        self.quick_settings.problem.connect(self.banners.show_notice)
        self.quick_settings.settings_requested.connect(self.settings_requested)
        self.tray.show_requested.connect(self.come_to_front)
        self.tray.hide_requested.connect(self.hide)
        self.tray.talk_requested.connect(self.dock.toggle_microphone)
        self.tray.stop_requested.connect(self._stop)
        self.tray.settings_requested.connect(lambda: self.settings_requested.emit(""))
        self.tray.quit_requested.connect(self.close)

    def _add_shortcuts(self) -> None:
        self._shortcut("Ctrl+N", self.library.new)
        self._shortcut("Ctrl+F", self._search)
        self._shortcut("Ctrl+B", self.body.toggle)
        self._shortcut("Esc", self._escape)
        self._shortcut("Ctrl+M", self.dock.toggle_microphone)
        self._shortcut("Ctrl+L", self.dock.field.input.setFocus)
        self._shortcut("Ctrl+,", lambda: self.settings_requested.emit(""))
        self._shortcut("Ctrl+Q", self.close)

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
        self._commands = commands
        commands.add_observer(self.observe)
        self.turns.connect_to(commands)
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
        match event:
            case MicLevel():
                self.dock.set_level(event)
                return
            case StateChanged(state=state):
                self.dock.set_state(state)
            case MicrophoneChanged():
                self.dock.set_microphone(event)
            case VoicePaused():
                self.dock.set_voice_paused(event)
            case SpokenProgress():
                self._show_spoken(turn, event)
            case SettingsChanged() if self._preferences is not None:
                self.use_settings(self._preferences.settings)
            case Notice(text=text):
                self.banners.show_notice(text)
                self.banners.fetching_ended()
            case ModelProgress():
                self.progress.show_progress(event)
                if event.error:
                    self.banners.fetching_ended()
            case Readiness():
                self.dock.set_readiness(event)
                self.top_bar.set_model_name(event.model_name)
                self.banners.set_trial_model(event.trial_model)
            case ConversationsChanged() | ConversationOpened() | SummaryChanged():
                self.library.observe(event)
            case _:
                pass
        self.conversation.apply(turn, event)

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
        """Talk with Space, or type into the field, wherever the focus is, when nothing else wants the key."""
        if event.key() == Qt.Key.Key_Space and self.dock.talk.mode == "push-to-talk":
            if not event.isAutoRepeat():
                self.dock.talk.press()
            return
        shift_only = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if event.text().isprintable() and event.text() and shift_only:
            self.dock.field.input.setFocus()
            QApplication.sendEvent(self.dock.field.input, event)
        else:
            super().keyPressEvent(event)

    @override
    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.dock.talk.release()
        super().keyReleaseEvent(event)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.dock.talk.release()  # the key may come up where we do not hear of it

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.banners.set_compact(self.height() < _LOW)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # cleaning up takes a moment and needs the running loop
        self.hide()
        self.tray.set_wanted(False)
        self.close_requested.emit()

    def _send(self, text: str) -> None:
        self.dock.field.input.setFocus()  # an example that was clicked goes away and would pass the focus on
        if self._commands is not None:
            self._commands.send_text(text)
        else:
            self.dock.field.input.setPlainText(text)  # kept until there is somebody to ask

    def _escape(self) -> None:
        if self.body.overlaid:
            self.body.close_overlay()
        else:
            self._stop()

    def _search(self) -> None:
        self.body.unfold()
        self.sidebar.focus_search()

    def _conversation_opened(self) -> None:
        self.body.close_overlay()
        self.dock.field.input.setFocus()

    def _stop(self) -> None:
        if self._commands is not None and self.dock.can_stop:
            self._commands.stop_reply()

    def _set_microphone(self, on: bool) -> None:
        if self._commands is not None:
            self._commands.set_microphone(on)

    def _push_to_talk(self, pressed: bool) -> None:
        if self._commands is not None:
            self._commands.push_to_talk(pressed)

    def _fetch_better_model(self) -> None:
        if self._commands is not None:
            self._commands.fetch_better_model()

    def _show_spoken(self, turn: TurnId | None, progress: SpokenProgress) -> None:
        record = self.conversation.record(turn.number) if turn is not None else None
        written = record.written if record is not None else 0
        if progress.finished:
            self.dock.set_spoken(1.0)
        elif written:
            self.dock.set_spoken(min(len(progress.text) / written, 1.0))

    def _show_in_tray(self, word: str, token: str) -> None:
        self.tray.show_state(word, token, self.dock.mic_button.accessibleName(), self.dock.can_stop)

    def _restyle(self) -> None:
        self.setStyleSheet(self.theme.stylesheet())

    def _shortcut(self, keys: str, act: object) -> None:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(act)
