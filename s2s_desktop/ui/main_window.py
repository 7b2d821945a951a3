"""The window: hands events to its parts and what the user does to the conversation."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget
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
    SpokenProgress,
    StateChanged,
    SummaryChanged,
    TurnId,
)
from s2s_desktop.ui.banner import BannerStack
from s2s_desktop.ui.conversation_view import ConversationView
from s2s_desktop.ui.conversations_controller import ConversationsController
from s2s_desktop.ui.dock import Dock
from s2s_desktop.ui.folding_body import FoldingBody
from s2s_desktop.ui.icons import app_icon
from s2s_desktop.ui.progress_list import ProgressList
from s2s_desktop.ui.sidebar import Sidebar
from s2s_desktop.ui.summary_bar import SummaryBar
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import COLUMN_WIDTH, EDGE_NARROW
from s2s_desktop.ui.top_bar import TopBar

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
    """

    close_requested = Signal()

    def __init__(self, commands: Commands | None = None) -> None:
        super().__init__()
        app = QApplication.instance()
        if not isinstance(app, QApplication):
            raise RuntimeError("a QApplication must exist before the window")
        self._commands: Commands | None = None
        self.theme = Theme(app, self)
        self.setWindowTitle(self.tr("S2S Desktop"))
        self.setWindowIcon(app_icon())
        self.setMinimumSize(*SMALLEST)
        self.resize(*_USUAL)
        self._build()
        self._connect_parts()
        self.theme.changed.connect(self._restyle)
        self._restyle()
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
        column.addLayout(_centred(self.banners))
        column.addLayout(_centred(self.summary))
        column.addWidget(self.conversation, 1)
        column.addLayout(_centred(self.progress))
        self.body = FoldingBody(self.sidebar, content, page)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.top_bar)
        layout.addWidget(self.body, 1)
        layout.addWidget(self.dock)
        self.setCentralWidget(page)

    def _connect_parts(self) -> None:
        self.conversation.question_chosen.connect(self._send)
        self.conversation.retry_requested.connect(self._send)
        self.dock.text_submitted.connect(self._send)
        self.dock.stop_requested.connect(self._stop)
        self.dock.microphone_toggled.connect(self._set_microphone)
        self.library = ConversationsController(
            self.sidebar, self.conversation, self.top_bar, self.summary, self.banners, self
        )
        self.library.opened.connect(self._conversation_opened)
        self.top_bar.sidebar_toggled.connect(self.body.toggle)
        self.body.folded_changed.connect(self.top_bar.set_folded)
        self._shortcut("Ctrl+N", self.library.new)
        self._shortcut("Ctrl+F", self._search)
        self._shortcut("Ctrl+B", self.body.toggle)
        self._shortcut("Esc", self._escape)
        self._shortcut("Ctrl+M", self.dock.toggle_microphone)
        self._shortcut("Ctrl+L", self.dock.field.input.setFocus)

    def connect_to(self, commands: Commands, conversations: Conversations | None = None) -> None:
        """Show this conversation from now on, and send it what the user does.

        Args:
            commands: The conversation that is going on.
            conversations: The saved ones; None leaves the sidebar empty. Needs the running event loop.
        """
        self._commands = commands
        commands.add_observer(self.observe)
        if conversations is not None:
            self.library.connect_to(conversations)
        self.dock.set_connected(True)

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
            case SpokenProgress():
                self._show_spoken(turn, event)
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

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Type into the field wherever the keyboard focus is, when nothing else wants the key."""
        shift_only = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
        if event.text().isprintable() and event.text() and shift_only:
            self.dock.field.input.setFocus()
            QApplication.sendEvent(self.dock.field.input, event)
        else:
            super().keyPressEvent(event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.banners.set_compact(self.height() < _LOW)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # cleaning up takes a moment and needs the running loop
        self.hide()
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

    def _fetch_better_model(self) -> None:
        if self._commands is not None:
            self._commands.fetch_better_model()

    def _show_spoken(self, turn: TurnId | None, progress: SpokenProgress) -> None:
        records = {record.number: record for record in self.conversation.records}
        record = records.get(turn.number) if turn is not None else None
        written = len(record.reply_text) if record is not None else 0
        if progress.finished:
            self.dock.set_spoken(1.0)
        elif written:
            self.dock.set_spoken(min(len(progress.text) / written, 1.0))

    def _restyle(self) -> None:
        self.setStyleSheet(self.theme.stylesheet())

    def _shortcut(self, keys: str, act: object) -> None:
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
        shortcut.activated.connect(act)


def _centred(widget: QWidget) -> QHBoxLayout:
    """Put `widget` into the column of the conversation, with air around it while it is shown."""
    widget.setMaximumWidth(COLUMN_WIDTH)
    layout = QHBoxLayout()
    layout.setContentsMargins(EDGE_NARROW, 0, EDGE_NARROW, 0)
    layout.setSpacing(0)
    layout.addStretch(1)
    layout.addWidget(widget, 1000)
    layout.addStretch(1)
    return layout
