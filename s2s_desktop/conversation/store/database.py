"""The file of the conversations: opened, brought up to date, shared by threads, set aside when damaged."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from s2s_desktop.conversation.store import faults, search_index
from s2s_desktop.conversation.store.salvage import salvage, set_aside
from s2s_desktop.conversation.store.schema import MIGRATIONS, Migration
from s2s_desktop.errors import AssistantError, ErrorKind

_log = logging.getLogger(__name__)

_TRY_S = 0.1
"""How long SQLite itself waits for another process; between such tries our own threads get their turn."""

_WAL_BYTES = 1 << 20
"""What a checkpoint leaves of the write-ahead log."""


class Database:
    """One connection that any thread may use, one transaction at a time.

    Committed transactions are handed to the operating system at once (WAL, `synchronous=NORMAL`): the death
    of the process loses none. The disk is made to keep them by `checkpoint`: a power cut can lose what was
    written since the last one, and never damages the file.

    Attributes:
        generation: Grows when another file takes the place of the one in use (it was damaged or removed).

    Args:
        path: The file; it and its folder are made when they are first needed.
        on_notice: Told in a sentence when a damaged file was set aside. Called on the thread that found out.
        wait_s: How long to wait for another process that holds the file.
        migrations: See `schema.MIGRATIONS`.
    """

    def __init__(
        self,
        path: Path,
        *,
        on_notice: Callable[[str], None] = lambda sentence: None,
        wait_s: float = 5.0,
        migrations: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self.path = path
        self.generation = 0
        self._on_notice = on_notice
        self._wait_s = wait_s
        self._migrations = migrations
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._identity = (0, 0)
        self._rebuilding = False

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection whose queries all see the same moment.

        Raises:
            AssistantError: INTERNAL; the file cannot be used. Says what to do.
        """
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give a connection whose changes are all kept, or none of them when the block raises.

        Raises:
            AssistantError: INTERNAL; the file cannot be written. Says what to do.
        """
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def checkpoint(self, *, shorten: bool = False) -> bool:
        """Make the disk keep what was written.

        Args:
            shorten: Also empty the write-ahead log.

        Returns:
            False when that has to wait for another process, which reads an older state from the log.

        Raises:
            AssistantError: INTERNAL; the file cannot be written.
        """
        busy, _, _ = self._run_alone(f"PRAGMA wal_checkpoint({'TRUNCATE' if shorten else 'PASSIVE'})")[0]
        return not busy

    def rebuild_file(self) -> bool:
        """Write the file anew without anything that was deleted from it.

        Returns:
            As `checkpoint`.

        Raises:
            AssistantError: INTERNAL; the file cannot be written, or there is no room for a second one.
        """
        self._run_alone("VACUUM")
        return self.checkpoint(shorten=True)

    def check(self) -> None:
        """Look for damage in the whole file, beside the work of other threads, and deal with it.

        Raises:
            AssistantError: INTERNAL; the file is damaged and could not be set aside.
        """
        with self.reading():
            generation = self.generation
        uri = f"{self.path.absolute().as_uri()}?mode=ro"
        try:
            with _closing(sqlite3.connect(uri, uri=True, timeout=_TRY_S)) as connection:
                verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.Error as error:
            verdict = str(error) if faults.is_damage(error) else "ok"
        with self._lock:
            if verdict != "ok" and generation == self.generation:
                _log.error("the conversations are damaged: %s", verdict)
                self._replace_damaged()

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.execute("PRAGMA optimize")
                connection.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._begun(begin) as connection:
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException as error:
                # A full disk ends the transaction by itself.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise self._handled(error) from error
                raise

    @contextmanager
    def _begun(self, begin: str) -> Iterator[sqlite3.Connection]:
        """Begin a transaction under the lock; while another process is busy, the lock is free."""
        deadline = time.monotonic() + self._wait_s
        replaced = False
        while True:
            with self._lock:
                try:
                    connection = self._connected()
                    connection.execute(begin)
                except sqlite3.Error as error:
                    if faults.is_damage(error) and not replaced:
                        self._replace_damaged()
                        replaced = True
                    elif not faults.is_busy(error) or time.monotonic() >= deadline:
                        raise self._handled(error) from error
                except OSError as error:
                    raise faults.sentence_for(error, self.path) from error
                else:
                    yield connection
                    return

    def _run_alone(self, statement: str) -> list[sqlite3.Row]:
        with self._lock:
            try:
                return self._connected().execute(statement).fetchall()
            except sqlite3.Error as error:
                raise self._handled(error) from error
            except OSError as error:
                raise faults.sentence_for(error, self.path) from error

    def _connected(self) -> sqlite3.Connection:
        """Return the connection to the file that is at the path now."""
        if self._connection is not None and _identity(self.path) != self._identity:
            _log.warning("another file took the place of %s", self.path)
            self.close()
        if self._connection is None:
            self._connection = self._opened()
        return self._connection

    def _opened(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Made here so that nobody else can read it; the files beside it get the same permissions.
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        connection = sqlite3.connect(
            self.path, timeout=_TRY_S, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        before, self._identity = self._identity, _identity(self.path)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        if before != self._identity:
            self.generation += 1
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.row_factory = sqlite3.Row
        known = len(self._migrations)
        version = _version(connection)
        if version > known:
            raise faults.newer_schema(self.path, version)
        for pragma in (
            "journal_mode=WAL",
            "synchronous=NORMAL",
            "checkpoint_fullfsync=ON",  # macOS keeps data in the cache of the disk otherwise
            f"journal_size_limit={_WAL_BYTES}",
            "foreign_keys=ON",
            "secure_delete=ON",
            # Sorting and VACUUM must leave no copies in the folder for temporary files.
            "temp_store=MEMORY",
            "cell_size_check=ON",
            "trusted_schema=OFF",
        ):
            connection.execute(f"PRAGMA {pragma}")
        if version < known:
            self._migrate(connection)

    def _migrate(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have been faster.
            for migration in self._migrations[_version(connection) :]:
                migration(connection)
            connection.execute(f"PRAGMA user_version={len(self._migrations)}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _handled(self, error: sqlite3.Error) -> AssistantError:
        """Mend what can be mended and return the error to raise."""
        _log.error("%s: %s", self.path, error, exc_info=error)
        if faults.is_index_damage(error) and not self._rebuilding:
            self._rebuild_index()
        elif faults.is_damage(error):
            return AssistantError(ErrorKind.INTERNAL, self._replace_damaged(), str(error))
        return faults.sentence_for(error, self.path)

    def _rebuild_index(self) -> None:
        self._rebuilding = True
        try:
            with self.writing() as connection:
                search_index.rebuild(connection)
        finally:
            self._rebuilding = False

    def _replace_damaged(self) -> str:
        """Set the damaged file aside and begin a new one with what can still be read of it.

        Returns:
            What happened, in a sentence that `on_notice` was told too.

        Raises:
            AssistantError: INTERNAL; the file cannot be moved.
        """
        self.close()
        if _identity(self.path) != self._identity:
            return "The file of the conversations was damaged. Another window has begun a new one."
        try:
            aside = set_aside(self.path)
        except OSError as error:
            raise faults.sentence_for(error, self.path) from error
        with self.writing() as connection:
            saved = salvage(aside, connection)
        rescued = f" {saved} of its conversations could be read and are here again." if saved else ""
        sentence = (
            f"The file of the conversations was damaged. It was set aside as “{aside.name}” in {aside.parent}"
            f" and a new one begun.{rescued}"
        )
        self._on_notice(sentence)
        return sentence


@contextmanager
def _closing(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    try:
        yield connection
    finally:
        connection.close()


def _identity(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return (0, 0)
    return (stat.st_dev, stat.st_ino)


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version
