"""The dock at the bottom: microphone, what is going on, and where to type."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from s2s_desktop.conversation.events import MicLevel, MicrophoneChanged, Readiness, State, VoicePaused
from s2s_desktop.ui.coalescer import Coalescer
from s2s_desktop.ui.input_field import InputField
from s2s_desktop.ui.level_meter import LevelMeter, level_share
from s2s_desktop.ui.mic_button import RING, MicButton
from s2s_desktop.ui.mic_problem import MicProblem
from s2s_desktop.ui.peak_hold import PeakHold
from s2s_desktop.ui.signal_watch import SignalWatch
from s2s_desktop.ui.state_words import TONES, Situation, state_words
from s2s_desktop.ui.talk_control import MicrophoneMode, TalkControl
from s2s_desktop.ui.theme import Theme
from s2s_desktop.ui.tokens import BLOCK_GAP, COLUMN_WIDTH, EDGE, EDGE_NARROW, GAP, NARROW_WIDTH

_LEVEL_MS = 33
"""At most 30 pictures of the level a second."""
_LEFT_WIDTH = 290
"""Wide enough for every word, so that the field does not move with the state."""
_LEAST_BESIDE = 600
"""Least width of the dock beside the sidebar; where less is left, it takes the whole window."""

STOPPABLE = frozenset({State.TRANSCRIBING, State.THINKING, State.SPEAKING})


class Dock(QWidget):
    """Shows the state and takes what the user wants.

    Attributes:
        talk: What presses of the microphone button mean.

    Signals:
        text_submitted: With the typed message.
        stop_requested: The reply is to end.
        settings_requested: Another microphone is to be chosen.
        words_changed: With the word for what is going on, and the color it has ("" is that of text).
    """

    words_changed = Signal(str, str)
    settings_requested = Signal()
    text_submitted = Signal(str)
    stop_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._inset = 0
        self.setProperty("role", "dock")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._state = State.IDLE
        self._microphone_on = False
        self._was_on = False
        self._voice_paused = False
        self._message_waits = False
        self._signal = SignalWatch()
        self._trouble = ""
        self.talk = TalkControl(self)
        self._readiness = Readiness(hearing=False, voice=False, llm=False)
        self._level: MicLevel | None = None
        self._peak = PeakHold()
        self._level_update = Coalescer(_LEVEL_MS, self._show_level, self)
        self.mic_button = MicButton(theme, self)
        self._state_label = QLabel(self)
        self._state_label.setProperty("role", "state")
        self._hint = QLabel(self)
        self._hint.setProperty("role", "muted")
        self.meter = LevelMeter(theme, self)
        self._second_line = QStackedWidget(self)
        self._second_line.addWidget(self._hint)
        self._second_line.addWidget(self.meter)
        self.field = InputField(theme, self)
        self._problem = MicProblem(theme, self)
        self._build()
        self.mic_button.pressed.connect(self.talk.press)
        self.mic_button.released.connect(self.talk.release)
        self.mic_button.clicked.connect(self.talk.activate)
        self.talk.talking_changed.connect(self._show_words)
        self._problem.settings_requested.connect(self.settings_requested)
        self.field.text_submitted.connect(self.text_submitted)
        self.field.stop_requested.connect(self.stop_requested)
        theme.changed.connect(self._arrange)
        self.set_state(State.IDLE)

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch(1)
        words.addWidget(self._state_label)
        words.addWidget(self._second_line)
        words.addStretch(1)
        left = QHBoxLayout()
        left.setSpacing(GAP)
        left.addWidget(self.mic_button)
        left.addLayout(words, 1)
        self._left = QWidget(self)
        self._left.setLayout(left)
        left.setContentsMargins(0, 0, 0, 0)
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._halves.setSpacing(BLOCK_GAP)
        self._halves.addWidget(self._left)
        self._field_margins = QHBoxLayout()
        self._field_margins.addWidget(self.field, 1, Qt.AlignmentFlag.AlignVCenter)
        self._halves.addLayout(self._field_margins, 1)
        # The disc of the microphone, not its ring, stands at the edge of the column of text.
        column = self._column = QWidget(self)
        self._problem.setContentsMargins(RING, 0, RING, 0)
        rows = QVBoxLayout(column)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(GAP)
        rows.addWidget(self._problem)
        rows.addLayout(self._halves)
        self._margins = QHBoxLayout(self)
        self._margins.addStretch(1)
        self._margins.addWidget(column, 1000)
        self._margins.addStretch(1)

    @property
    def state_text(self) -> str:
        """The word beside the microphone."""
        return self._state_label.text()

    @property
    def hint(self) -> str:
        """The line below the word, where no level is shown."""
        return self._hint.text() if self._second_line.currentWidget() is self._hint else ""

    @property
    def problem(self) -> str:
        """Why the microphone cannot listen; "" when it can."""
        return self._problem.text

    @property
    def can_stop(self) -> bool:
        """Whether a reply is under way."""
        return self._state in STOPPABLE

    def toggle_microphone(self) -> None:
        """Begin or end to listen, as a press of the microphone button does."""
        self.talk.switch()

    def set_inset(self, inset: int) -> None:
        """Keep to the part of the window where the conversation is.

        Args:
            inset: How far from the left edge that part begins, px.
        """
        self._inset = inset
        self._arrange()

    def set_mode(self, mode: MicrophoneMode) -> None:
        """Let the microphone button do what the settings say."""
        self.talk.set_mode(mode)
        self._show_words()

    def set_connected(self, connected: bool) -> None:
        """Say whether there is a conversation that could take what the user does."""
        self.mic_button.setEnabled(connected)

    def set_message_waits(self, waits: bool) -> None:
        """Say whether a message goes out as soon as somebody can answer."""
        self._message_waits = waits
        self._show_words()

    def set_state(self, state: State) -> None:
        """Show what the assistant is doing."""
        self._state = state
        self._voice_paused &= state is State.SPEAKING
        self.talk.set_state(state)
        self.mic_button.set_state(state)
        self.field.set_can_stop(self.can_stop)
        self._show_words()

    def set_readiness(self, readiness: Readiness) -> None:
        """Show which parts work by now."""
        self._readiness = readiness
        self._show_words()

    def set_microphone(self, change: MicrophoneChanged) -> None:
        """Show whether the microphone listens, and why it cannot."""
        self._microphone_on = change.on
        self._was_on |= change.on
        self.talk.set_microphone(change.on)
        self._trouble = change.problem
        self._problem.show_text(change.problem)
        self._signal.reset()
        if not change.on:
            self._level = None
            self._peak.clear()
            self.meter.clear()
        self._show_words()

    def set_voice_paused(self, change: VoicePaused) -> None:
        """Show that the voice waits for the user, or goes on."""
        self._voice_paused = change.paused
        self._show_words()

    def set_level(self, level: MicLevel) -> None:
        """Take a level; it is shown at most 30 times a second."""
        self._peak.take(level.peak_dbfs)
        self._level = level
        silent = self._signal.hears_nothing(level.rms_dbfs)
        if silent != (bool(self._problem.text) and not self._trouble):
            self._problem.show_text(_no_signal(self) if silent else self._trouble)
        self._level_update.request()

    def set_spoken(self, share: float) -> None:
        """Show how much of the reply has been heard, 0..1."""
        self.mic_button.set_spoken(share)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        room = self._theme.scale.room
        narrow = self.width() < room(NARROW_WIDTH)
        edge = EDGE_NARROW if narrow else EDGE
        inset = self._inset if self.width() - self._inset >= room(_LEAST_BESIDE) else 0
        self._margins.setContentsMargins(inset + edge - RING, 12, edge - RING, 12)
        self._column.setMaximumWidth(room(COLUMN_WIDTH) + 2 * RING)
        self._field_margins.setContentsMargins(RING if narrow else 0, 0, RING, 0)
        directions = QBoxLayout.Direction
        self._halves.setDirection(directions.TopToBottom if narrow else directions.LeftToRight)
        self._halves.setSpacing(GAP if narrow else BLOCK_GAP)
        self._left.setMinimumWidth(0 if narrow else room(_LEFT_WIDTH))
        self._left.setContentsMargins(0, 0, RING if narrow else 0, 0)

    def _show_level(self) -> None:
        if self._level is None:
            return
        peak = self._peak.dbfs
        self.meter.show_level(self._level, peak)
        self.mic_button.set_level(level_share(self._level.rms_dbfs), level_share(peak))

    def _show_words(self) -> None:
        muted = self._was_on and not self._microphone_on
        situation = Situation(
            self._state,
            self._readiness,
            self.talk.mode,
            muted=muted,
            trouble=bool(self._trouble),
            talking=self.talk.talking,
            voice_paused=self._voice_paused,
            message_waits=self._message_waits,
        )
        self.mic_button.show_situation(situation, self._microphone_on)
        word, hint = state_words(self, situation)
        self._state_label.setText(word)
        tone = "listening" if self.talk.talking or self._voice_paused else TONES.get(self._state, "plain")
        self._state_label.setProperty("tone", tone)
        self._state_label.style().polish(self._state_label)
        self._hint.setText(hint)
        shows_level = self._microphone_on and not (
            hint and (self.talk.mode != "hands-free" or self._voice_paused)
        )
        self._second_line.setCurrentWidget(self.meter if shows_level else self._hint)
        self.words_changed.emit(word, "" if tone == "plain" else tone)


def _no_signal(owner: QWidget) -> str:
    return owner.tr("No sound arrives from the microphone. Is it muted, unplugged, or the wrong one?")
