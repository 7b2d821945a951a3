"""Writes the turns that are going on, and says when that does not work and when it does again."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from s2s_desktop.conversation.store import saving
from s2s_desktop.conversation.store.database import Database
from s2s_desktop.conversation.store.records import Conversation, SavedTurn, TitleSource
from s2s_desktop.conversation.store.sound_files import SoundFiles
from s2s_desktop.conversation.store.titles import title_by_words
from s2s_desktop.conversation.store.turn_sound import Recording
from s2s_desktop.errors import AssistantError, ErrorKind

_log = logging.getLogger(__name__)

_MEANWHILE = " Until then the conversation goes on and is kept in memory."
_INTERNAL = "Saving the conversation fails because of an error inside. The log says what it is."
_AGAIN = "Conversations are saved again."


@dataclass(slots=True)
class ConversationInProgress:
    """The conversation that turns are saved into; its row is made with the first turn.

    Attributes:
        id: See `records.Conversation`.
        created_at: When it began, in milliseconds.
        profile: Name of the profile that it is to be answered by; "" takes that of its newest turn.
        persona: Name of the persona, "" for none; None leaves what is saved.
        saved_in: `Database.generation` in which it was saved last; None before the first time.
        gone: It was deleted for good meanwhile; nothing more is saved into it.
    """

    id: str
    created_at: int
    profile: str = ""
    persona: str | None = None
    saved_in: int | None = None
    gone: bool = False


@dataclass(frozen=True, slots=True)
class TurnToSave:
    """A turn as it is at a moment.

    Attributes:
        conversation: Where it belongs.
        turn_id: See `saving.new_turn_id`.
        turn: What is known of it, with the number that the session counts.
        complete: No message of it is being written.
        recordings: Sound to keep.
    """

    conversation: ConversationInProgress
    turn_id: int
    turn: SavedTurn
    complete: bool
    recordings: Sequence[Recording] = ()


class TurnSaver:
    """Saves turns, all on one thread.

    Args:
        database: Where to.
        sounds: Where recordings go.
        on_saved: Told the id of a conversation that is new or has one more finished turn.
        on_problem: Told a sentence when saving fails, once until it works again, and then that it does.
    """

    def __init__(
        self,
        database: Database,
        sounds: SoundFiles,
        on_saved: Callable[[str], None],
        on_problem: Callable[[str], None],
    ) -> None:
        self._database = database
        self._sounds = sounds
        self._on_saved = on_saved
        self._on_problem = on_problem
        self._problem = ""
        self._sound_problem = ""

    def save(self, turns: Sequence[TurnToSave]) -> bool:
        """Save turns, all of them or none.

        Returns:
            False when it failed: save the same turns again later.
        """
        try:
            new = self._write_also_after_damage(turns)
        except AssistantError as error:
            self._failed(error)
            return False
        except Exception as error:
            _log.exception("turns could not be saved")
            self._failed(AssistantError(ErrorKind.INTERNAL, _INTERNAL, str(error)))
            return False
        if self._problem:
            self._problem = ""
            self._on_problem(_AGAIN)
        for item in turns:
            self._keep_sound(item)
        self._finish(turns, new)
        return True

    def _write_also_after_damage(self, turns: Sequence[TurnToSave]) -> set[str]:
        generation = self._database.generation
        try:
            return self._write(turns)
        except AssistantError:
            if self._database.generation == generation:
                raise
            # The file was damaged, which the user was told, and a new one is there.
            return self._write(turns)

    def _write(self, turns: Sequence[TurnToSave]) -> set[str]:
        new: set[str] = set()
        with self._database.writing() as connection:
            generation = self._database.generation
            for item in turns:
                key = _key_of(connection, item.conversation.id)
                if key is None and item.conversation.saved_in == generation:
                    item.conversation.gone = True
                    continue
                if key is None:
                    key = saving.add_conversation(connection, _conversation(item))
                    new.add(item.conversation.id)
                else:
                    _update(connection, key, item)
                saving.save_turn(
                    connection, key, item.turn_id, item.turn, item.turn.number, complete=item.complete
                )
        for item in turns:
            if not item.conversation.gone:
                item.conversation.saved_in = generation
        return new

    def _finish(self, turns: Sequence[TurnToSave], new: set[str]) -> None:
        finished = {item.conversation.id for item in turns if item.turn.finished}
        if finished:
            try:
                self._database.checkpoint()
            except AssistantError as error:
                _log.warning("no checkpoint: %s", error.details)
        for conversation_id in sorted(new | finished):
            self._on_saved(conversation_id)

    def _failed(self, error: AssistantError) -> None:
        if error.message != self._problem:
            self._problem = error.message
            self._on_problem(error.message + _MEANWHILE)

    def _keep_sound(self, item: TurnToSave) -> None:
        """Write recordings. One that cannot be written is given up: sound is too large to wait in memory."""
        if not item.recordings or item.conversation.gone:
            return
        try:
            with self._database.reading() as connection:
                row = connection.execute("SELECT number FROM turn WHERE id = ?", (item.turn_id,)).fetchone()
            for recording in item.recordings if row else ():
                self._sounds.save(
                    item.conversation.id,
                    row["number"],
                    recording.role,
                    recording.samples,
                    recording.sample_rate,
                )
        except (AssistantError, OSError) as error:
            _log.warning("the sound of a turn is lost: %s", error)
            sentence = error.message if isinstance(error, AssistantError) else str(error)
            if sentence != self._sound_problem:
                self._sound_problem = sentence
                self._on_problem(f"The sound of this turn could not be saved. {sentence}")
        else:
            self._sound_problem = ""


def _conversation(item: TurnToSave) -> Conversation:
    turn = item.turn
    return Conversation(
        id=item.conversation.id,
        title=title_by_words(turn.user_text, turn.reply_text if item.complete else ""),
        title_source=TitleSource.WORDS,
        created_at=item.conversation.created_at,
        updated_at=max(item.conversation.created_at, turn.created_at),
        profile=item.conversation.profile or turn.profile,
        persona=item.conversation.persona or "",
        language=turn.language,
    )


def _update(connection: sqlite3.Connection, key: int, item: TurnToSave) -> None:
    """Bring what a list shows of a conversation up to date."""
    turn, conversation = item.turn, item.conversation
    row = connection.execute("SELECT * FROM conversation WHERE key = ?", (key,)).fetchone()
    if not row["title"] and row["title_source"] == TitleSource.WORDS and turn.finished:
        saving.set_title(connection, row, title_by_words(turn.user_text, turn.reply_text), TitleSource.WORDS)
    language = turn.language or row["language"]
    profile = conversation.profile or turn.profile
    persona = row["persona"] if conversation.persona is None else conversation.persona
    values = (max(row["updated_at"], turn.created_at), profile, persona, language)
    if values != (row["updated_at"], row["profile"], row["persona"], row["language"]):
        connection.execute(
            "UPDATE conversation SET updated_at = ?, profile = ?, persona = ?, language = ? WHERE key = ?",
            (*values, key),
        )


def _key_of(connection: sqlite3.Connection, conversation_id: str) -> int | None:
    row = connection.execute("SELECT key FROM conversation WHERE id = ?", (conversation_id,)).fetchone()
    return row["key"] if row else None
