"""The saved conversations as the app uses them: recording and library together, off the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from s2s_desktop.conversation.store.database import Database
from s2s_desktop.conversation.store.library import UNDO_S, Library
from s2s_desktop.conversation.store.recorder import Recorder
from s2s_desktop.conversation.store.sound_files import SoundFiles
from s2s_desktop.errors import AssistantError
from s2s_desktop.runtime.tasks import TaskGroup
from s2s_desktop.runtime.workers import SerialWorker
from s2s_desktop.settings.schema import HistorySettings

_log = logging.getLogger(__name__)

T = TypeVar("T")

_BYTES_PER_MB = 1_000_000


class ConversationStore:
    """Owns the file, the recorder and the worker of the library. Make and use it on the event loop.

    Args:
        folder: Holds `conversations.db` and the folder `sounds`; made when it is first needed.
        settings: What is kept.
        on_notice: Told sentences for the user, on the event loop.
        on_changed: Told on the event loop the id of a conversation that looks different in the list; "" when
            it may be any.
    """

    def __init__(
        self,
        folder: Path,
        settings: HistorySettings,
        *,
        on_notice: Callable[[str], None],
        on_changed: Callable[[str], None],
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._on_notice = on_notice
        self._on_changed = on_changed
        self._database = Database(folder / "conversations.db", on_notice=self._notice)
        self._sounds = SoundFiles(folder / "sounds", settings.audio_limit_mb * _BYTES_PER_MB)
        self._library = Library(self._database, self._sounds)
        self._worker = SerialWorker("conversations")
        self._tasks = TaskGroup()
        self._closed = False
        self._traces = False
        self.recorder = Recorder(
            self._database,
            self._sounds,
            on_saved=self._changed,
            on_problem=self._notice,
        )
        self.use(settings)

    @property
    def conversation_id(self) -> str:
        """The conversation that the next turn is saved into."""
        return self.recorder.conversation_id

    def use(self, settings: HistorySettings) -> None:
        """Keep what these settings say from now on."""
        self._sounds.limit_bytes = settings.audio_limit_mb * _BYTES_PER_MB
        self.recorder.keep(text=settings.keep, sound=settings.keep_audio)

    async def open(self) -> None:
        """Put in order what the app left behind when it ended. Nothing else waits for it.

        What goes wrong is told as a notice.
        """
        try:
            await self.run(Library.tidy)
        except AssistantError as error:
            self._on_notice(error.message)
        self._on_changed("")

    async def run(self, call: Callable[[Library], T]) -> T:
        """Use the library: `await store.run(lambda library: library.search("paris"))`.

        Raises:
            AssistantError: As the method says.
        """
        return await self._worker.run(lambda: call(self._library))

    async def delete(self, conversation_id: str) -> None:
        """Delete a conversation; for a minute it can be had back. The one in use makes way for a new one.

        Raises:
            AssistantError: It is not there, or the file cannot be written.
        """
        await self.run(lambda library: library.delete(conversation_id))
        if conversation_id == self.recorder.conversation_id:
            self.recorder.new_conversation()
        self._tasks.start(self._purge_later(), "purge deleted conversations")
        self._on_changed(conversation_id)

    async def undo_delete(self, conversation_id: str) -> None:
        """Bring a deleted conversation back.

        Raises:
            AssistantError: It has been removed for good.
        """
        await self.run(lambda library: library.undo_delete(conversation_id))
        self._on_changed(conversation_id)

    async def remove_turns(
        self, conversation_id: str, first: int, last: int, first_id: int | None
    ) -> tuple[int, ...]:
        """Remove turns for good; see `Library.remove_turns`. Their last traces go a minute later.

        Raises:
            AssistantError: The conversation is not there, or the file cannot be written.
        """
        numbers = await self.run(
            lambda library: library.remove_turns(conversation_id, first, last, first_id=first_id)
        )
        if numbers and not self._traces:
            self._traces = True
            self._tasks.start(self._forget_later(), "forget removed turns")
        return numbers

    async def wipe(self) -> None:
        """Remove everything that was ever kept, also what is about to be written. Ends in a new conversation.

        Raises:
            AssistantError: Something could not be removed; says what to do.
        """

        def forget_and_wipe(library: Library) -> None:
            self.recorder.forget()
            self.recorder.flush()
            library.wipe()

        await self.run(forget_and_wipe)
        self._on_changed("")

    async def close(self) -> None:
        """Write what waits, remove for good what was deleted, and close the file. Idempotent."""
        if self._closed:
            return
        self._closed = True
        await self._tasks.cancel_all()
        try:
            await self.run(self._finish)
        except AssistantError as error:
            _log.warning("%s (%s)", error.message, error.details)
        self._worker.close()

    def _finish(self, library: Library) -> None:
        try:
            self.recorder.close()
            library.purge_deleted(0)
            self._forget(library)
        finally:
            self._database.close()

    async def _purge_later(self) -> None:
        await asyncio.sleep(UNDO_S)
        try:
            await self.run(Library.purge_deleted)
        except AssistantError as error:
            self._on_notice(error.message)

    async def _forget_later(self) -> None:
        await asyncio.sleep(UNDO_S)
        try:
            await self.run(self._forget)
        except AssistantError as error:
            self._on_notice(error.message)

    def _forget(self, library: Library) -> None:
        if self._traces:
            self._traces = False
            library.forget_removed()

    def _notice(self, sentence: str) -> None:
        self._on_loop(lambda: self._on_notice(sentence))

    def _changed(self, conversation_id: str) -> None:
        self._on_loop(lambda: self._on_changed(conversation_id))

    def _on_loop(self, call: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:  # the loop has ended and nobody is left to be told
            _log.info("a message of the store came after the end")
