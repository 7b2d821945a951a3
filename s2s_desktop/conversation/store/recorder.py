"""Watches the session and saves what is said while it is being said."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass

from s2s_desktop.audio.protocol import PIPELINE_RATE, Samples
from s2s_desktop.conversation.events import (
    Event,
    FinalTranscript,
    MicLevel,
    Readiness,
    SpeechSegment,
    TurnFailed,
    TurnId,
    TypedMessage,
    VoiceChunk,
)
from s2s_desktop.conversation.store.database import Database
from s2s_desktop.conversation.store.records import Span
from s2s_desktop.conversation.store.saving import new_turn_id
from s2s_desktop.conversation.store.sound_files import SoundFiles
from s2s_desktop.conversation.store.turn_draft import Change, TurnDraft
from s2s_desktop.conversation.store.turn_saver import ConversationInProgress, TurnSaver, TurnToSave
from s2s_desktop.conversation.store.turn_sound import TurnSound
from s2s_desktop.conversation.store.writer import Writer

_MIN_REST_S = 0.025
_MAX_REST_S = 0.25
_REST_S_PER_CHARACTER = 5e-6
"""The message that is being written is written anew each time: the longer it is, the less often. Up to 6,600
characters that is at least as often as the window shows it (every 33 ms)."""


@dataclass(slots=True, eq=False)
class _Running:
    """A turn that may still change.

    Attributes:
        version: Grows with every change.
    """

    conversation: ConversationInProgress
    turn_id: int
    draft: TurnDraft
    sound: TurnSound
    version: int = 0


class Recorder:
    """An observer of the session. Its calls cost microseconds; a thread of its own writes.

    What the user said is written at once, a reply as it arrives. What cannot be written stays in memory and
    is tried again every few seconds.

    Args:
        database: Where to.
        sounds: Where recordings go.
        on_saved: Told the id of a conversation that is new or has one more finished turn.
        on_problem: Told a sentence when saving fails, and when it works again.
        now: Seconds since 1970.

    `on_saved` and `on_problem` are called on the thread that writes.
    """

    def __init__(
        self,
        database: Database,
        sounds: SoundFiles,
        *,
        on_saved: Callable[[str], None] = lambda conversation_id: None,
        on_problem: Callable[[str], None] = lambda sentence: None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._now = now
        self._lock = threading.Lock()
        self._keep = self._keep_sound = False
        self._profile = ""
        self._speaks = False
        self._turns: dict[int, _Running] = {}
        self._waiting: dict[int, _Running] = {}
        self._speech: Span | None = None
        self._speech_sound: list[Samples] = []
        self._turn_ids: dict[int, int] = {}
        self._conversation = self._fresh()
        self._saver = TurnSaver(database, sounds, on_saved, on_problem)
        self._writer = Writer(self._save_waiting, "conversations-writer")

    @property
    def conversation_id(self) -> str:
        """The conversation that the next turn is saved into; it is there after its first turn."""
        return self._conversation.id

    def keep(self, *, text: bool, sound: bool) -> None:
        """Say what is kept from now on. Without `text` nothing is, not even what has not been written yet."""
        with self._lock:
            self._keep, self._keep_sound = text, text and sound
            if not text:
                self._forget()

    def use_profile(self, name: str) -> None:
        """Say which profile answers from the next turn on."""
        self._profile = name

    def belong(self, profile: str, persona: str) -> None:
        """Say which profile and persona the conversation in use belongs to from its next turn on."""
        with self._lock:
            self._conversation.profile, self._conversation.persona = profile, persona

    def new_conversation(self, persona: str = "", profile: str = "") -> str:
        """Save the next turns into a new conversation and return its id. A running turn stays where it is."""
        with self._lock:
            self._conversation = self._fresh(persona, profile)
            self._turn_ids = {}
            return self._conversation.id

    def resume(self, conversation_id: str, persona: str | None = None, profile: str = "") -> None:
        """Save the next turns into a conversation that is there; see `ConversationInProgress`."""
        with self._lock:
            self._conversation = ConversationInProgress(
                conversation_id, self._at(), profile, persona, saved_in=self._database.generation
            )
            self._turn_ids = {}

    def turn_id(self, number: int) -> int | None:
        """Return the id of a turn of the conversation in use that was recorded here; see `Library`."""
        with self._lock:
            return self._turn_ids.get(number)

    def forget_turns(self, numbers: Collection[int]) -> None:
        """Write nothing more of some turns of the conversation in use.

        They may be on their way to the disk or there already: `flush`, then `Library.remove_turns`.
        """
        with self._lock:
            for number in numbers:
                running = self._turns.get(number)
                if running is not None and running.conversation is self._conversation:
                    del self._turns[number]
                    self._waiting.pop(running.turn_id, None)

    def forget(self) -> None:
        """Drop everything that has not been written and begin a new conversation with the next turn.

        Something may be on its way to the disk: `flush` waits for it.
        """
        with self._lock:
            self._forget()

    def flush(self, timeout_s: float = 10.0) -> bool:
        """Write what waits. Blocks.

        Returns:
            Whether everything is written.
        """
        return self._writer.flush(timeout_s) and not self._waiting

    def close(self, timeout_s: float = 10.0) -> None:
        """Write what waits and end. Blocks. Idempotent."""
        self._writer.close(timeout_s)

    def __call__(self, turn: TurnId | None, event: Event) -> None:
        """Take an event of the session."""
        if isinstance(event, MicLevel):
            return
        if isinstance(event, Readiness):
            self._speaks = event.voice
        if turn is None:
            return
        with self._lock:
            change = self._take(turn, event) if self._keep else Change.NONE
        if change is not Change.NONE:
            self._writer.request(urgent=change is Change.NOW)

    def _take(self, turn: TurnId, event: Event) -> Change:
        if isinstance(event, SpeechSegment):
            self._take_speech(event)
            return Change.NONE
        running = self._running_for(turn, event)
        if running is None:
            return Change.NONE
        if isinstance(event, VoiceChunk) and self._keep_sound:
            running.sound.add_voice(event)
        change = running.draft.apply(event, self._at())
        if change is not Change.NONE:
            running.version += 1
            self._waiting[running.turn_id] = running
        return change

    def _running_for(self, turn: TurnId, event: Event) -> _Running | None:
        """Find or begin the turn of an event. Late results of an earlier revision belong to none."""
        running = self._turns.get(turn.number)
        begins = isinstance(event, TypedMessage | FinalTranscript)
        if begins and running is not None and running.conversation is not self._conversation:
            running = None  # another conversation counts its turns by itself
        if isinstance(event, TypedMessage) or (isinstance(event, FinalTranscript) and event.text):
            if running is not None and turn.revision > running.draft.revision:
                running.draft.begin_again(turn.revision, self._take_span())
                running.sound = self._new_sound()
                return running
            if running is None or running.draft.finished:
                return self._begin(turn)
        elif isinstance(event, TurnFailed) and running is None and self._conversation.saved_in is not None:
            return self._begin(turn)
        return running if running is not None and turn.revision == running.draft.revision else None

    def _begin(self, turn: TurnId) -> _Running:
        if self._conversation.gone:
            self._conversation = self._fresh(self._conversation.persona, self._conversation.profile)
            self._turn_ids = {}
        draft = TurnDraft(
            turn,
            self._at(),
            profile=self._profile,
            speaks=self._speaks,
            speech=self._take_span(),
        )
        running = _Running(self._conversation, new_turn_id(), draft, self._new_sound())
        self._turns = {number: old for number, old in self._turns.items() if not old.draft.finished}
        self._turns[turn.number] = running
        self._turn_ids[turn.number] = running.turn_id
        return running

    def _take_speech(self, segment: SpeechSegment) -> None:
        end = self._at() - 1000 * (segment.decided - segment.end) // PIPELINE_RATE
        start = end - 1000 * (segment.end - segment.start) // PIPELINE_RATE
        # Speech that was overtaken before it was transcribed belongs to the same question.
        self._speech = Span(self._speech.start if self._speech else start, end)
        if self._keep_sound:
            self._speech_sound.append(segment.audio)

    def _take_span(self) -> Span | None:
        span, self._speech = self._speech, None
        return span

    def _new_sound(self) -> TurnSound:
        speech, self._speech_sound = self._speech_sound, []
        return TurnSound(speech)

    def _fresh(self, persona: str | None = None, profile: str = "") -> ConversationInProgress:
        return ConversationInProgress(uuid.uuid4().hex, self._at(), profile, persona)

    def _forget(self) -> None:
        self._turns.clear()
        self._waiting.clear()
        self._speech, self._speech_sound = None, []
        self._conversation = self._fresh(self._conversation.persona, self._conversation.profile)
        self._turn_ids = {}

    def _at(self) -> int:
        return max(0, round(self._now() * 1000))

    def _save_waiting(self) -> float | None:
        with self._lock:
            waiting = [
                (running, running.version, self._to_save(running)) for running in self._waiting.values()
            ]
            longest = max((running.draft.text_length for running, _, _ in waiting), default=0)
        if waiting and not self._saver.save([item for _, _, item in waiting]):
            return None
        with self._lock:
            for turn, version, _ in waiting:
                if turn.version == version:
                    self._waiting.pop(turn.turn_id, None)
        return min(_MAX_REST_S, max(_MIN_REST_S, longest * _REST_S_PER_CHARACTER))

    def _to_save(self, running: _Running) -> TurnToSave:
        turn = running.draft.saved_turn()
        return TurnToSave(
            running.conversation,
            running.turn_id,
            turn,
            running.draft.complete,
            running.sound.take(turn) if self._keep_sound else (),
        )
