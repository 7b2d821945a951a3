"""Hands what happens in the conversation to the parts of the window that show it."""

from __future__ import annotations

from collections.abc import Callable

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
from s2s_desktop.ui.banner import BannerStack
from s2s_desktop.ui.conversation_view import ConversationView
from s2s_desktop.ui.conversations_controller import ConversationsController
from s2s_desktop.ui.dock import Dock
from s2s_desktop.ui.progress_list import ProgressList
from s2s_desktop.ui.talk_actions import TalkActions
from s2s_desktop.ui.top_bar import TopBar


class EventDispatcher:
    """Knows which part shows which event.

    Args:
        conversation: Shows the turns; it sees every event but the levels.
        dock: State, microphone and voice.
        top_bar: The model in use.
        banners: Notices, and the offer of a better model.
        progress: Models that are on their way.
        library: The saved conversations.
        talking: Sends what waits for an answer.
        settings_changed: Called when the settings say something else.
    """

    def __init__(
        self,
        conversation: ConversationView,
        dock: Dock,
        top_bar: TopBar,
        banners: BannerStack,
        progress: ProgressList,
        library: ConversationsController,
        talking: TalkActions,
        settings_changed: Callable[[], None],
    ) -> None:
        self._conversation = conversation
        self._dock = dock
        self._top_bar = top_bar
        self._banners = banners
        self._progress = progress
        self._library = library
        self._talking = talking
        self._settings_changed = settings_changed

    def dispatch(self, turn: TurnId | None, event: Event) -> None:
        """Show an event wherever it belongs."""
        match event:
            case MicLevel():
                self._dock.set_level(event)
                return
            case StateChanged(state=state):
                self._dock.set_state(state)
            case MicrophoneChanged():
                self._dock.set_microphone(event)
            case VoicePaused():
                self._dock.set_voice_paused(event)
            case SpokenProgress():
                self._show_spoken(turn, event)
            case SettingsChanged():
                self._settings_changed()
            case Notice(text=text):
                self._banners.show_notice(text)
                self._banners.fetching_ended()
            case ModelProgress():
                self._progress.show_progress(event)
                if event.error:
                    self._banners.fetching_ended()
            case Readiness():
                self._dock.set_readiness(event)
                self._top_bar.set_model_name(event.model_name)
                self._talking.observe(event)
                self._banners.set_trial_model(event.trial_model)
            case ConversationsChanged() | ConversationOpened() | SummaryChanged():
                self._library.observe(event)
            case _:
                pass
        self._conversation.apply(turn, event)

    def _show_spoken(self, turn: TurnId | None, progress: SpokenProgress) -> None:
        record = self._conversation.record(turn.number) if turn is not None else None
        written = record.written if record is not None else 0
        if progress.finished:
            self._dock.set_spoken(1.0)
        elif written:
            self._dock.set_spoken(min(len(progress.text) / written, 1.0))
